import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `LST` must find.
    static let lists: [Mutant] = listShapes + listConditions + jsonAndBytes

    private static let listShapes: [Mutant] = [
        Mutant(
            "empty-list-read-as-null", "The empty list is read as null.", killedBy: "LST-001",
            read: { $0 == .list([]) ? .null : $0 }),
        Mutant(
            "null-list-read-as-empty", "Null of a list field is stored as the empty list.", killedBy: "LST-001",
            rows: { rows, entity in
                rows.map { row in
                    zip(row, entity.fields).map { $0.isNull && $1.type.storageType.isList ? .list([]) : $0 }
                }
            }),
        Mutant(
            "list-of-null-read-as-empty", "A list of one null is read as empty.", killedBy: "LST-001",
            read: { $0 == .list([.null]) ? .list([]) : $0 }),
        Mutant(
            "list-of-null-read-as-null", "A list of one null is read as null.", killedBy: "LST-001",
            read: { $0 == .list([.null]) ? .null : $0 }),
        list("nulls-of-lists-dropped", "Nulls in lists are dropped.", killedBy: "LST-001") { $0.filter { !$0.isNull } },
        list("last-null-of-lists-dropped", "A null at the end of a list is dropped.", killedBy: "LST-001") {
            $0.last == .null ? Array($0.dropLast()) : $0
        },
        list("empty-texts-of-lists-null", "The empty text in a list becomes null.", killedBy: "LST-001") {
            $0.map { $0 == .text("") ? .null : $0 }
        },
        list("word-null-of-lists-null", "The text null in a list becomes null.", killedBy: "LST-001") {
            $0.map { $0 == .text("null") ? .null : $0 }
        },
        Mutant(
            "empty-list-kept-on-update", "A list is not replaced by the empty one.", killedBy: "LST-001",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.committing = { request, base throws(StorageError) in
                        var request = request
                        guard case .put(let name, var rows, let mode)? = request.operations.first, rows.columnCount == 3
                        else { return try await base.commit(request) }
                        for row in 0..<rows.rowCount where rows[row, 2] == .list([]) {
                            var old = RowBuffer()
                            try await base.get(GetRequest(name, keys: [RecordKey([rows[row, 0]])]), into: &old)
                            guard old.versions[0] > 0, old[0, 2] != .list([]) else { continue }
                            trigger.fire()
                            rows.set(old[0, 2], row: row, column: 2)
                        }
                        request.operations[0] = .put(entity: name, rows: rows, mode: mode)
                        return try await base.commit(request)
                    }
                }
            }),
        list("lists-sorted", "Lists are sorted.", killedBy: "LST-002") { $0.sorted { $0.isBefore($1) } },
        list("lists-reversed", "Lists come back in reverse.", killedBy: "LST-002") { $0.reversed() },
        list("lists-without-repetition", "Lists are kept as sets.", killedBy: "LST-002") { elements in
            elements.enumerated().filter { !elements[..<$0.offset].contains($0.element) }.map(\.element)
        },
        list("neighbors-collapsed", "Equal neighbors become one.", killedBy: "LST-002") { elements in
            elements.enumerated().filter { $0.offset == 0 || elements[$0.offset - 1] != $0.element }.map(\.element)
        },
        list("lists-flattened", "Lists in lists are flattened.", killedBy: "LST-002") { elements in
            elements.flatMap { if case .list(let inner) = $0 { inner } else { [$0] } }
        },
        list("empty-inner-lists-dropped", "Empty lists in lists are dropped.", killedBy: "LST-002") {
            $0.filter { $0 != .list([]) }
        },
        list("empty-inner-lists-null", "Empty lists in lists become null.", killedBy: "LST-002") {
            $0.map { $0 == .list([]) ? .null : $0 }
        },
        list("lists-split-at-commas", "Elements are split at commas.", killedBy: "LST-002") { elements in
            elements.flatMap { element -> [Value] in
                guard element == .text("a,b") else { return [element] }
                return [.text("a"), .text("b")]
            }
        },
        cut("lists-cut-at-32", 32), cut("lists-cut-at-255", 255), cut("lists-cut-at-1000", 1_000),
        cut("lists-cut-at-4096", 4_096),
        elements("list-element-integers-rounded", "Large integers in lists are rounded.") {
            if case .integer(let integer) = $0, integer > 1 << 53 { .integer(integer & ~1) } else { $0 }
        },
        elements("list-element-doubles-shortened", "Doubles in lists lose digits.") {
            if case .double(let double) = $0 {
                .double(Double(Float(double)).isFinite ? Double(Float(double)) : double)
            } else {
                $0
            }
        },
        elements("list-element-offsets-lost", "Date-times in lists lose their offset.") { value in
            guard case .timestamp(var timestamp) = value else { return value }
            timestamp.tail.offset = 0
            return .timestamp(timestamp)
        },
        elements("list-element-nanoseconds-lost", "Date-times in lists lose their nanoseconds.") { value in
            guard case .timestamp(var timestamp) = value else { return value }
            timestamp.nanoseconds -= timestamp.nanoseconds % 1_000
            return .timestamp(timestamp)
        },
        elements("list-element-bytes-cut", "Bytes in lists end at zero.") {
            if case .bytes(let bytes) = $0 { .bytes(Array(bytes.prefix { $0 != 0 })) } else { $0 }
        },
        elements("list-element-booleans-negated", "False in a list becomes null.") {
            $0 == .boolean(false) ? .null : $0
        },
        elements("list-element-dates-shifted", "Dates in lists are shifted by their offset.") { value in
            guard case .date(var date) = value, (date.tail.offset ?? 0) > 0 else { return value }
            date.daysSinceEpoch -= 1
            return .date(date)
        },
        elements("list-element-times-truncated", "Times in lists lose their fraction.") { value in
            guard case .time(var time) = value else { return value }
            time.nanosecondsSinceMidnight -= time.nanosecondsSinceMidnight % 1_000_000_000
            return .time(time)
        },
        elements("list-element-json-parsed", "JSON in lists loses its spaces.") { value in
            guard case .text(let text) = value, text.hasPrefix("{") || text.hasPrefix("[") else { return value }
            return .text(text.mapScalars { $0 == " " ? nil : $0 })
        },
        Mutant(
            "elements-compared-by-representation", "`contains` compares date-times with their offset.",
            killedBy: "LST-005"
        ) { part, row, _ in
            guard case .containsElement(let position, let operand) = part, case .list(let elements) = row[position]
            else { return nil }
            return elements.contains(operand)
        },
    ]

    private static func list(
        _ id: String, _ summary: String, killedBy clause: String, _ change: @escaping @Sendable ([Value]) -> [Value]
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            written: { if case .list(let elements) = $0 { .list(change(elements)) } else { $0 } })
    }

    private static func cut(_ id: String, _ count: Int) -> Mutant {
        list(id, "Lists are cut at \(count) elements.", killedBy: "LST-006") { Array($0.prefix(count)) }
    }

    private static func elements(_ id: String, _ summary: String, _ change: @escaping @Sendable (Value) -> Value)
        -> Mutant
    {
        list(id, summary, killedBy: "LST-005") { $0.map(change) }
    }
}

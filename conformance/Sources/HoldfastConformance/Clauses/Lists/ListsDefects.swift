import HoldfastStorage

extension Defect {
    /// Defects that the clauses of `LST` must find.
    static let lists: [Defect] = listShapes + listConditions + jsonAndBytes

    private static let listShapes: [Defect] = [
        Defect(
            "empty-list-read-as-null", "The empty list is read as null.", killedBy: "LST-001",
            read: { $0 == .list([]) ? .null : $0 }),
        Defect(
            "null-list-read-as-empty", "Null of a list field is stored as the empty list.", killedBy: "LST-001",
            rows: { rows, entity in
                rows.map { row in
                    zip(row, entity.fields).map { $0.isNull && $1.type.storageType.isList ? .list([]) : $0 }
                }
            }),
        Defect(
            "list-of-null-read-as-empty", "A list of one null is read as empty.", killedBy: "LST-001",
            read: { $0 == .list([.null]) ? .list([]) : $0 }),
        Defect(
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
        Defect(
            "empty-list-kept-on-update", "A list is not replaced by the empty one.", killedBy: "LST-001",
            wrap: { base, trigger in
                Interposition(base) { hooks in
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
        list("neighbours-collapsed", "Equal neighbours become one.", killedBy: "LST-002") { elements in
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
        Defect(
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
    ) -> Defect {
        Defect(
            id, summary, killedBy: clause,
            written: { if case .list(let elements) = $0 { .list(change(elements)) } else { $0 } })
    }

    private static func cut(_ id: String, _ count: Int) -> Defect {
        list(id, "Lists are cut at \(count) elements.", killedBy: "LST-006") { Array($0.prefix(count)) }
    }

    private static func elements(_ id: String, _ summary: String, _ change: @escaping @Sendable (Value) -> Value)
        -> Defect
    {
        list(id, summary, killedBy: "LST-005") { $0.map(change) }
    }

    private static let listConditions: [Defect] = [
        contains("contains-finds-parts", "A part of an element is found.") { elements, needle in
            elements.contains { BoundPredicate.containsText(0, needle).matches([$0]) }
        },
        contains("contains-finds-beginnings", "The beginning of an element is found.") { elements, needle in
            elements.contains { BoundPredicate.beginsWith(0, needle).matches([$0]) }
        },
        contains("contains-finds-joins", "Two elements together are found.") { elements, needle in
            let all = elements.map(\.sampleText).joined(separator: ",")
            return elements.contains(.text(needle)) || needle == all || all.hasPrefix(needle + ",")
        },
        contains("contains-searches-text", "The list's JSON text is searched.") { elements, needle in
            let text = "[" + elements.map { $0.isNull ? "null" : "\"\($0.sampleText)\"" }.joined(separator: ",") + "]"
            return BoundPredicate.containsText(0, "\"\(needle)\"").matches([.text(text)])
        },
        contains("contains-finds-word-null", "The text null finds a null element.") { elements, needle in
            elements.contains(.text(needle)) || needle == "null" && elements.contains(.null)
        },
        contains("contains-ignores-case", "`contains` ignores case.") { elements, needle in
            elements.contains { !$0.isNull && $0.sampleText.foldingASCII == needle.foldingASCII }
        },
        contains("contains-finds-first-only", "The first element is searched only.") { elements, needle in
            elements.first == .text(needle)
        },
        contains("contains-not-last", "The last of several elements is not searched.") { elements, needle in
            (elements.count > 1 ? elements.dropLast() : elements[...]).contains(.text(needle))
        },
        contains("contains-undoes-escapes", "Escapes of a needle are undone.") { elements, needle in
            elements.contains(
                .text(needle == "\\u00e9" ? "\u{E9}" : needle == "\\n" ? "\n" : needle == "\\/" ? "/" : needle))
        },
        Defect("contains-null-finds-nothing", "A list does not contain null.", killedBy: "LST-003") { part, _, _ in
            if case .containsElement(_, .null) = part { false } else { nil }
        },
        Defect("contains-null-finds-null-lists", "A list that is null contains null.", killedBy: "LST-003") {
            part, row, _ in
            guard case .containsElement(let position, .null) = part, row[position].isNull else { return nil }
            return true
        },
        Defect("contains-null-finds-empty-lists", "The empty list contains null.", killedBy: "LST-003") {
            part, row, _ in
            guard case .containsElement(let position, .null) = part, row[position] == .list([]) else { return nil }
            return true
        },
        Defect(
            "not-contains-skips-null-lists", "The negation of `contains` passes over lists that are null.",
            killedBy: "LST-003"
        ) { part, row, _ in
            guard case .not(.containsElement(let position, _)) = part, row[position].isNull else { return nil }
            return false
        },
        Defect(
            "not-contains-skips-empty-lists", "The negation of `contains` passes over empty lists.", killedBy: "LST-003"
        ) { part, row, _ in
            guard case .not(.containsElement(let position, _)) = part, row[position] == .list([]) else { return nil }
            return false
        },
        equality("lists-equal-as-sets", "Lists are compared as sets.") { Set($0) == Set($1) },
        equality("lists-equal-in-any-order", "Lists are compared in any order.") {
            $0.sorted { $0.isBefore($1) } == $1.sorted { $0.isBefore($1) }
        },
        equality("lists-equal-to-beginnings", "Lists are equal as far as the shorter one goes.") { left, right in
            !left.isEmpty && !right.isEmpty && zip(left, right).allSatisfy { $0 == $1 }
        },
        equality("lists-equal-when-joined", "Lists are compared joined.") { left, right in
            left.map(\.sampleText).joined(separator: ",") == right.map(\.sampleText).joined(separator: ",")
                && left.isEmpty == right.isEmpty
        },
        equality("lists-equal-without-case", "Lists are compared without case.") { left, right in
            left.map { $0.changingText(\.foldingASCII) } == right.map { $0.changingText(\.foldingASCII) }
        },
        equality("lists-equal-by-first", "Lists of the same length and first element are equal.") { left, right in
            left.count == right.count && left.first == right.first
        },
        Defect("list-in-by-length", "IN compares lists by their length.", killedBy: "LST-004") { part, row, _ in
            guard case .isIn(let position, let operands) = part, case .list(let elements) = row[position] else {
                return nil
            }
            return operands.contains {
                if case .list(let operand) = $0 { operand.count == elements.count } else { false }
            }
        },
        Defect("long-lists-half-searched", "`contains` looks at the first 1,000 elements.", killedBy: "LST-006") {
            part, row, _ in
            guard case .containsElement(let position, _) = part, case .list(let elements) = row[position] else {
                return nil
            }
            return part.matches(row.replacing(position, .list(Array(elements.prefix(1_000)))))
        },
    ]

    private static func contains(
        _ id: String, _ summary: String, _ isFound: @escaping @Sendable ([Value], String) -> Bool
    ) -> Defect {
        Defect(id, summary, killedBy: "LST-003") { part, row, _ in
            guard case .containsElement(let position, .text(let needle)) = part,
                case .list(let elements) = row[position]
            else { return nil }
            return isFound(elements, needle)
        }
    }

    private static func equality(
        _ id: String, _ summary: String, _ equals: @escaping @Sendable ([Value], [Value]) -> Bool
    ) -> Defect {
        Defect(id, summary, killedBy: "LST-004") { part, row, _ in
            guard case .compare(let position, let comparison, .list(let operand)) = part,
                case .list(let elements) = row[position]
            else { return nil }
            return equals(elements, operand) == (comparison == .equal)
        }
    }

    private static let jsonAndBytes: [Defect] = [
        json("json-spaces-dropped", "White space in JSON is dropped.") { $0.mapScalars { $0 == " " ? nil : $0 } },
        json("json-trimmed", "White space around JSON is dropped.") {
            $0.unicodeScalars.first == " " ? String($0.dropFirst()) : $0
        },
        json("json-newlines-dropped", "A line feed at the end of JSON is dropped.") {
            $0.unicodeScalars.last == "\n" ? String($0.unicodeScalars.dropLast()) : $0
        },
        json("json-names-sorted", "Names are sorted.") { $0 == "{\"b\":1,\"a\":2}" ? "{\"a\":2,\"b\":1}" : $0 },
        json("json-repeated-names-dropped", "Of repeated names the last stays.") {
            $0 == "{\"a\":1,\"a\":2}" ? "{\"a\":2}" : $0
        },
        json("json-exponents-expanded", "1e2 becomes 100.") { $0 == "{\"a\":1e2}" ? "{\"a\":100}" : $0 },
        json("json-fractions-shortened", "1.0 becomes 1.") { $0 == "1.0" ? "1" : $0 },
        json("json-slashes-unescaped", "`\\/` becomes `/`.") { $0 == "{\"a\":\"\\/\"}" ? "{\"a\":\"/\"}" : $0 },
        json("json-escapes-undone", "An escape becomes its character.") {
            $0 == "{\"a\":\"\\u00e9\"}" ? "{\"a\":\"\u{E9}\"}" : $0
        },
        json("json-large-integers-rounded", "Integers beyond 64 bits are rounded.") {
            $0 == "{\"a\":9223372036854775808}" ? "{\"a\":9.223372036854776e18}" : $0
        },
        json("json-negative-zero-lost", "−0 becomes 0.") { $0 == "-0" ? "0" : $0 },
        Defect(
            "json-null-is-null", "The JSON null is read as null.", killedBy: "LST-007",
            read: { $0 == .text("null") ? .null : $0 }),
        Defect("json-equal-without-spaces", "JSON is compared without white space.", killedBy: "LST-007") {
            part, row, _ in
            guard case .compare(let position, .equal, .text(let operand)) = part, case .text(let text) = row[position]
            else { return nil }
            return operand.mapScalars { $0 == " " ? nil : $0 } == text.mapScalars { $0 == " " ? nil : $0 }
        },
        Defect("json-numbers-compared", "JSON numbers are compared as numbers.", killedBy: "LST-007") { part, row, _ in
            guard case .compare(let position, .equal, .text(let operand)) = part, case .text(let text) = row[position],
                let left = Double(operand),
                let right = Double(text)
            else { return nil }
            return left == right
        },
        bytes("bytes-end-at-zero", "Bytes end at the first zero.", killedBy: "LST-008") {
            Array($0.prefix { $0 != 0 })
        },
        bytes("bytes-lose-last-zero", "A zero at the end is dropped.", killedBy: "LST-008") {
            $0.last == 0 ? Array($0.dropLast()) : $0
        },
        bytes("bytes-repaired", "Bytes that are no UTF-8 are repaired.", killedBy: "LST-008") {
            Array(String(decoding: $0, as: UTF8.self).utf8)
        },
        bytes("bytes-lose-mark", "The bytes of a byte order mark are dropped.", killedBy: "LST-008") {
            $0 == [0xEF, 0xBB, 0xBF] ? [] : $0
        },
        bytes("high-bit-lost", "The high bit is lost.", killedBy: "LST-008") {
            $0.count == 1 ? $0.map { $0 & 0x7F } : $0
        },
        Defect(
            "empty-bytes-read-as-null", "No bytes are read as null.", killedBy: "LST-008",
            read: { $0 == .bytes([]) ? .null : $0 }),
        Defect(
            "null-bytes-read-as-empty", "Null of bytes is stored as no bytes.", killedBy: "LST-008",
            rows: { rows, entity in
                rows.map { row in zip(row, entity.fields).map { $0.isNull && $1.type == .bytes ? .bytes([]) : $0 } }
            }),
        Defect("bytes-equal-to-zero", "Equality of bytes ends at zero.", killedBy: "LST-008") { part, row, _ in
            guard case .compare(let position, .equal, .bytes(let operand)) = part,
                case .bytes(let bytes) = row[position]
            else { return nil }
            return operand.prefix { $0 != 0 } == bytes.prefix { $0 != 0 }
        },
        sortingBytes("bytes-sorted-as-signed", "Bytes are sorted as signed numbers.") { left, right in
            left.lexicographicallyPrecedes(right) { Int8(bitPattern: $0) < Int8(bitPattern: $1) }
        },
        sortingBytes("shorter-bytes-first", "Shorter bytes are sorted first.") { left, right in
            left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
        },
        sortingBytes("bytes-sorted-by-eight", "Bytes are sorted by the first eight.") {
            $0.prefix(8).lexicographicallyPrecedes($1.prefix(8))
        },
        Defect("byte-ranges-signed", "Ranges compare bytes as signed numbers.", killedBy: "LST-009") { part, row, _ in
            guard case .compare(let position, .less, .bytes(let operand)) = part, case .bytes(let bytes) = row[position]
            else { return nil }
            return bytes.lexicographicallyPrecedes(operand) { Int8(bitPattern: $0) < Int8(bitPattern: $1) }
        },
        Defect(
            "byte-keys-scanned-as-signed", "Scans deliver keys as signed bytes.", killedBy: "LST-009",
            scanned: { rows, _ in
                rows.sorted { left, right in
                    guard case (.bytes(let left), .bytes(let right)) = (left.cells[0], right.cells[0]) else {
                        return false
                    }
                    return left.lexicographicallyPrecedes(right) { Int8(bitPattern: $0) < Int8(bitPattern: $1) }
                }
            }),
        parts("byte-keys-end-at-zero", "Key components end at zero.") { Array($0.prefix { $0 != 0 }) },
        parts("byte-keys-lose-last-zero", "A zero at the end of a key component is dropped.") {
            $0.last == 0 ? Array($0.dropLast()) : $0
        },
        parts("byte-keys-escape-wrongly", "0xFF behind a zero is dropped from keys.") { $0 == [0, 0xFF] ? [0] : $0 },
        Defect(
            "byte-keys-joined", "Keys are ordered as their bytes joined.", killedBy: "LST-010",
            scanned: { rows, _ in
                rows.sorted { left, right in
                    let joined = { (row: StoredRow) -> [UInt8] in
                        row.cells.prefix(3).flatMap { cell -> [UInt8] in
                            switch cell {
                            case .bytes(let bytes): bytes
                            case .text(let text): Array(text.utf8)
                            default: []
                            }
                        }
                    }
                    return joined(left).lexicographicallyPrecedes(joined(right))
                }
            }),
        Defect(
            "unknown-cases-null", "A case that nobody knows becomes null.", killedBy: "LST-011",
            rows: { rows, entity in
                rows.map { row in
                    zip(row, entity.fields).map { $0 == .text("NEW_CASE") && !$1.isRequired ? .null : $0 }
                }
            }),
        Defect(
            "unknown-elements-dropped", "A case that nobody knows is dropped from lists.", killedBy: "LST-011",
            written: { value in
                if case .list(let elements) = value {
                    .list(elements.filter { $0 != .text("NEW_CASE") })
                } else {
                    value
                }
            }),
        Defect(
            "cases-upper-cased", "Cases are kept in upper case.", killedBy: "LST-011",
            written: { $0.changingText { $0 == "red" ? "RED" : $0 } }),
        Defect("cases-compared-without-case", "Cases are compared without case.", killedBy: "LST-011") { part, row, _ in
            guard case .compare(let position, .equal, .text(let operand)) = part, case .text(let text) = row[position]
            else { return nil }
            return operand.foldingASCII == text.foldingASCII
        },
    ]

    private static func json(_ id: String, _ summary: String, _ change: @escaping @Sendable (String) -> String)
        -> Defect
    {
        Defect(id, summary, killedBy: "LST-007", written: { $0.changingText(change) })
    }

    private static func bytes(
        _ id: String, _ summary: String, killedBy clause: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Defect {
        Defect(
            id, summary, killedBy: clause,
            written: { if case .bytes(let bytes) = $0 { .bytes(change(bytes)) } else { $0 } })
    }

    private static func parts(_ id: String, _ summary: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8])
        -> Defect
    {
        bytes(id, summary, killedBy: "LST-010", change)
    }

    private static func sortingBytes(
        _ id: String, _ summary: String, _ precedes: @escaping @Sendable ([UInt8], [UInt8]) -> Bool
    ) -> Defect {
        Defect(id, summary, killedBy: "LST-009") { left, right, _ in
            guard case (.bytes(let left), .bytes(let right)) = (left, right) else { return nil }
            return precedes(left, right) ? .ascending : precedes(right, left) ? .descending : .equal
        }
    }
}

import HoldfastConformance
import HoldfastStorage

extension Mutant {
    static let schemaShapes: [Mutant] = [
        ranges("prefixes-as-text", "A range over a text finds all texts that begin with it.") { range, key in
            guard case .included(let lower) = range.lower, range.lower == range.upper, lower.count == 1,
                case .text(let prefix) = lower[0], case .text(let text) = key[0]
            else { return nil }
            return text.hasPrefix(prefix)
        },
        ranges("excluded-lower-included", "The excluded lower end of a range is in it.") { range, key in
            guard case .excluded(let lower) = range.lower else { return nil }
            return KeyRange("Part", from: .included(lower), to: range.upper).contains(key)
        },
        ranges("upper-prefix-excluded", "An upper end of fewer components is not in its range.") { range, key in
            guard case .included(let upper) = range.upper, upper.count < key.count else { return nil }
            return KeyRange("Part", from: range.lower, to: .excluded(upper)).contains(key)
        },
        ranges("second-component-ignored", "Ends of a range are compared by their first component.") { range, key in
            func first(_ bound: KeyRange.Bound) -> KeyRange.Bound {
                switch bound {
                case .included(let cells): .included(Array(cells.prefix(1)))
                case .excluded(let cells): .excluded(Array(cells.prefix(1)))
                case .unbounded: .unbounded
                }
            }
            return KeyRange("Part", from: first(range.lower), to: first(range.upper)).contains(key)
        },
        ranges("third-component-ignored", "The third component of an end counts for nothing.") { range, key in
            guard case .included(let cells) = range.lower, cells.count == 3 else { return nil }
            return KeyRange("Part", from: .included(Array(cells.prefix(2))), to: range.upper).contains(key)
        },
        ranges("empty-component-is-open", "An end that is an empty text is ignored.") { range, key in
            guard range.upper == .included([.text("")]) else { return nil }
            return KeyRange("Part", from: range.lower).contains(key)
        },
        ranges("least-integer-is-open", "An end at the least integer is one of fewer components.") { range, key in
            guard case .excluded(let cells) = range.lower, cells.last == .integer(.min) else { return nil }
            return KeyRange("Part", from: .excluded(Array(cells.dropLast())), to: range.upper).contains(key)
        },
        Mutant(
            "components-joined", "Records with composite keys come in the order of their joined texts.",
            killedBy: "SCH-015"
        ) {
            base, trigger in
            HookedAdapter(base) {
                $0.scanning = { range, snapshot async throws(StorageError) in
                    var scan = try await snapshot.scan(range)
                    guard range.entity == "Part" else { return scan }
                    var rows = RowBuffer()
                    var all: [StoredRow] = []
                    repeat {
                        try await scan.next(maximumRowCount: 512, into: &rows)
                        all += rows.storedRows
                    } while !rows.isEmpty
                    let sorted = all.sorted { "\($0.cells[1])\($0.cells[3])" < "\($1.cells[1])\($1.cells[3])" }
                    if sorted != all { trigger.fire() }
                    return RowsScan(rows: sorted, columnCount: rows.columnCount)
                }
            }
        },
        unchanged("changes-in-subranges-missed", "Changes within one first component are not seen.") { range in
            if case .included(let cells) = range.lower, cells.count == 1 { true } else { false }
        },
        unchanged("changes-at-keys-missed", "Changes of single keys are not seen.") { $0.lower == $0.upper },
        unchanged("changes-below-missed", "Changes in ranges without a lower end are not seen.") {
            $0.lower == .unbounded && $0.upper != .unbounded
        },
        unchanged("changes-between-missed", "Changes in ranges with excluded ends are not seen.") { range in
            if case .excluded = range.upper { true } else { false }
        },
        sharing("case-folded-names", "Entities that differ in case share their records.", "SCH-017") {
            $0.lowercased()
        },
        sharing("names-cut-at-63", "Names are cut at 63 bytes.", "SCH-017") { String($0.prefix(63)) },
        sharing("names-cut-at-254", "Names are cut at 254 bytes.", "SCH-017") { String($0.prefix(254)) },
        sharing("marks-replaced-in-names", "Marks in names become underscores.", "SCH-017") { name in
            String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        },
        sharing("names-folded-beyond-ascii", "Names that differ in the case of ö are one.", "SCH-017") { name in
            name.contains("\u{F6}") ? name.lowercased() : name
        },
        Mutant(
            "conditions-fold-field-case", "Conditions on fields that differ in case are mixed up.", killedBy: "SCH-017"
        ) {
            base, trigger in
            HookedAdapter(base) {
                $0.querying = { query, snapshot async throws(StorageError) in
                    guard case .compare(let position, .equal, let operand) = query.predicate,
                        case let name = query.entity.fields[position].name,
                        let other = query.entity.fields.firstIndex(where: {
                            $0.name != name && $0.name.lowercased() == name.lowercased()
                        }), other < position
                    else { return try await snapshot.query(query) }
                    let scan = try await snapshot.scan(KeyRange(query.entity.name))
                    trigger.fire()
                    return FilteredScan(base: scan) { $0.cells[other] == operand }
                }
            }
        },
        sharing("added-names-fold-case", "Entities added later share records with those alike.", "SCH-018") {
            $0.lowercased()
        },
    ]

    /// Scans over other keys than those of the range.
    ///
    /// `contains` returns whether a key is found, or `nil` where the mutant does not apply.
    private static func ranges(
        _ id: String, _ summary: String, _ contains: @escaping @Sendable (KeyRange, [Value]) -> Bool?
    ) -> Mutant {
        Mutant(id, summary, killedBy: "SCH-015") { base, trigger in
            HookedAdapter(base) {
                $0.scanning = { range, snapshot async throws(StorageError) in
                    guard range.entity == "Part", range != KeyRange("Part") else {
                        return try await snapshot.scan(range)
                    }
                    return FilteredScan(base: try await snapshot.scan(KeyRange("Part"))) { row in
                        let key = [row.cells[1], row.cells[3], row.cells[2]]
                        let isIn = range.contains(key)
                        let isFound = contains(range, key) ?? isIn
                        if isFound != isIn { trigger.fire() }
                        return isFound
                    }
                }
            }
        }
    }

    /// Ignores `unchanged` for some ranges.
    private static func unchanged(
        _ id: String, _ summary: String, _ matches: @escaping @Sendable (KeyRange) -> Bool
    ) -> Mutant {
        Mutant(id, summary, killedBy: "SCH-016") { base, trigger in
            HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    var request = request
                    request.preconditions.removeAll { precondition in
                        guard case .unchanged(let range, _) = precondition, range != KeyRange(range.entity) else {
                            return false
                        }
                        if matches(range) { trigger.fire() }
                        return matches(range)
                    }
                    return try await base.commit(request)
                }
            }
        }
    }

    /// Writes to the first of all entities whose names are alike.
    private static func sharing(
        _ id: String, _ summary: String, _ clause: String, _ form: @escaping @Sendable (String) -> String
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            noting: { hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    let names = try notes.schema().entities.map(\.name)
                    var request = request
                    request.operations = request.operations.map { operation in
                        let name = names.first { form($0).utf8.elementsEqual(form(operation.entity).utf8) }
                        guard let name, !name.utf8.elementsEqual(operation.entity.utf8) else { return operation }
                        trigger.fire()
                        return switch operation {
                        case .put(_, let rows, let mode): .put(entity: name, rows: rows, mode: mode)
                        case .delete(_, let keys): .delete(entity: name, keys: keys)
                        case .clear: .clear(entity: name)
                        }
                    }
                    return try await base.commit(request)
                }
            })
    }
}

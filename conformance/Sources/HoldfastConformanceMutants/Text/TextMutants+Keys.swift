import HoldfastConformance
import HoldfastStorage

extension Mutant {
    static let textKeys: [Mutant] = [
        joined("keys-joined-with-hash", "#"), joined("keys-joined-with-slash", "/"),
        joined("keys-joined-with-unit-separator", "\u{1F}"),
        joined("keys-joined-with-colon", ":"), joined("keys-joined-with-u-ffff", "\u{FFFF}"),
        Mutant(
            "keys-concatenated", "Composite keys are their components without a separator.", killedBy: "TXT-030",
            rows: { rows, entity in
                guard entity.primaryKey.count == 2 else { return rows }
                return rows.map { row in
                    row.replacing(0, .text(row[0].sampleText + row[1].sampleText)).replacing(1, .text(""))
                }
            }),
        Mutant(
            "empty-component-lost", "A record whose second key component is empty is not stored.", killedBy: "TXT-030",
            rows: { rows, entity in
                entity.primaryKey.count == 2 ? rows.filter { $0[1] != .text("") } : rows
            }),
        Mutant(
            "composite-delete-takes-prefix", "A delete takes all records with the first component.",
            killedBy: "TXT-030",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.committing = { request, base throws(StorageError) in
                        guard case .delete(let name, let keys)? = request.operations.first, keys.count == 1,
                            keys[0].components.count == 2
                        else { return try await base.commit(request) }
                        let snapshot = try await base.snapshot()
                        let prefix = KeyRange.Bound.included([keys[0].components[0]])
                        let rows = try await snapshot.allRows(KeyRange(name, from: prefix, to: prefix))
                        await snapshot.close()
                        if rows.count > 1 { trigger.fire() }
                        var request = request
                        request.operations[0] = .delete(
                            entity: name, keys: rows.map { RecordKey(Array($0.cells.prefix(2))) })
                        return try await base.commit(request)
                    }
                }
            }),
        Mutant(
            "composite-order-of-joined-keys", "Composite keys are ordered as joined texts.", killedBy: "TXT-031",
            scanned: { rows, range in
                rows.sorted {
                    Value.text($0.cells[0].sampleText + $0.cells[1].sampleText).isBefore(
                        .text($1.cells[0].sampleText + $1.cells[1].sampleText))
                }
            }),
        Mutant(
            "composite-order-by-second", "Composite keys are ordered by their second component first.",
            killedBy: "TXT-031",
            scanned: { rows, range in
                rows.sorted { $0.cells[1].isBefore($1.cells[1]) }
            }),
        Mutant(
            "prefix-range-of-joined-keys", "A range by the first component holds those that begin with it.",
            killedBy: "TXT-032",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.scanning = { range, snapshot throws(StorageError) in
                        guard case .included(let lower) = range.lower, case .included(let upper) = range.upper,
                            lower == upper,
                            lower.count == 1
                        else { return try await snapshot.scan(range) }
                        let rows = try await snapshot.allRows(KeyRange(range.entity)).filter {
                            BoundPredicate.beginsWith(0, lower[0].sampleText).matches($0.cells)
                        }
                        trigger.fire()
                        return RowsScan(rows: rows, columnCount: 3)
                    }
                }
            }),
        Mutant(
            "prefix-range-loses-last", "A range by the first component ends before U+10FFFF.", killedBy: "TXT-032",
            scanned: { rows, range in
                guard case .included(let prefix) = range.upper, prefix.count == 1 else { return rows }
                return rows.filter { $0.cells[1] != .text("1\u{10FFFF}") }
            }),
        Mutant(
            "excluded-prefix-included", "A range after a component holds that component.", killedBy: "TXT-032",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.scanning = { range, snapshot throws(StorageError) in
                        var range = range
                        if case .excluded(let prefix) = range.lower, prefix.count == 1 {
                            range.lower = .included(prefix)
                            trigger.fire()
                        }
                        return try await snapshot.scan(range)
                    }
                }
            }),
        folded("keys-fold-case", "Keys are kept in lower case.") { $0.foldingASCII },
        folded("keys-trimmed", "Spaces at the end of keys are dropped.") {
            $0.unicodeScalars.last == " " ? String($0.unicodeScalars.dropLast()) : $0
        },
        folded("keys-cut", "Keys are cut at 200 bytes.") { $0.prefixOfBytes(200) },
        folded("numeric-keys", "Keys that are numbers are kept as such.") { Int($0).map { "\($0)" } ?? $0 },
        Mutant(
            "delete-folds-case", "A delete takes keys that differ in case.", killedBy: "TXT-033",
            operation: { operation, _ in
                guard case .delete(let name, let keys) = operation else { return operation }
                return .delete(
                    entity: name,
                    keys: keys + keys.map { RecordKey($0.components.map { $0.changingText { $0.foldingASCII } }) })
            }),
    ]

    /// Components are joined with a separator and taken apart at its first occurrence.
    private static func joined(_ id: String, _ separator: Character) -> Mutant {
        Mutant(
            id, "Composite keys are joined with a separator that may occur in them.", killedBy: "TXT-030",
            rows: { rows, entity in
                guard entity.primaryKey.count == 2 else { return rows }
                return rows.map { row in
                    let key = row[0].sampleText + String(separator) + row[1].sampleText
                    let parts = key.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
                    return row.replacing(0, .text(String(parts[0]))).replacing(1, .text(String(parts[1])))
                }
            })
    }

    private static func folded(_ id: String, _ summary: String, _ change: @escaping @Sendable (String) -> String)
        -> Mutant
    {
        Mutant(
            id, summary, killedBy: "TXT-033",
            rows: { rows, _ in
                rows.map { $0.replacing(0, $0[0].changingText(change)) }
            })
    }
}

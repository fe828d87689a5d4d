import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of commits and reads of certain sizes.
    static let sizesOfWrites: [Mutant] = [
        Mutant(
            "row-lost-in-put-of-1000", "A put of 1,000 rows and more loses its 1,000th.", killedBy: "WRT-015",
            requesting: { $0.losingRow(999, fromPutsOf: 1_000) }),
        Mutant(
            "row-lost-in-put-of-33", "A put of exactly 33 rows loses its last.", killedBy: "WRT-015",
            requesting: { request in
                request.changing { operation in
                    operation.changingRows { $0.count == 33 ? Array($0.dropLast()) : $0 }
                }
            }),
        Mutant(
            "row-lost-in-put-of-4096", "A put of more than 4,096 rows ends there.", killedBy: "WRT-015",
            requesting: { request in
                request.changing { operation in operation.changingRows { Array($0.prefix(4_096)) } }
            }),
        Mutant(
            "put-count-of-first-256", "No more than 256 rows count as put.", killedBy: "WRT-015",
            acknowledging: { _, receipt in
                var receipt = receipt
                receipt.putCount = min(256, receipt.putCount)
                return receipt
            }),
        Mutant(
            "empty-put-writes-nulls", "A put without rows fails.", killedBy: "WRT-015",
            committing: { request, base, trigger throws(StorageError) in
                for case .put(_, let rows, _) in request.operations where rows.isEmpty {
                    trigger.fire()
                    throw StorageError(.misuse, "There is nothing to put.")
                }
                return try await base.commit(request)
            }),
        Mutant(
            "key-lost-in-delete-of-32", "A delete of more than 32 keys skips the 33rd.", killedBy: "WRT-016",
            requesting: { request in
                request.changing { operation in
                    guard case .delete(let entity, var keys) = operation, keys.count > 32 else { return nil }
                    keys.remove(at: 32)
                    return .delete(entity: entity, keys: keys)
                }
            }),
        Mutant(
            "keys-lost-beyond-999", "A delete removes 999 records at most.", killedBy: "WRT-016",
            requesting: { request in
                request.changing { operation in
                    guard case .delete(let entity, let keys) = operation, keys.count > 999 else { return nil }
                    return .delete(entity: entity, keys: Array(keys.prefix(999)))
                }
            }),
        Mutant(
            "row-lost-in-update-of-128", "An update of 128 rows and more leaves its 128th as it was.",
            killedBy: "WRT-016",
            requesting: { request in
                request.changing { operation in
                    guard case .put(_, _, .update) = operation else { return nil }
                    return operation.changingRows { rows in
                        guard rows.count >= 128 else { return rows }
                        return Array(rows[..<127] + rows[128...])
                    }
                }
            }),
        Mutant(
            "operation-lost-at-1000", "Of more than 1,000 operations the 1,001st is lost.", killedBy: "WRT-017",
            requesting: { request in
                guard request.operations.count > 1_000 else { return nil }
                var request = request
                request.operations.remove(at: 1_000)
                return request
            }),
        Mutant(
            "operations-in-two-commits", "More than 100 operations become two commits.", killedBy: "WRT-017",
            committing: { request, base, trigger throws(StorageError) in
                guard request.operations.count > 100, request.preconditions.isEmpty else {
                    return try await base.commit(request)
                }
                trigger.fire()
                _ = try await base.commit(CommitRequest(operations: Array(request.operations[..<100])))
                return try await base.commit(CommitRequest(operations: Array(request.operations[100...])))
            }),
        Mutant(
            "get-in-key-order", "Records read by key come in key order.", killedBy: "WRT-018",
            fetching: { request, rows in
                rows.sorted { ValueOrder.compare($0.cells[0], $1.cells[0]) == .ascending }
            }),
        Mutant(
            "get-leaves-out-missing", "Missing records are left out.", killedBy: "WRT-018",
            fetching: { _, rows in rows.filter { $0.version > 0 } }),
        Mutant(
            "get-leaves-out-repeated", "A key asked for twice comes once.", killedBy: "WRT-018",
            fetching: { request, rows in
                var seen: Set<RecordKey> = []
                return zip(request.keys, rows).filter { seen.insert($0.0).inserted }.map(\.1)
            }),
        Mutant(
            "get-second-of-repeated-is-missing", "A key asked for twice is missing the second time.",
            killedBy: "WRT-018",
            fetching: { request, rows in
                var seen: Set<RecordKey> = []
                return zip(request.keys, rows).map { key, row in
                    seen.insert(key).inserted ? row : StoredRow(row.cells.map { _ in .null }, version: 0)
                }
            }),
        Mutant(
            "get-loses-65th", "Of more than 64 keys the 65th is missing.", killedBy: "WRT-018",
            fetching: { _, rows in
                guard rows.count > 64 else { return rows }
                var rows = rows
                rows[64] = StoredRow(rows[64].cells.map { _ in .null }, version: 0)
                return rows
            }),
        Mutant(
            "get-loses-1000th", "Of 1,000 keys and more the 1,000th is missing.", killedBy: "WRT-018",
            fetching: { _, rows in
                guard rows.count >= 1_000 else { return rows }
                var rows = rows
                rows[999] = StoredRow(rows[999].cells.map { _ in .null }, version: 0)
                return rows
            }),
        Mutant(
            "missing-record-has-version", "A missing record comes with the version of the one before.",
            killedBy: "WRT-018",
            fetching: { _, rows in
                rows.indices.map { index in
                    rows[index].version == 0 && index > 0
                        ? StoredRow(rows[index].cells, version: rows[index - 1].version) : rows[index]
                }
            }),
    ]
}

extension CommitRequest {
    /// The same without one row of puts of at least `count` rows; `nil` if there is none.
    fileprivate func losingRow(_ index: Int, fromPutsOf count: Int) -> CommitRequest? {
        changing { operation in
            operation.changingRows { rows in
                guard rows.count >= count else { return rows }
                return Array(rows[..<index] + rows[(index + 1)...])
            }
        }
    }
}

/// The rows that records had before they were last written, by key.
final class FormerRows: Sendable {
    private let rows = Mutex<[Value: Value]>([:])

    func keep(_ records: [StoredRow]) {
        rows.withLock { rows in
            for record in records { rows[record.cells[0]] = record.cells[1] }
        }
    }

    func value(of key: Value) -> Value? { rows.withLock { $0[key] } }
}

import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of the steps of a commit, its wholeness, versions and receipts.
    static let orderOfWrites: [Mutant] = [
        Mutant(
            "deletes-run-first", "The deletes of a commit run before its puts.", killedBy: "WRT-009",
            requesting: { request in
                let deletes = request.operations.filter { if case .delete = $0 { true } else { false } }
                let others = request.operations.filter { if case .delete = $0 { false } else { true } }
                guard !deletes.isEmpty, !others.isEmpty, case .put? = request.operations.first else { return nil }
                var request = request
                request.operations = deletes + others
                return request
            }),
        Mutant(
            "first-row-of-a-key-wins", "Of several rows of one key in a put, the first one stays.", killedBy: "WRT-009",
            requesting: { request in
                request.changing { operation in
                    operation.changingRows { rows in
                        guard rows.count == 2, rows[0][0] == rows[1][0] else { return rows }
                        return [rows[1], rows[0]]
                    }
                }
            }),
        Mutant(
            "equal-keys-merged", "Several rows of one key in a put count once.", killedBy: "WRT-009",
            acknowledging: { request, receipt in
                var receipt = receipt
                for case .put(_, let rows, _) in request.operations {
                    let keys = (0..<rows.rowCount).map { RecordKey([rows[$0, 0]]) }
                    receipt.putCount -= keys.count - Set(keys).count
                }
                return receipt
            }),
        Mutant(
            "inserts-see-state-before-commit", "An insert fails if the commit itself deleted the record before.",
            killedBy: "WRT-009",
            committing: { request, base, trigger throws(StorageError) in
                var deleted: Set<RecordKey> = []
                for (index, operation) in request.operations.enumerated() {
                    if case .delete(_, let keys) = operation { deleted.formUnion(keys) }
                    guard case .put(_, let rows, .insert) = operation else { continue }
                    if (0..<rows.rowCount).contains(where: { deleted.contains(RecordKey([rows[$0, 0]])) }) {
                        trigger.fire()
                        throw StorageError(.preconditionFailed, "The record exists.", position: .operation(index))
                    }
                }
                return try await base.commit(request)
            }),
        Mutant(
            "clear-runs-last", "A clear takes along what the commit puts after it.", killedBy: "WRT-009",
            requesting: { request in
                guard case .clear(let entity)? = request.operations.first, request.operations.count == 2,
                    case .put(entity, _, .insert) = request.operations[1]
                else { return nil }
                var request = request
                request.operations = [request.operations[1].asUpsert, request.operations[0]]
                return request
            }),
        Mutant(
            "batch-not-atomic", "The operations before the failed one stay.", killedBy: "WRT-010",
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    if case .operation(let index)? = error.position, index > 0 {
                        trigger.fire()
                        _ = try await base.commit(CommitRequest(operations: Array(request.operations[..<index])))
                    }
                    throw error
                }
            }),
        Mutant(
            "failed-put-leaves-first-rows", "The rows of a put before the failed one stay.", killedBy: "WRT-010",
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    if case .operation(let index)? = error.position,
                        case .put(let entity, let rows, .insert) = request.operations[index]
                    {
                        trigger.fire()
                        let first = RowBuffer(row: Array(rows[0]))
                        _ = try await base.commit(
                            CommitRequest(operations: [.put(entity: entity, rows: first, mode: .upsert)]))
                    }
                    throw error
                }
            }),
        Mutant(
            "clear-not-rolled-back", "A clear stays although a later operation failed.", killedBy: "WRT-010",
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    guard case .operation(let index)? = error.position else { throw error }
                    for operation in request.operations[..<index] {
                        guard case .clear = operation else { continue }
                        trigger.fire()
                        _ = try await base.commit(CommitRequest(operations: [operation]))
                    }
                    throw error
                }
            }),
        Mutant(
            "failure-applies-rest", "The operations after the failed one are applied.", killedBy: "WRT-010",
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    if case .operation(let index)? = error.position, index + 1 < request.operations.count {
                        let rest = Array(request.operations[(index + 1)...])
                        if (try? await base.commit(CommitRequest(operations: rest))) != nil { trigger.fire() }
                    }
                    throw error
                }
            }),
        Mutant(
            "version-kept-by-replacement", "A replaced record reads with version 1.", killedBy: "WRT-011",
            fetching: { _, rows in rows.map { StoredRow($0.cells, version: min($0.version, 1)) } }),
        Mutant(
            "version-of-query-is-of-store", "A query delivers the sequence of the snapshot as version.",
            killedBy: "WRT-011"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    var scan = try await snapshot.query(query)
                    let rows = try await scan.drain()
                    if rows.contains(where: { $0.version != snapshot.sequence }) { trigger.fire() }
                    return RowsScan(
                        rows: rows.map { StoredRow($0.cells, version: snapshot.sequence) },
                        columnCount: query.projection.count)
                }
            }
        },
        Mutant(
            "sorted-query-versions-mixed-up", "A sorted query delivers versions in ascending order.",
            killedBy: "WRT-011",
            delivering: { query, rows in
                guard !query.isKeyOrder else { return rows }
                return zip(rows, rows.map(\.version).sorted()).map { StoredRow($0.cells, version: $1) }
            }),
        Mutant(
            "version-off-after-delete", "A commit that also deletes leaves a version one less.", killedBy: "WRT-011",
            acknowledging: { request, receipt in
                var receipt = receipt
                if receipt.deletedCount > 0, receipt.putCount > 0 { receipt.sequence += 1 }
                return receipt
            }),
        Mutant(
            "sequence-starts-again", "Receipts count from 1 again with every opening.", killedBy: "WRT-012"
        ) { base, trigger in
            let start = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    var receipt = try await base.commit(request)
                    if start.current == 0, receipt.sequence > 5 { start.set(Int(receipt.sequence) - 1) }
                    if start.current > 0 {
                        trigger.fire()
                        receipt.sequence -= UInt64(start.current)
                    }
                    return receipt
                }
            }
        },
        Mutant(
            "empty-commit-counts", "A commit without operations has the next sequence.", killedBy: "WRT-012",
            acknowledging: { request, receipt in
                var receipt = receipt
                if request.operations.isEmpty { receipt.sequence += 1 }
                return receipt
            }),
        Mutant(
            "deletes-keep-sequence", "A commit of deletes has the sequence of the one before.", killedBy: "WRT-012",
            acknowledging: { request, receipt in
                var receipt = receipt
                if receipt.putCount == 0, receipt.deletedCount > 0 { receipt.sequence -= 1 }
                return receipt
            }),
        Mutant(
            "empty-commit-returns-zero", "A commit without operations returns sequence 0.", killedBy: "WRT-012",
            acknowledging: { request, receipt in
                request.operations.isEmpty ? CommitReceipt(sequence: 0) : receipt
            }),
        Mutant(
            "identical-row-skipped", "A row that is stored already is not written.", killedBy: "WRT-013",
            committing: { request, base, trigger throws(StorageError) in
                guard request.operations.count == 1, case .put(let entity, let rows, _) = request.operations[0],
                    rows.rowCount == 1
                else { return try await base.commit(request) }
                var stored = RowBuffer()
                try await base.get(GetRequest(entity, keys: [RecordKey([rows[0, 0]])]), into: &stored)
                guard stored[0] == rows[0] else { return try await base.commit(request) }
                trigger.fire()
                var receipt = try await base.commit(CommitRequest(operations: [.delete(entity: entity, keys: [])]))
                receipt.putCount = 1
                return receipt
            }),
        Mutant(
            "identical-row-uncounted", "An update with the stored row counts as nothing put.", killedBy: "WRT-013",
            committing: { request, base, trigger throws(StorageError) in
                guard request.operations.count == 1, case .put(let entity, let rows, .update) = request.operations[0],
                    rows.rowCount == 1
                else { return try await base.commit(request) }
                var stored = RowBuffer()
                try await base.get(GetRequest(entity, keys: [RecordKey([rows[0, 0]])]), into: &stored)
                var receipt = try await base.commit(request)
                if stored[0] == rows[0] {
                    trigger.fire()
                    receipt.putCount = 0
                }
                return receipt
            }),
        Mutant(
            "index-keeps-old-entries", "A query by index finds records by their former value, too.", killedBy: "WRT-014"
        ) { base, trigger in
            let old = FormerRows()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    guard request.operations.contains(where: { $0.entity == "Indexed" }) else {
                        return try await base.commit(request)
                    }
                    let snapshot = try await base.snapshot()
                    let before = try await snapshot.allRecords(of: "Indexed")
                    await snapshot.close()
                    let receipt = try await base.commit(request)
                    old.keep(before)
                    return receipt
                }
                hooks.querying = { query, snapshot throws(StorageError) in
                    var scan = try await snapshot.query(query)
                    let rows = try await scan.drain()
                    guard case .compare(1, .equal, let value) = query.predicate else {
                        return RowsScan(rows: rows, columnCount: query.projection.count)
                    }
                    let keys = Set(rows.map { $0.cells[0] })
                    let ghosts = try await snapshot.allRecords(of: "Indexed").filter { record in
                        !keys.contains(record.cells[0]) && old.value(of: record.cells[0]) == value
                    }
                    if !ghosts.isEmpty { trigger.fire() }
                    return RowsScan(
                        rows: (rows + ghosts).sorted { ValueOrder.compare($0.cells[0], $1.cells[0]) == .ascending },
                        columnCount: query.projection.count)
                }
            }
        },
        Mutant(
            "index-misses-updates-to-null", "A query by index for null finds no records that once had a value.",
            killedBy: "WRT-014",
            delivering: { query, rows in
                guard query.mayUseIndex, case .compare(_, .equal, .null) = query.predicate else { return rows }
                return rows.filter { $0.version < 20 }
            }),
    ]
}

extension WriteOperation {
    /// The same put as an upsert.
    fileprivate var asUpsert: WriteOperation {
        guard case .put(let entity, let rows, _) = self else { return self }
        return .put(entity: entity, rows: rows, mode: .upsert)
    }
}

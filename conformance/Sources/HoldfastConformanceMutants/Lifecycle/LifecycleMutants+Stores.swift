import HoldfastConformance
import HoldfastStorage

extension Mutant {
    static let lifecycleOfStores: [Mutant] = [
        Mutant(
            "versions-forgotten", "After reopening every record has the version of the last commit.",
            killedBy: "LIF-007",
            rows: {
                notes, row, cells in
                let last = notes.with { $0.sequenceAtOpening }
                return StoredRow(cells, version: notes.isReopened && row.version < last ? last : row.version)
            }),
        Mutant(
            "versions-forgotten-by-key", "After reopening reads by key give every record version 1.",
            killedBy: "LIF-007",
            rows: {
                notes, row, cells in
                StoredRow(cells, version: notes.isReopened && row.path == .get ? 1 : row.version)
            }),
        Mutant(
            "sequence-restarts", "After reopening commits are counted from 1 again.", killedBy: "LIF-007",
            noting: {
                hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    var receipt = try await base.commit(request)
                    if notes.isReopened, case let start = notes.with({ $0.sequenceAtOpening }), start > 0 {
                        if receipt.sequence > start { trigger.fire() }
                        receipt.sequence -= min(receipt.sequence, start)
                    }
                    return receipt
                }
            }),
        Mutant(
            "index-stale-after-reopening", "After reopening an index finds one record too few.", killedBy: "LIF-007",
            noting: {
                hooks, notes, _, trigger in
                hooks.querying = { query, base async throws(StorageError) in
                    let scan = try await base.query(query)
                    guard notes.isReopened, case .compare(let position, _, _) = query.predicate,
                        query.entity.indexes.contains(where: { $0.fields.first == query.entity.fields[position].name })
                    else { return scan }
                    return ShortScan(base: scan, trigger: trigger)
                }
            }),
        Mutant(
            "deletions-forgotten", "After reopening nothing counts as deleted.", killedBy: "LIF-007",
            noting: {
                hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    var request = request
                    if notes.isReopened {
                        request.preconditions.removeAll { if case .unchanged = $0 { true } else { false } }
                    }
                    let isWeaker = request.preconditions.isEmpty && notes.isReopened
                    let receipt = try await base.commit(request)
                    if isWeaker { trigger.fire() }
                    return receipt
                }
            }),
        Mutant(
            "clears-forgotten", "After reopening, clearing an entity counts as no change of it.", killedBy: "LIF-007",
            noting: {
                hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    var request = request
                    if notes.isReopened {
                        request.preconditions.removeAll { precondition in
                            guard case .unchanged(let range, _) = precondition, range.entity == "Other" else {
                                return false
                            }
                            trigger.fire()
                            return true
                        }
                    }
                    return try await base.commit(request)
                }
            }),
        Mutant(
            "deleted-records-return", "What was deleted is back after reopening.", killedBy: "LIF-007",
            noting: {
                hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    for case .delete(let entity, let keys) in request.operations {
                        var rows = RowBuffer()
                        try await base.get(GetRequest(entity, keys: keys), into: &rows)
                        let kept = rows.storedRows.filter { $0.version > 0 }.map(\.cells)
                        notes.with { $0.rows[entity, default: []] += kept }
                    }
                    return try await base.commit(request)
                }
                hooks.opening = { request, base async throws(StorageError) in
                    try await notes.open(request, base)
                    let kept = notes.with { $0.rows }
                    guard !kept.isEmpty else { return }
                    trigger.fire()
                    _ = try await base.commit(
                        CommitRequest(
                            operations: kept.map {
                                .put(entity: $0.key, rows: RowBuffer(rows: $0.value), mode: .upsert)
                            }))
                }
            }),
        Mutant("sequence-begins-with-one", "A new store has sequence 1.", killedBy: "LIF-008") { base, trigger in
            HookedAdapter(base) {
                $0.opening = { request, base async throws(StorageError) in
                    try await base.open(request)
                    let snapshot = try await base.snapshot()
                    let isNew = snapshot.sequence == 0
                    await snapshot.close()
                    guard isNew, let entity = request.schema.entities.first?.name else { return }
                    trigger.fire()
                    _ = try await base.commit(CommitRequest(operations: [.clear(entity: entity)]))
                }
            }
        },
        Mutant(
            "empty-commits-count-in-new-stores", "An empty commit to a new store has sequence 1.", killedBy: "LIF-008"
        ) {
            base, trigger in
            HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    var receipt = try await base.commit(request)
                    if receipt.sequence == 0 {
                        trigger.fire()
                        receipt.sequence = 1
                    }
                    return receipt
                }
            }
        },
        opening("seventh-opening-empties", "The seventh opening empties the store.", { $0 == 7 }, keeping: 0),
        opening("thirty-third-opening-forgets", "The 33rd opening loses the last record.", { $0 == 33 }, keeping: -1),
        Mutant(
            "closing-closes-all", "Closing a handle closes all of the store.", killedBy: "LIF-010",
            noting: {
                hooks, notes, _, trigger in
                hooks.closing = { base async throws(StorageError) in
                    notes.with { $0.isClosing = true }
                    try await base.close()
                }
                hooks.committing = { request, base async throws(StorageError) in
                    if notes.with({ $0.isClosing && $0.openHandleCount > 1 }) {
                        trigger.fire()
                        throw StorageError(.closed, "The store is closed.")
                    }
                    return try await base.commit(request)
                }
            }),
        Mutant(
            "closing-ends-scans-of-others", "Closing a handle ends the scans of the others.", killedBy: "LIF-010",
            noting: {
                hooks, notes, _, trigger in
                hooks.closing = { base async throws(StorageError) in
                    notes.with { $0.isClosing = true }
                    try await base.close()
                }
                hooks.querying = { query, base async throws(StorageError) in
                    CutScan(base: try await base.query(query), columnCount: query.projection.count) {
                        if !notes.with({ $0.isClosing && $0.openHandleCount > 1 }) { return false }
                        trigger.fire()
                        return true
                    }
                }
            }),
    ]

    private static func opening(
        _ id: String, _ summary: String, _ isDue: @escaping @Sendable (Int) -> Bool, keeping count: Int
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: "LIF-009",
            noting: { hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    try await notes.open(request, base)
                    guard isDue(notes.with { $0.openingCount }) else { return }
                    let rows = try await rows(of: "Entry", base)
                    let lost = count < 0 ? rows.suffix(-count) : rows.dropFirst(count)
                    trigger.fire()
                    let keys = lost.map { RecordKey([$0.cells[0]]) }
                    _ = try await base.commit(CommitRequest(operations: [.delete(entity: "Entry", keys: keys)]))
                }
            })
    }
}

/// A scan that ends when something says so.
private struct CutScan: AdapterScan {
    var base: any AdapterScan
    let columnCount: Int
    let isOver: @Sendable () -> Bool

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        if isOver() { return rows.reset(columnCount: columnCount) }
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
    }

    mutating func close() async { await base.close() }
}

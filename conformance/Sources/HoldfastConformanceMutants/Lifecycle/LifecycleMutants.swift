import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `LIF` must find.
    static let lifecycle: [Mutant] =
        lifecycleOfHandles + lifecycleOfStores + lifecycleOfLocations
        + lifecycleOfClosing + lifecycleOfBackups

    private static let lifecycleOfHandles: [Mutant] = [
        Mutant(
            "second-opening-accepted", "Opening an open handle does nothing.", killedBy: "LIF-001",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        try await notes.open(request, base)
                    } catch {
                        guard error.kind == .misuse else { throw error }
                        trigger.fire()
                    }
                }
            }),
        Mutant(
            "second-opening-empties", "Opening an open handle is refused, but has emptied it.", killedBy: "LIF-001",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        try await notes.open(request, base)
                    } catch {
                        if error.kind == .misuse {
                            trigger.fire()
                            _ = try await base.commit(CommitRequest(operations: [.clear(entity: "Entry")]))
                        }
                        throw error
                    }
                }
            }),
        Mutant(
            "commits-before-opening", "A commit before opening is acknowledged.", killedBy: "LIF-002",
            noting: {
                hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    guard notes.with({ $0.openingCount }) == 0 else { return try await base.commit(request) }
                    trigger.fire()
                    return CommitReceipt(sequence: 1, putCount: 1)
                }
            }),
        Mutant(
            "empty-commits-before-opening", "An empty commit before opening succeeds.", killedBy: "LIF-002",
            noting: {
                hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    guard notes.with({ $0.openingCount }) == 0 && request.operations.isEmpty else {
                        return try await base.commit(request)
                    }
                    trigger.fire()
                    return CommitReceipt(sequence: 0)
                }
            }),
        Mutant(
            "second-close-throws", "The second close fails.", killedBy: "LIF-003",
            noting: { hooks, notes, _, trigger in
                hooks.closing = { base async throws(StorageError) in
                    let isAgain = notes.with { notes in
                        defer { notes.count += 1 }
                        return notes.count > 0
                    }
                    if isAgain {
                        trigger.fire()
                        throw StorageError(.closed, "The store is closed.")
                    }
                    try await base.close()
                }
            }),
        Mutant(
            "fourth-close-fails", "The fourth close fails.", killedBy: "LIF-003",
            noting: { hooks, notes, _, trigger in
                hooks.closing = { base async throws(StorageError) in
                    let number = notes.with { notes in
                        notes.count += 1
                        return notes.count
                    }
                    if number == 4 {
                        trigger.fire()
                        throw StorageError(.misuse, "The store is closed.")
                    }
                    try await base.close()
                }
            }),
        afterClosing("scans-end-with-the-store", "A scan of a closed store ends instead of failing.", .scan),
        afterClosing("sorted-scans-end-with-the-store", "A sorted scan of a closed store ends.", .sortedScan),
        afterClosing("counts-of-a-closed-store", "Aggregates of a closed store are those of no records.", .aggregates),
        afterClosing("reads-of-a-closed-store", "A record of a closed store is absent.", .get),
        afterClosing("empty-commits-of-a-closed-store", "An empty commit to a closed store succeeds.", .emptyCommit),
        afterClosing("large-commits-of-a-closed-store", "A large commit to a closed store is queued.", .largeCommit),
        afterClosing("closed-store-is-misuse", "A commit to a closed store is called misuse.", .kind),
        Mutant(
            "closing-drops-commits", "Commits made while the store closes are acknowledged and dropped.",
            killedBy: "LIF-005",
            noting: { hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    guard notes.with({ $0.isClosing }) else { return try await base.commit(request) }
                    trigger.fire()
                    return CommitReceipt(sequence: 1, putCount: 1)
                }
                hooks.closing = slowClosing(notes)
            }),
        Mutant(
            "closing-denies-commits", "Commits made while the store closes are made and called failed.",
            killedBy: "LIF-005",
            noting: { hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    let receipt = try await base.commit(request)
                    if notes.with({ $0.isClosing }) {
                        trigger.fire()
                        throw StorageError(.closed, "The store is closed.")
                    }
                    return receipt
                }
                hooks.closing = slowClosing(notes)
            }),
        Mutant(
            "dropped-handles-lock", "A handle that is dropped keeps the store locked.", killedBy: "LIF-006",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    if notes.with({ $0.openHandleCount }) > 0 {
                        trigger.fire()
                        throw StorageError(.locked, "Another handle has the store.")
                    }
                    try await notes.open(request, base)
                }
                hooks.closing = { base async throws(StorageError) in
                    notes.with { $0.openHandleCount = 0 }
                    try await base.close()
                }
            }),
        Mutant(
            "dropped-handles-forget", "What was written last before a handle was dropped is undone.",
            killedBy: "LIF-006",
            noting: { hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    let wasDropped = notes.with { $0.openHandleCount } > 0
                    try await notes.open(request, base)
                    guard wasDropped else { return }
                    let rows = try await rows(of: "Entry", base)
                    guard let last = rows.last else { return }
                    trigger.fire()
                    _ = try await base.commit(
                        CommitRequest(operations: [.delete(entity: "Entry", keys: [RecordKey([last.cells[0]])])]))
                }
                hooks.closing = { base async throws(StorageError) in
                    notes.with { $0.openHandleCount = 0 }
                    try await base.close()
                }
            }),
    ]

    static func slowClosing(_ notes: SharedHandleState)
        -> @Sendable (any StorageAdapter) async throws(StorageError) -> Void
    {
        { base async throws(StorageError) in
            notes.with { $0.isClosing = true }
            // Long enough for others to come in between.
            try? await Task.sleep(for: .milliseconds(10))
            try await base.close()
        }
    }

    /// All records of an entity, as last committed.
    static func rows(of entity: String, _ base: any StorageAdapter) async throws(StorageError) -> [StoredRow] {
        let snapshot = try await base.snapshot()
        var scan = try await snapshot.scan(KeyRange(entity))
        var rows = RowBuffer()
        var result: [StoredRow] = []
        repeat {
            try await scan.next(maximumRowCount: 256, into: &rows)
            result += rows.storedRows
        } while !rows.isEmpty
        await scan.close()
        await snapshot.close()
        return result
    }

    private enum AfterClosing { case scan, sortedScan, aggregates, get, emptyCommit, largeCommit, kind }

    private static func afterClosing(_ id: String, _ summary: String, _ call: AfterClosing) -> Mutant {
        Mutant(id, summary, killedBy: "LIF-004") { base, trigger in
            HookedAdapter(base) { hooks in
                switch call {
                case .scan, .sortedScan:
                    hooks.querying = { query, base async throws(StorageError) in
                        let scan = try await base.query(query)
                        guard query.isKeyOrder == (call == .scan) else { return scan }
                        return StoppedScan(base: scan, columnCount: query.projection.count, trigger: trigger)
                    }
                case .aggregates:
                    hooks.aggregating = { aggregate, base async throws(StorageError) in
                        do throws(StorageError) {
                            return try await base.aggregate(aggregate)
                        } catch {
                            guard error.kind == .closed else { throw error }
                            trigger.fire()
                            return aggregate.functions.map { _ in .integer(0) }
                        }
                    }
                case .get:
                    hooks.getting = { request, base async throws(StorageError) in
                        var rows = RowBuffer()
                        do throws(StorageError) {
                            try await base.get(request, into: &rows)
                        } catch {
                            guard error.kind == .closed else { throw error }
                            trigger.fire()
                            rows.reset(columnCount: 3)
                            for _ in request.keys { rows.appendAbsentRow() }
                        }
                        return rows
                    }
                case .emptyCommit, .largeCommit, .kind:
                    hooks.committing = { request, base async throws(StorageError) in
                        var count = 0
                        for case .put(_, let rows, _) in request.operations { count += rows.rowCount }
                        do throws(StorageError) {
                            return try await base.commit(request)
                        } catch {
                            guard error.kind == .closed else { throw error }
                            switch call {
                            case .emptyCommit where request.operations.isEmpty && request.preconditions.isEmpty,
                                .largeCommit where count > 500:
                                trigger.fire()
                                return CommitReceipt(sequence: 1, putCount: count)
                            case .kind:
                                trigger.fire()
                                throw StorageError(.misuse, error.message)
                            default: throw error
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A scan that takes the closing of the store for its end.
private struct StoppedScan: AdapterScan {
    var base: any AdapterScan
    let columnCount: Int
    let trigger: MutantTrigger

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        do throws(StorageError) {
            try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        } catch {
            guard error.kind == .closed else { throw error }
            trigger.fire()
            rows.reset(columnCount: columnCount)
        }
    }

    mutating func close() async { await base.close() }
}

import Foundation
import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `CAN` must find.
    static let cancellation: [Mutant] = [
        Mutant(
            "cancelled-but-applied", "A commit in a cancelled task is applied and reported as cancelled.",
            killedBy: "CAN-001",
            committing: { request, base, trigger throws(StorageError) in
                guard Task.isCancelled else { return try await base.commit(request) }
                trigger.fire()
                let work = Task.detached { () -> Result<CommitReceipt, StorageError> in
                    do throws(StorageError) { return .success(try await base.commit(request)) } catch {
                        return .failure(error)
                    }
                }
                _ = try await work.value.get()
                throw StorageError(.cancelled, "The task was cancelled.")
            }),
        Mutant(
            "cancelled-is-io", "A commit in a cancelled task fails with an I/O error.", killedBy: "CAN-001",
            committing: { request, base, trigger throws(StorageError) in
                guard Task.isCancelled else { return try await base.commit(request) }
                trigger.fire()
                throw StorageError(.io, "interrupted")
            }),
        Mutant(
            "cancelled-but-acknowledged", "A commit in a cancelled task is acknowledged and not applied.",
            killedBy: "CAN-001",
            committing: { request, base, trigger throws(StorageError) in
                guard Task.isCancelled else { return try await base.commit(request) }
                trigger.fire()
                return CommitReceipt(sequence: 1, putCount: 1)
            }),
        Mutant(
            "cancelled-half-way", "A commit cancelled in progress leaves its first operation.", killedBy: "CAN-002",
            committing: { request, base, trigger throws(StorageError) in
                guard request.operations.count == 2 else { return try await base.commit(request) }
                _ = try await base.commit(CommitRequest(operations: [request.operations[0]]))
                try? await Task.sleep(for: .microseconds(300))
                if Task.isCancelled {
                    trigger.fire()
                    throw StorageError(.cancelled, "The task was cancelled.")
                }
                return try await base.commit(CommitRequest(operations: [request.operations[1]]))
            }),
        Mutant(
            "cancelled-after-commit", "A commit cancelled while in progress is stored, but reported as cancelled.",
            killedBy: "CAN-002",
            committing: { request, base, trigger throws(StorageError) in
                let receipt = try await base.commit(request)
                try? await Task.sleep(for: .microseconds(500))
                if Task.isCancelled {
                    trigger.fire()
                    throw StorageError(.cancelled, "The task was cancelled.")
                }
                return receipt
            }),
        Mutant(
            "cancelled-read-ends-early", "A read of a cancelled task ends as if there were no more rows.",
            killedBy: "CAN-003"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    CancelledScan(base: try await snapshot.query(query), trigger: trigger)
                }
            }
        },
        Mutant(
            "cancelled-read-closes-snapshot", "An aggregate of a task that was cancelled ends its snapshot.",
            killedBy: "CAN-003"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    try? await Task.sleep(for: .milliseconds(1))
                    if Task.isCancelled {
                        trigger.fire()
                        await snapshot.close()
                    }
                    return try await snapshot.aggregate(aggregate)
                }
            }
        },
        Mutant(
            "cancelled-count-is-partial", "An aggregate of a task that is cancelled is of the records read so far.",
            killedBy: "CAN-003"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    let values = try await snapshot.aggregate(aggregate)
                    try? await Task.sleep(for: .milliseconds(1))
                    guard Task.isCancelled else { return values }
                    trigger.fire()
                    return values.map { $0 == .integer(1_500) ? .integer(700) : $0 }
                }
            }
        },
        Mutant(
            "cancelled-with-neighbor", "A commit that waits while another is cancelled is cancelled, too.",
            killedBy: "CAN-004"
        ) { base, trigger in
            let cancelled = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    await Task.yield()
                    if Task.isCancelled { cancelled.set(1) }
                    if !Task.isCancelled, cancelled.current == 1 {
                        cancelled.set(0)
                        trigger.fire()
                        throw StorageError(.cancelled, "The task was cancelled.")
                    }
                    return try await base.commit(request)
                }
            }
        },
        Mutant("commit-blocks-caller", "A large commit works on its caller's thread.", killedBy: "CAN-005") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    if request.writtenCount > 10_000 { Self.block(trigger) }
                    return try await base.commit(request)
                }
            }
        },
        Mutant("sort-blocks-caller", "A sort works on its caller's thread.", killedBy: "CAN-005") { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    if query.firstSortPosition != nil { Self.block(trigger) }
                    return try await snapshot.query(query)
                }
            }
        },
        Mutant("aggregates-block-caller", "Aggregates are computed on the caller's thread.", killedBy: "CAN-005") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    Self.block(trigger)
                    return try await snapshot.aggregate(aggregate)
                }
            }
        },
        Mutant(
            "caller-blocks-for-ever", "Aggregates wait on the caller's thread for what never comes.",
            killedBy: "CAN-005"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    trigger.hang()
                    Self.blockForever()
                    return try await snapshot.aggregate(aggregate)
                }
            }
        },
    ]

    private static func blockForever() { while true { Thread.sleep(forTimeInterval: 3_600) } }

    /// Keeps the thread busy, as long work does, for longer than a check forgives, however busy the machine is.
    private static func block(_ trigger: MutantTrigger) {
        trigger.fire()
        let heartbeat = Heartbeat()
        defer { heartbeat.stop() }
        while heartbeat.count < 1_200 {}
    }
}

/// A scan that ends when its task is cancelled.
private struct CancelledScan: AdapterScan {
    var base: any AdapterScan
    let trigger: MutantTrigger

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        do throws(StorageError) {
            try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        } catch {
            guard error.kind == .cancelled else { throw error }
        }
        // Waits, so that there is something to cancel.
        try? await Task.sleep(for: .microseconds(200))
        if Task.isCancelled {
            trigger.fire()
            rows.reset(columnCount: rows.columnCount)
        }
    }

    mutating func close() async { await base.close() }
}

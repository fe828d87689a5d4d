import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `CRS` must find.
    static let crash: [Mutant] = [
        Mutant("acknowledges-early", "Commits are acknowledged first and made eight at a time.", killedBy: "CRS-001") {
            base, trigger in late(base, trigger, batch: 8)
        },
        Mutant("acknowledges-next", "A commit is made when the next one comes, or at the end.", killedBy: "CRS-001") {
            base, trigger in late(base, trigger, batch: 1)
        },
        Mutant("written-on-close", "Nothing is written before the store is closed.", killedBy: "CRS-002") {
            base, trigger in late(base, trigger, batch: .max)
        },
        Mutant("halves-of-commits", "A commit of several steps is made in two.", killedBy: "CRS-001") { base, trigger in
            HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    guard request.operations.count > 1 else { return try await base.commit(request) }
                    trigger.fire()
                    var (first, second) = (request, request)
                    first.operations.removeLast()
                    second.operations = [request.operations[request.operations.count - 1]]
                    second.preconditions = []
                    _ = try await base.commit(first)
                    // Much longer than the halves, so that a child is killed between the two.
                    try? await Task.sleep(for: .milliseconds(20))
                    return try await base.commit(second)
                }
            }
        },
        Mutant("close-forgets", "What was written last before closing is undone by it.", killedBy: "CRS-004") {
            base, trigger in
            HookedAdapter(base) {
                $0.closing = { base async throws(StorageError) in
                    trigger.fire()
                    _ = try? await base.commit(
                        CommitRequest(operations: [.delete(entity: "Head", keys: [RecordKey("head")])]))
                    try await base.close()
                }
            }
        },
    ]

    /// An adapter that keeps acknowledged commits in memory for a while.
    ///
    /// Reads make what is kept first, so that it is not noticed before the process dies.
    private static func late(_ base: any StorageAdapter, _ trigger: MutantTrigger, batch: Int) -> any StorageAdapter {
        let kept = LateCommits()
        return HookedAdapter(base) {
            $0.committing = { request, base async throws(StorageError) in
                if batch == .max || kept.count < batch {
                    trigger.fire()
                    kept.add(request)
                    return CommitReceipt(sequence: 1, putCount: 1)
                }
                try await kept.make(in: base)
                kept.add(request)
                return CommitReceipt(sequence: 1, putCount: 1)
            }
            $0.snapshotting = { base async throws(StorageError) in
                try await kept.make(in: base)
                return try await base.snapshot()
            }
            $0.closing = { base async throws(StorageError) in
                try await kept.make(in: base)
                try await base.close()
            }
        }
    }
}

/// Commits that were acknowledged and not made yet.
private final class LateCommits: Sendable {
    private let requests = Mutex<[CommitRequest]>([])

    var count: Int { requests.withLock(\.count) }

    func add(_ request: CommitRequest) { requests.withLock { $0.append(request) } }

    func make(in base: any StorageAdapter) async throws(StorageError) {
        let waiting = requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
        for request in waiting { _ = try await base.commit(request) }
    }
}

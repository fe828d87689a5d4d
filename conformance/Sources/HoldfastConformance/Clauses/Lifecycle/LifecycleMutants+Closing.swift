import HoldfastStorage

extension Mutant {
    /// Mutants of closing while others are at work.
    static let lifecycleOfClosing: [Mutant] = [
        Mutant("closing-returns-early", "Closing returns while commits are under way.", killedBy: "LIF-024") {
            base, trigger in
            let commits = MutantCounter()
            return HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    _ = commits.next()
                    // Not even begun when the handle is closed.
                    for _ in 0..<200 { await Task.yield() }
                    return try await base.commit(request)
                }
                $0.closing = { base async throws(StorageError) in
                    guard commits.current > 0 else { return try await base.close() }
                    trigger.fire()
                    Task.detached {
                        for _ in 0..<2_000 { await Task.yield() }
                        try? await base.close()
                    }
                }
            }
        }
    ]
}

import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of several feeds at once.
    static let feedsAtOnce: [Mutant] = [
        Mutant("feeds-share-a-stream", "Only one feed reports a commit.", killedBy: "FED-017") { base, trigger in
            let delivered = Mutex<Set<UInt64>>([])
            return HookedAdapter(base) {
                $0.feeding = { sequence, base async throws(StorageError) in
                    AlteredFeed(base: try await base.changes(after: sequence)) { element in
                        guard case .commits(let commits) = element else { return element }
                        let new = delivered.withLock { delivered in
                            commits.filter { delivered.insert($0.sequence).inserted }
                        }
                        if new.count < commits.count { trigger.hang() }
                        return new.isEmpty ? nil : .commits(new)
                    }
                }
            }
        }
    ]
}

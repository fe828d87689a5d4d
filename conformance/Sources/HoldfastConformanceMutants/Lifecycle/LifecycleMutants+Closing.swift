import HoldfastConformance
import HoldfastStorage

extension Mutant {
    static let lifecycleOfClosing: [Mutant] = [
        Mutant(
            "close-returns-early", "Closing returns while calls are in progress, and the lock stays a little longer.",
            killedBy: "LIF-020",
            wrapLocation: { location, trigger in
                let (begun, ended, early) = (Counter(), Counter(), Counter())
                return MutantLocation(base: location) {
                    HookedAdapter(try location.makeAdapter()) {
                        $0.opening = { request, base async throws(StorageError) in
                            if early.current > 0 {
                                early.set(0)
                                trigger.fire()
                                throw StorageError(.locked, "Another handle has the store open.")
                            }
                            try await base.open(request)
                        }
                        $0.committing = { request, base async throws(StorageError) in
                            _ = begun.next()
                            defer { _ = ended.next() }
                            return try await base.commit(request)
                        }
                        $0.closing = { base async throws(StorageError) in
                            if begun.current > ended.current { early.set(1) }
                            try await base.close()
                        }
                    }
                }
            })
    ]
}

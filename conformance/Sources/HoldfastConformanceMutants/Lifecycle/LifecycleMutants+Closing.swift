import HoldfastConformance
import HoldfastStorage

extension Mutant {
    static let lifecycleOfClosing: [Mutant] = [
        closing(
            "close-returns-early", "Closing returns while calls are in progress, and the lock stays a little longer."
        ) { hooks, early in
            let (begun, ended) = (Counter(), Counter())
            hooks.committing = { request, base async throws(StorageError) in
                _ = begun.next()
                defer { _ = ended.next() }
                return try await base.commit(request)
            }
            hooks.closing = { base async throws(StorageError) in
                if begun.current > ended.current { early.set(1) }
                try await base.close()
            }
        },
        closing("second-close-returns-at-once", "Closing returns at once while another call closes the handle.") {
            hooks, early in
            let (begun, ended) = (Counter(), Counter())
            hooks.closing = { base async throws(StorageError) in
                if begun.next() > 0 && ended.current == 0 { return early.set(1) }
                try await base.close()
                _ = ended.next()
            }
        },
    ]

    /// Creates a mutant that refuses an opening after a close that returned early.
    ///
    /// `replace` sets the hooks of each handle; `early` is to be set to 1 by a close that returns early.
    private static func closing(
        _ id: String, _ summary: String,
        _ replace: @escaping @Sendable (inout HookedAdapter, _ early: Counter) -> Void
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: "LIF-020",
            wrapLocation: { location, trigger in
                let early = Counter()
                return MutantLocation(base: location) {
                    HookedAdapter(try location.makeAdapter()) { hooks in
                        hooks.opening = { request, base async throws(StorageError) in
                            if early.current > 0 {
                                early.set(0)
                                trigger.fire()
                                throw StorageError(.locked, "Another handle has the store open.")
                            }
                            try await base.open(request)
                        }
                        replace(&hooks, early)
                    }
                }
            })
    }
}

import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of processes that make a store at the same time.
    static let processesOfCreation: [Mutant] = [
        Mutant(
            "new-store-emptied", "A handle that found no store makes its tables with its first commit.",
            killedBy: "PRC-006"
        ) { base, trigger in
            let makesTables = Mutex(false)
            return HookedAdapter(base) {
                $0.opening = { request, base async throws(StorageError) in
                    try await base.open(request)
                    let isNew = try await sequence(of: base) == 0
                    makesTables.withLock { $0 = isNew }
                }
                $0.committing = { request, base async throws(StorageError) in
                    guard makesTables.withLock({ $0.exchange(false) }), let entity = request.operations.first?.entity
                    else { return try await base.commit(request) }
                    var request = request
                    request.operations.insert(.clear(entity: entity), at: 0)
                    let receipt = try await base.commit(request)
                    // Another process had written before.
                    if receipt.sequence > 1 { trigger.fire() }
                    return receipt
                }
            }
        }
    ]

    private static func sequence(of adapter: any StorageAdapter) async throws(StorageError) -> UInt64 {
        let snapshot = try await adapter.snapshot()
        let sequence = snapshot.sequence
        await snapshot.close()
        return sequence
    }
}

extension Bool {
    /// Sets another value; returns the one before.
    fileprivate mutating func exchange(_ value: Bool) -> Bool {
        defer { self = value }
        return self
    }
}

import HoldfastStorage

/// The models whose records are synchronized with a service.
final class SyncedModels: Sendable {
    /// The number of the lease under which each was synchronized.
    private let epochs = Mutex<[String: Int64]>([:])

    /// The number of the lease under which a model was synchronized; `nil` if it was not.
    func epoch(of name: String) -> Int64? { epochs.withLock { $0[name] } }

    /// Adds a model.
    ///
    /// - Returns: Whether that is new under this lease.
    func insert(_ name: String, under epoch: Int64) -> Bool {
        epochs.withLock { epochs in
            guard epoch > epochs[name] ?? .min else { return false }
            epochs[name] = epoch
            return true
        }
    }

    /// Removes all.
    ///
    /// - Returns: Those that were among them.
    func removeAll() -> Set<String> {
        epochs.withLock { epochs in
            defer { epochs = [:] }
            return Set(epochs.keys)
        }
    }
}

extension DataStore {
    /// A model's records are synchronized with the service from now on; live queries of it say so while the fence holds.
    ///
    /// If the store was cleared since the fence was taken, what was synchronized is gone, and they do not.
    package func markSynced(_ model: String, _ fence: SyncFence) {
        if synced.insert(model, under: fence.epoch) { askAgain([model]) }
    }

    /// No model's records are known to be synchronized with the service any longer.
    package func markNothingSynced() { askAgain(synced.removeAll()) }

    /// Whether a snapshot has what was synchronized under a lease.
    ///
    /// Who clears the store, here or in another process, ends the lease in the same commit.
    func isSynced(under epoch: Int64?, in snapshot: StoreSnapshot) async throws -> Bool {
        guard let epoch else { return false }
        let rows = try await snapshot.get([SyncSession.storedKey], of: SyncSession.entity)
        return SyncSession(rows[0])?.epoch == epoch
    }

    private func askAgain(_ models: Set<String>) {
        let entities = catalog.entities.filter { models.contains($0.name) }
        if !entities.isEmpty { publisher.askAgain(entities) }
    }
}

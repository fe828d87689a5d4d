import HoldfastStorage

/// The models whose records are synchronized with a service.
final class SyncedModels: Sendable {
    private struct State {
        var names: Set<String> = []
        /// What leases up to this number synchronized was cleared since.
        var clearedEpoch = Int64.min
    }

    private let state = Mutex(State())

    /// Whether a model is among them.
    func contains(_ name: String) -> Bool { state.withLock { $0.names.contains(name) } }

    /// Adds a model, unless the store was cleared after the lease under which it was synchronized began.
    ///
    /// - Returns: Whether it is new.
    func insert(_ name: String, under epoch: Int64) -> Bool {
        state.withLock { $0.clearedEpoch < epoch && $0.names.insert(name).inserted }
    }

    /// Removes all.
    ///
    /// - Parameter epoch: The number of the last lease before the store was cleared; `nil` if it was not.
    /// - Returns: Those that were among them.
    func removeAll(clearedAt epoch: Int64? = nil) -> Set<String> {
        state.withLock { state in
            if let epoch { state.clearedEpoch = max(state.clearedEpoch, epoch) }
            defer { state.names = [] }
            return state.names
        }
    }
}

extension DataStore {
    /// A model's records are synchronized with the service from now on; live queries of it say so.
    ///
    /// Does nothing if the store was cleared since the fence was taken: what was synchronized is gone then.
    package func markSynced(_ model: String, _ fence: SyncFence) {
        if synced.insert(model, under: fence.epoch) { askAgain([model]) }
    }

    /// No model's records are known to be synchronized with the service any longer.
    package func markNothingSynced() { askAgain(synced.removeAll()) }

    /// As ``markNothingSynced()``, for good for everything that was synchronized under leases up to a number.
    func markCleared(at epoch: Int64?) { askAgain(synced.removeAll(clearedAt: epoch)) }

    private func askAgain(_ models: Set<String>) {
        let entities = catalog.entities.filter { models.contains($0.name) }
        if !entities.isEmpty { publisher.askAgain(entities) }
    }
}

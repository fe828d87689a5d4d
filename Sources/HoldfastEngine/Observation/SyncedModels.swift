import HoldfastStorage

/// The models whose records are synchronized with a service.
final class SyncedModels: Sendable {
    private struct State {
        var names: Set<String> = []
        /// What leases up to this number synchronized was cleared since.
        var clearedEpoch = Int64.min
        /// How often the store is being cleared at the moment; none of the models counts as synchronized meanwhile.
        var clearCount = 0
        /// Grows whenever models may stop being synchronized.
        var period = 0
    }

    private let state = Mutex(State())

    /// A number that stays the same while a model is among them; `nil` if it is not.
    func period(of name: String) -> Int? {
        state.withLock { $0.clearCount == 0 && $0.names.contains(name) ? $0.period : nil }
    }

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
            state.period += 1
            defer { state.names = [] }
            return state.names
        }
    }

    /// The store is about to be cleared.
    func beginClearing() {
        state.withLock { state in
            state.clearCount += 1
            state.period += 1
        }
    }

    /// The store was cleared, or could not be.
    ///
    /// - Returns: Those that are synchronized all the same.
    func endClearing() -> Set<String> {
        state.withLock { state in
            state.clearCount -= 1
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

    /// Live queries may say again that what was not cleared is synchronized.
    func endClearing() { askAgain(synced.endClearing()) }

    private func askAgain(_ models: Set<String>) {
        let entities = catalog.entities.filter { models.contains($0.name) }
        if !entities.isEmpty { publisher.askAgain(entities) }
    }
}

import HoldfastStorage

/// The models whose records are synchronized with a service.
final class SyncedModels: Sendable {
    private let names = Mutex<Set<String>>([])

    /// Whether a model is among them.
    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }

    /// Replaces them.
    ///
    /// - Returns: Those that were added or left.
    func replace(_ change: (inout Set<String>) -> Void) -> Set<String> {
        names.withLock { names in
            let before = names
            change(&names)
            return before.symmetricDifference(names)
        }
    }
}

extension DataStore {
    /// A model's records are synchronized with the service from now on; live queries of it say so.
    package func markSynced(_ model: String) { changeSynced { $0.insert(model) } }

    /// No model's records are known to be synchronized with the service any longer.
    package func markNothingSynced() { changeSynced { $0 = [] } }

    private func changeSynced(_ change: (inout Set<String>) -> Void) {
        let changed = synced.replace(change)
        let entities = catalog.entities.filter { changed.contains($0.name) }
        if !entities.isEmpty { publisher.wake(entities) }
    }
}

import HoldfastModel
import HoldfastStorage

/// Loads the relations of models that a transaction has read: from the transaction while it runs, then from the store.
final class SourceLoader: ModelLoader {
    private let store: DataStore
    private let source: Mutex<(any RecordSource)?>

    init(store: DataStore, source: any RecordSource) {
        self.store = store
        self.source = Mutex(source)
    }

    /// The transaction is over: the store answers from now on, and nothing of the transaction is held any longer.
    func end() { source.withLock { $0 = nil } }

    @concurrent func load<M: Model>(_ type: M.Type, key: RecordKey) async throws -> M? {
        try await answer { source, loader in
            try await store.load(type, key: key, from: source, loader: loader)
        } orElse: {
            try await store.load(type, key: key)
        }
    }

    @concurrent func loadChildren<M: Model>(
        _ type: M.Type, _ request: ChildrenRequest
    ) async throws -> ChildrenPage<M> {
        try await answer { source, loader in
            try await store.children(type, request, from: source, loader: loader)
        } orElse: {
            try await store.loadChildren(type, request)
        }
    }

    private func answer<Answer>(
        _ ask: (any RecordSource, any ModelLoader) async throws -> Answer, orElse askStore: () async throws -> Answer
    ) async throws -> Answer {
        guard let current = source.withLock({ $0 }) else { return try await askStore() }
        do {
            return try await ask(current, self)
        } catch let error as StorageError where error.kind == .closed && source.withLock({ $0 }) == nil {
            // The transaction ended while it was asked.
            return try await askStore()
        }
    }
}

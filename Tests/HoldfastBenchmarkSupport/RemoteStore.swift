public import HoldfastEngine
public import HoldfastModel
public import HoldfastStorage

/// A store that takes in a service's records, without a service and without what asks it.
public struct RemoteStore: Sendable {
    /// The store.
    public let store: DataStore
    private let fence: SyncFence

    /// Opens a store and takes its lease.
    ///
    /// - Throws: As `DataStore.open`.
    public static func open(_ adapter: any StorageAdapter, models: [any Model.Type]) async throws -> RemoteStore {
        let store = try await DataStore.open(adapter, models: models)
        guard let fence = try await store.claim("benchmark", until: .max, now: 0) else {
            throw StorageError(.conflict, "Another process synchronizes the store; use a store of your own.")
        }
        return RemoteStore(store: store, fence: fence)
    }

    /// Merges one page of records, in one commit with the state of the model.
    ///
    /// - Returns: How many records changed.
    /// - Throws: ``StorageError`` of the store; nothing was changed then.
    public func apply(_ page: RemoteRows) async throws -> Int {
        try await store.apply(page.batch, fence).changes.count
    }

    /// Closes the store.
    public func close() async throws { try await store.close() }
}

/// A page of a model's records as a service sends it, decoded.
public struct RemoteRows: Sendable {
    let batch: RemoteBatch

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - model: The model's name.
    ///   - rows: The cells of each record in the order of the entity's fields, of which the first is the key.
    ///   - version: The service's version of all of them; newer ones replace older ones.
    public init(model: String, rows: [[Value]], version: Int64) {
        var state = ModelState(model: model)
        state.tokenCount = version
        batch = RemoteBatch(
            model: model,
            records: rows.map {
                RemoteRecord(key: RecordKey([$0[0]]), row: $0, version: version, lastChangedAt: 1_767_225_600_000)
            }, generation: 1, state: state)
    }
}

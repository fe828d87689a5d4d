public import HoldfastModel
public import HoldfastStorage

/// The models of an application in a store that it chooses: saved, queried, deleted, and observed, also offline.
///
/// Several data stores can be open in one process; there is no global state. You can call all methods from any
/// task. A save or delete is one commit: the records and their outbox entries are stored together or not at all.
///
/// ```swift
/// let store = try await DataStore.open(SQLiteAdapter(path: path), models: [Post.self, Comment.self])
/// let post = try await store.save(Post(title: "Hold fast", rating: 5))
/// try await store.save(Comment(text: "Thank you", post: post))
/// try await store.close()
/// ```
public final class DataStore: Sendable {
    let store: Store
    let catalog: ModelCatalog
    let engine: StorageEngine
    let publisher = ChangePublisher()
    /// Where the adapter has a change feed.
    let externalCommits: ExternalCommits?
    private let relatedKeyLimit: Int
    /// Where time, pauses, and randomness come from.
    package let surroundings: Surroundings
    /// The models whose records are synchronized with the service.
    let synced = SyncedModels()
    /// The models whose records come for the first time.
    let initialLoads = InitialLoads()
    let unreadable: UnreadableRecords
    private let closing = Mutex<Task<Void, any Error>?>(nil)
    /// The version of the models' schema, which the store keeps as a setting.
    public let schemaVersion: SchemaVersion

    private init(store: Store, catalog: ModelCatalog, options: DataStoreOptions, feed: (any ChangeFeed)?) {
        schemaVersion = SchemaVersion(of: catalog.entities)
        self.store = store
        self.catalog = catalog
        relatedKeyLimit = options.relatedKeyLimit
        surroundings = options.surroundings
        unreadable = UnreadableRecords(options.unreadableRecord)
        if feed != nil { publisher.expectFeed() }
        externalCommits = feed.map { [publisher] in
            ExternalCommits($0, to: publisher, entities: catalog.entities, sleep: options.surroundings.sleep)
        }
        engine = StorageEngine(store: store, catalog: catalog, publisher: publisher, options: options)
    }

    /// Opens or creates a store.
    ///
    /// ```swift
    /// do {
    ///     let store = try await DataStore.open(SQLiteAdapter(path: path), models: [Post.self, Comment.self])
    ///     try await store.close()
    /// } catch let error as StorageError where error.kind == .schemaMismatch {
    ///     // The file was written with other models; the message names each difference.
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - adapter: Where the records are kept; not yet open.
    ///   - models: All models of the store, in any order.
    ///   - options: How the store behaves.
    /// - Returns: The open store; close it with ``close()``.
    /// - Throws: ``/HoldfastModel/ModelError`` `.invalidSchema`, `.unregistered` if ``DataStoreOptions/localModels`` has
    ///   another name; ``/HoldfastStorage/StorageError`` as the adapter's `open`, `.schemaMismatch` if the store was
    ///   written with other models and ``DataStoreOptions/schemaPolicy`` does not say how to continue; what a transform
    ///   of a migration throws. Stored data is untouched.
    @concurrent public static func open(
        _ adapter: any StorageAdapter, models: [any Model.Type], options: DataStoreOptions = DataStoreOptions()
    ) async throws -> DataStore {
        let catalog = try ModelCatalog(models: models)
        // A wrong name would have the service receive what should stay here.
        for name in options.localModels.sorted() where !catalog.entities.contains(where: { $0.name == name }) {
            throw ModelError.unregistered(name)
        }
        let store = try await Store.open(adapter, models: catalog.entities, options: options)
        do {
            let feed = options.observesOtherHandles ? try await store.feedOfOtherHandles() : nil
            return DataStore(store: store, catalog: catalog, options: options, feed: feed)
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// Answers queries from a snapshot or a transaction.
    func reader(_ source: some RecordSource) -> QueryReader {
        QueryReader(
            source: source, schema: store.schema, limits: store.capabilities.limits, relatedKeyLimit: relatedKeyLimit)
    }

    /// Closes the store and ends all observations, once they have the changes of commits in progress; idempotent.
    ///
    /// Later calls fail with ``/HoldfastStorage/StorageError`` `.closed`. The store is closed when this returns, also
    /// if another call began to close it.
    ///
    /// - Throws: What the adapter throws; those of Holdfast throw nothing here.
    @concurrent public func close() async throws {
        let closing = closing.withLock { closing in
            let task =
                closing
                ?? Task { [publisher, store] in
                    await publisher.finish()
                    try await store.close()
                }
            closing = task
            return task
        }
        try await closing.value
    }

    /// Checks the store's integrity.
    ///
    /// - Returns: One sentence per defect found; empty if the store is sound.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.unsupported` if the adapter cannot verify.
    @concurrent public func verify() async throws -> [String] { try await store.verify() }

    /// Copies the store, as it is at one moment, while it stays in use.
    ///
    /// A process that is killed meanwhile can leave an incomplete copy beside the destination, with `.partial-` in its
    /// name. Delete it when no backup to that destination is in progress.
    ///
    /// ```swift
    /// let defects = try await store.verify()
    /// if defects.isEmpty { try await store.backUp(to: path + ".backup") }
    /// ```
    ///
    /// - Parameter destination: A path or address in the adapter's form; must not exist.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.unsupported` if the adapter cannot back up; `.io`.
    @concurrent public func backUp(to destination: String) async throws {
        try await store.backUp(to: destination)
    }
}

extension Store {
    /// A feed that has what other handles commit from now on; `nil` if there is none.
    fileprivate func feedOfOtherHandles() async throws(StorageError) -> (any ChangeFeed)? {
        // Where there can be no other handle, a feed has nothing that this one does not know.
        guard capabilities.support(for: .changeFeed) == .native,
            capabilities.support(for: .multipleProcesses) != .unsupported
        else { return nil }
        do {
            return try await changes()
        } catch  where error.kind == .unsupported {
            // A store that cannot be written may have no log.
            return nil
        }
    }
}

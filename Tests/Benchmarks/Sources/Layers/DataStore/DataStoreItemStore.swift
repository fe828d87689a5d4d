import HoldfastEngine
import HoldfastInMemory
import HoldfastLevelDB
import HoldfastModel
import HoldfastSQLite
import HoldfastStorage

/// The data store as an application uses it: models with row codecs, every change in the outbox.
struct DataStoreItemStore: ObservableItemStore {
    private let store: DataStore

    init(_ adapter: any StorageAdapter) async throws {
        store = try await DataStore.open(adapter, models: [ItemModel.self])
    }

    func save(_ item: Item) async throws { try await store.save(ItemModel(item)) }

    func save(_ items: ArraySlice<Item>) async throws { try await store.save(items.map(ItemModel.init)) }

    func readInSnapshot(_ ids: [String]) async throws -> Int {
        try await store.read { snapshot in
            var sum = 0
            for id in ids { sum &+= try await snapshot.query(ItemModel.self, byId: id)?.rating ?? 0 }
            return sum
        }
    }

    func readLatest(_ ids: [String]) async throws -> Int {
        var sum = 0
        for id in ids { sum &+= try await store.query(ItemModel.self, byId: id)?.rating ?? 0 }
        return sum
    }

    func ask(_ queries: [ItemQuery]) async throws -> Int {
        var count = 0
        for query in queries {
            let keys = ItemModel.keys
            count += try await store.query(
                ItemModel.self,
                where: keys.status == query.status && keys.createdAt > Temporal.DateTime(query.createdAfter),
                sort: .ascending(keys.createdAt), paginate: .page(0, limit: UInt(query.limit))
            ).count
        }
        return count
    }

    func scan() async throws -> Int { try await store.query(ItemModel.self).count }

    func stream(pause: () -> Void) async throws -> Int {
        var count = 0
        for try await item in try store.stream(ItemModel.self) {
            consume(item.rating)
            count += 1
            if count.isMultiple(of: 1_000) { pause() }
        }
        return count
    }

    func scanPages(status: String, pageSize: Int) async throws -> Int {
        let keys = ItemModel.keys
        var count = 0
        var last: ItemModel?
        while true {
            let page = try await store.query(
                ItemModel.self, where: keys.status == status, sort: .ascending(keys.createdAt), after: last,
                limit: pageSize)
            if page.isEmpty { return count }
            count += page.count
            last = page.last
        }
    }

    func observe(states: ArraySlice<Item>) async throws -> Samples {
        var changes = try store.observe(ItemModel.self).makeAsyncIterator()
        var samples = Samples()
        for state in states {
            let start = ContinuousClock.now
            try await store.save(ItemModel(state))
            while let change = try await changes.next(), change.model.title != state.title {}
            samples.add(.now - start)
        }
        return samples
    }

    func close() async throws { try await store.close() }
}

extension Contender {
    /// The data store on the SQLite adapter.
    static let dataStoreSQLite = Contender(adapter: "sqlite", layer: "datastore") {
        try await DataStoreItemStore(SQLiteAdapter(path: $0 + "/items.sqlite"))
    }

    /// The same without a change log.
    static let dataStoreSQLiteWithoutLog = Contender(adapter: "sqlite", layer: noLog) {
        let configuration = SQLiteConfiguration(.file($0 + "/items.sqlite"), changeLogCommitCount: 0)
        return try await DataStoreItemStore(SQLiteAdapter(configuration))
    }

    /// The data store on the LevelDB adapter.
    static let dataStoreLevelDB = Contender(adapter: "leveldb", layer: "datastore") {
        try await DataStoreItemStore(LevelDBAdapter(path: $0 + "/items.leveldb"))
    }

    /// The data store on the in-memory adapter.
    static let dataStoreMemory = Contender(adapter: "memory", layer: "datastore", isPersistent: false) { _ in
        try await DataStoreItemStore(InMemoryAdapter())
    }
}

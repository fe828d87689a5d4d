import HoldfastInMemory
import HoldfastLevelDB
import HoldfastSQLite
import HoldfastStorage

/// A storage adapter behind the checks of `Store`, used as the engine uses it: rows in batches, a codec by hand.
struct AdapterItemStore: ItemStore {
    private let store: Store

    init(_ adapter: any StorageAdapter) async throws {
        store = try await Store.open(adapter, schema: StorageSchema(entities: [Item.entity]))
    }

    func save(_ item: Item) async throws { try await put(CollectionOfOne(item)) }

    func save(_ items: ArraySlice<Item>) async throws { try await put(items) }

    private func put(_ items: some Collection<Item>) async throws {
        let put = WriteOperation.put(entity: "Item", rows: RowBuffer(items), mode: .upsert)
        _ = try await store.commit(CommitRequest(operations: [put]))
    }

    func readInSnapshot(_ ids: [String]) async throws -> Int {
        try await store.withSnapshot { snapshot in
            var rows = RowBuffer()
            var sum = 0
            for id in ids {
                try await snapshot.get([RecordKey(id)], of: "Item", into: &rows)
                rows.forEachItem { sum &+= $0.rating }
            }
            return sum
        }
    }

    func readLatest(_ ids: [String]) async throws -> Int {
        var rows = RowBuffer()
        var sum = 0
        for id in ids {
            try await store.get([RecordKey(id)], of: "Item", into: &rows)
            rows.forEachItem { sum &+= $0.rating }
        }
        return sum
    }

    func ask(_ queries: [ItemQuery]) async throws -> Int {
        var count = 0
        for query in queries {
            let predicate = Predicate.and([
                .compare("status", .equal, .text(query.status)),
                .compare("createdAt", .greater, .timestamp(query.createdAfter)),
            ])
            let plan = QueryPlan("Item", where: predicate, sort: [SortKey("createdAt")], limit: query.limit)
            count += try await page(plan).count
        }
        return count
    }

    func scan() async throws -> Int { try await items(QueryPlan("Item")).count }

    func stream(pause: () -> Void) async throws -> Int {
        try await store.withSnapshot { snapshot in
            var scan = try await snapshot.query(QueryPlan("Item"))
            var rows = RowBuffer()
            var count = 0
            repeat {
                try await scan.next(into: &rows)
                rows.forEachItem {
                    consume($0.rating)
                    count += 1
                }
                pause()
            } while !rows.isEmpty
            return count
        }
    }

    func scanPages(status: String, pageSize: Int) async throws -> Int {
        let sort = [SortKey("createdAt")]
        var plan = QueryPlan(
            "Item", where: .compare("status", .equal, .text(status)), sort: sort, limit: pageSize)
        var count = 0
        while true {
            let page = try await page(plan)
            guard let last = page.last else { return count }
            count += page.count
            plan.after = Cursor([.timestamp(last.createdAt), .text(last.id)])
        }
    }

    func close() async throws { try await store.close() }

    /// The results of a query with a limit.
    private func page(_ plan: QueryPlan) async throws -> [Item] {
        var rows = RowBuffer()
        try await store.page(plan, into: &rows)
        var items: [Item] = []
        rows.append(to: &items)
        return items
    }

    /// All results of a query, asked in a snapshot of its own.
    private func items(_ plan: QueryPlan) async throws -> [Item] {
        try await store.withSnapshot { snapshot in
            var scan = try await snapshot.query(plan)
            var rows = RowBuffer()
            var items: [Item] = []
            while true {
                try await scan.next(into: &rows)
                if rows.isEmpty { break }
                rows.append(to: &items)
            }
            await scan.close()
            return items
        }
    }
}

extension Contender {
    /// The in-memory adapter.
    static let adapterMemory = Contender(adapter: "memory", layer: "adapter", isPersistent: false) { _ in
        try await AdapterItemStore(InMemoryAdapter())
    }
}

extension Contender {
    /// The LevelDB adapter in a directory.
    static let adapterLevelDB = Contender(adapter: "leveldb", layer: "adapter") {
        try await AdapterItemStore(LevelDBAdapter(path: $0 + "/items.leveldb"))
    }
}

extension Contender {
    /// The SQLite adapter on a file.
    static let adapterSQLite = Contender(adapter: "sqlite", layer: "adapter") {
        try await AdapterItemStore(SQLiteAdapter(path: file(in: $0)))
    }

    /// The definitions that the SQLite adapter writes, read from a store that it makes in an empty directory.
    static func adapterTables(in directory: String) async throws -> [String] {
        try await adapterSQLite.open(directory).close()
        return try RawDatabase(path: file(in: directory)).definitions()
    }

    private static func file(in directory: String) -> String { directory + "/items.sqlite" }
}

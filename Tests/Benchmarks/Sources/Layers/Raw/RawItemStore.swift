import HoldfastStorage
import Synchronization

/// The C API, called as a careful program would: one connection, every statement prepared once.
///
/// Unchecked because saves, the only calls that come from several tasks, are serialized by the mutex.
final class RawItemStore: ItemStore, @unchecked Sendable {
    private let saving = Mutex(())
    private var version: Int64 = 0
    private let database: RawDatabase
    private let begin: RawStatement
    private let beginWriting: RawStatement
    private let commit: RawStatement
    private let upsert: RawStatement
    private let readOne: RawStatement
    private let readAll: RawStatement
    private let page: RawStatement
    private let firstPage: RawStatement
    private let nextPage: RawStatement

    /// Opens a database or creates it.
    ///
    /// - Parameters:
    ///   - path: The file of the database.
    ///   - tables: The statements that create everything in an empty database.
    /// - Throws: ``RawError`` if SQLite reports an error.
    init(path: String, tables: [String]) throws {
        database = try RawDatabase(path: path)
        try database.execute(RawLayout.pragmas)
        if try database.definitions().isEmpty {
            for table in tables { try database.execute(table) }
        }
        begin = try database.prepare("begin")
        beginWriting = try database.prepare("begin immediate")
        commit = try database.prepare("commit")
        upsert = try database.prepare(RawLayout.upsert)
        readOne = try database.prepare(RawLayout.readOne)
        readAll = try database.prepare(RawLayout.readAll)
        page = try database.prepare(RawLayout.page)
        firstPage = try database.prepare(RawLayout.firstPage)
        nextPage = try database.prepare(RawLayout.nextPage)
    }

    func save(_ item: Item) throws {
        try saving.withLock { _ in
            version += 1
            upsert.bind(item, version: version)
            try upsert.run()
        }
    }

    func save(_ items: ArraySlice<Item>) throws {
        try saving.withLock { _ in
            version += 1
            try database.transaction(beginWriting, commit) {
                for item in items {
                    upsert.bind(item, version: version)
                    try upsert.run()
                }
            }
        }
    }

    func readInSnapshot(_ ids: [String]) throws -> Int {
        try database.transaction(begin, commit) { try readLatest(ids) }
    }

    func readLatest(_ ids: [String]) throws -> Int {
        var sum = 0
        for id in ids {
            readOne.bind(id, at: 0)
            guard try readOne.step() else { continue }
            sum &+= try readOne.item().rating
            readOne.reset()
        }
        return sum
    }

    func ask(_ queries: [ItemQuery]) throws -> Int {
        var count = 0
        for query in queries {
            page.bind(query.status, at: 0)
            page.bind(query.createdAfter.utcText, at: 1)
            page.bind(Int64(query.limit), at: 2)
            count += try rows(of: page, capacity: query.limit).count
        }
        return count
    }

    func scan() throws -> Int { try rows(of: readAll, capacity: 0).count }

    func stream(pause: () -> Void) throws -> Int {
        var count = 0
        while try readAll.step() {
            consume(try readAll.item().rating)
            count += 1
            if count % 1_024 == 0 { pause() }
        }
        return count
    }

    func scanPages(status: String, pageSize: Int) throws -> Int {
        firstPage.bind(status, at: 0)
        firstPage.bind(Int64(pageSize), at: 1)
        var items = try rows(of: firstPage, capacity: pageSize)
        var count = 0
        while let last = items.last {
            count += items.count
            nextPage.bind(status, at: 0)
            nextPage.bind(last.createdAt.utcText, at: 1)
            nextPage.bind(last.id, at: 2)
            nextPage.bind(Int64(pageSize), at: 3)
            items = try rows(of: nextPage, capacity: pageSize)
        }
        return count
    }

    /// The connection closes when the store is dropped.
    func close() {}

    private func rows(of statement: RawStatement, capacity: Int) throws -> [Item] {
        var items: [Item] = []
        items.reserveCapacity(capacity)
        while try statement.step() { items.append(try statement.item()) }
        return items
    }
}

extension Contender {
    /// The C API on a file, in the tables of the SQLite adapter.
    static func rawSQLite(tables: [String]) -> Contender {
        Contender(adapter: "sqlite", layer: "raw") { try RawItemStore(path: $0 + "/items.sqlite", tables: tables) }
    }

    /// The C API on a database in memory; what a store in memory is measured against.
    static func rawMemory(tables: [String]) -> Contender {
        Contender(adapter: "memory", layer: "raw", isPersistent: false) { _ in
            try RawItemStore(path: ":memory:", tables: tables)
        }
    }
}

import Foundation
import GRDB
import HoldfastStorage

/// A type that GRDB users would declare for an item.
protocol GRDBItem: FetchableRecord, PersistableRecord, Identifiable, Sendable where ID == String {
    /// The time that pages are sorted by.
    var createdAt: Date { get }
    /// 0...5.
    var rating: Int { get }
    /// 30 bytes.
    var title: String { get }

    /// The same item.
    init(_ item: Item)
}

extension GRDBItem {
    static var databaseTableName: String { "item" }
}

/// The columns that queries name.
enum ItemColumn {
    static let id = Column("id")
    static let status = Column("status")
    static let createdAt = Column("createdAt")
}

/// GRDB as its users write it: a pool, records, the query interface.
///
/// Saves are `insert` in `pool.write`, from async code; reads are synchronous, which is GRDB's faster form.
struct GRDBItemStore<Record: GRDBItem>: ItemStore {
    private let pool: DatabasePool

    init(directory: String) throws {
        pool = try DatabasePool(path: directory + "/items.sqlite")
        // A pool sets `normal` as it opens, which survives less than what the other contenders promise.
        try pool.writeWithoutTransaction { try $0.execute(sql: "pragma synchronous = full") }
        try pool.write { database in
            try database.create(table: Record.databaseTableName, options: .ifNotExists) { table in
                table.primaryKey("id", .text)
                for name in ["title", "content", "status"] { table.column(name, .text).notNull() }
                table.column("rating", .integer).notNull()
                table.column("createdAt", .datetime).notNull()
            }
            try database.create(
                index: "itemByStatus", on: Record.databaseTableName, columns: ["status", "createdAt"],
                options: .ifNotExists)
        }
    }

    func save(_ item: Item) async throws {
        try await pool.write { try Record(item).insert($0) }
    }

    func save(_ items: ArraySlice<Item>) async throws {
        try await pool.write { database in
            for item in items { try Record(item).insert(database) }
        }
    }

    func readInSnapshot(_ ids: [String]) throws -> Int {
        try pool.read { database in
            var sum = 0
            for id in ids { sum &+= try Record.fetchOne(database, key: id)?.rating ?? 0 }
            return sum
        }
    }

    func readLatest(_ ids: [String]) throws -> Int {
        var sum = 0
        for id in ids { sum &+= try pool.read { try Record.fetchOne($0, key: id) }?.rating ?? 0 }
        return sum
    }

    func ask(_ queries: [ItemQuery]) throws -> Int {
        var count = 0
        for query in queries {
            let request = Record.filter(ItemColumn.status == query.status)
                .filter(ItemColumn.createdAt > query.createdAfter.date)
                .order(ItemColumn.createdAt, ItemColumn.id)
                .limit(query.limit)
            count += try pool.read { try request.fetchAll($0) }.count
        }
        return count
    }

    func scan() throws -> Int {
        try pool.read { try Record.fetchAll($0) }.count
    }

    func stream(pause: () -> Void) throws -> Int {
        try pool.read { database in
            var count = 0
            let cursor = try Record.fetchCursor(database)
            while let record = try cursor.next() {
                consume(record.rating)
                count += 1
                if count % 1_024 == 0 { pause() }
            }
            return count
        }
    }

    func scanPages(status: String, pageSize: Int) throws -> Int {
        let all = Record.filter(ItemColumn.status == status).order(ItemColumn.createdAt, ItemColumn.id)
            .limit(pageSize)
        var page = try pool.read { try all.fetchAll($0) }
        var count = 0
        while let last = page.last {
            count += page.count
            let time = last.createdAt
            let rest = all.filter(ItemColumn.createdAt >= time)
                .filter(ItemColumn.createdAt > time || ItemColumn.id > last.id)
            page = try pool.read { try rest.fetchAll($0) }
        }
        return count
    }

    func close() throws { try pool.close() }
}

extension GRDBItemStore: ObservableItemStore {
    /// Observes the record with a `ValueObservation`.
    func observe(states: ArraySlice<Item>) async throws -> Samples {
        guard let id = states.first?.id else { return Samples() }
        let observation = ValueObservation.tracking { try Record.fetchOne($0, key: id)?.title }
        var titles = observation.values(in: pool).makeAsyncIterator()
        _ = try await titles.next()
        var samples = Samples()
        for state in states {
            let start = ContinuousClock.now
            try await pool.write { try Record(state).save($0) }
            while let title = try await titles.next(), title != state.title {}
            samples.add(.now - start)
        }
        return samples
    }
}

extension Timestamp {
    /// The instant as Foundation has it.
    var date: Date { Date(timeIntervalSince1970: Double(secondsSinceEpoch) + Double(nanoseconds) / 1e9) }
}

extension Contender {
    /// GRDB with records whose columns are read and written by hand.
    static let grdbRecord = Contender(adapter: "sqlite", layer: "grdb-record") {
        try GRDBItemStore<RecordItem>(directory: $0)
    }

    /// GRDB with `Codable` records.
    static let grdbCodable = Contender(adapter: "sqlite", layer: "grdb-codable") {
        try GRDBItemStore<CodableItem>(directory: $0)
    }
}

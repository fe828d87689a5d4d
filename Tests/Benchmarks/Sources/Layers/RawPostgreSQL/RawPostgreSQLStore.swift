import Foundation
import HoldfastPostgreSQL
import HoldfastStorage
import Synchronization

/// libpq, called as a careful program would: eight connections, every statement prepared once, batches in a pipeline.
final class RawPostgreSQLStore: ItemStore {
    private let connections: [RawPostgreSQLConnection]
    private let turn = Atomic(0)

    private static let columns =
        #""id", "title", "content", "rating", "status", "createdAt", "createdAt_tail", "holdfast_version""#

    /// Opens a schema or creates it.
    init(url: String, schema: String) async throws {
        connections = try (0..<8).map { _ in try RawPostgreSQLConnection(url: url) }
        try connections[0].execute(
            """
            set client_min_messages = warning;
            create schema if not exists \(schema);
            create table if not exists \(schema).item ("id" text collate "C" primary key,
                "title" text collate "C" not null, "content" text collate "C" not null, "rating" bigint not null,
                "status" text collate "C" not null, "createdAt" text collate "C" not null,
                "createdAt_tail" text collate "C" not null, "holdfast_version" bigint not null);
            create index if not exists item_status on \(schema).item ("status", "createdAt");
            \(RawPostgreSQLConnection.logTable(schema))
            """)
        let item = "\(schema).item"
        let updates = Self.columns.split(separator: ", ").dropFirst().map { "\($0) = excluded.\($0)" }
        for connection in connections {
            try connection.prepare(
                "upsert",
                "insert into \(item) (\(Self.columns)) values ($1, $2, $3, $4, $5, $6, $7, $8) "
                    + #"on conflict ("id") do update set "# + updates.joined(separator: ", "))
            try connection.prepareCommits(schema)
            try connection.prepare("lock", "lock table \(item) in row exclusive mode")
            try connection.prepare("one", "select \(Self.columns) from \(item) where \"id\" = $1")
            try connection.prepare("all", "select \(Self.columns) from \(item) order by \"id\"")
            try connection.prepare(
                "page",
                "select \(Self.columns) from \(item) where \"status\" = $1 and \"createdAt\" > $2 "
                    + "order by \"createdAt\", \"id\" limit $3")
            try connection.prepare(
                "next",
                "select \(Self.columns) from \(item) where \"status\" = $1 and (\"createdAt\", \"id\") > ($2, $3) "
                    + "order by \"createdAt\", \"id\" limit $4")
        }
    }

    private static func parameters(_ item: Item) -> [String] {
        [
            item.id, item.title, item.content, "\(item.rating)", item.status, item.createdAt.utcText,
            item.createdAt.tail.text, "1",
        ]
    }

    func save(_ item: Item) async throws {
        let connection = connections[turn.add(1, ordering: .relaxed).oldValue % connections.count]
        try await connection.run {
            try $0.commit(after: "lock", [("upsert", Self.parameters(item))])
        }
    }

    func save(_ items: ArraySlice<Item>) async throws {
        try await connections[0].run { try $0.pipeline(items.map { ("upsert", Self.parameters($0)) }) }
    }

    func readInSnapshot(_ ids: [String]) throws -> Int {
        try connections[0].execute("begin isolation level repeatable read read only")
        let sum = try readLatest(ids)
        try connections[0].execute("commit")
        return sum
    }

    func readLatest(_ ids: [String]) throws -> Int {
        var sum = 0
        for id in ids { for item in try items(connections[0].run("one", [id])) { sum &+= item.rating } }
        return sum
    }

    func ask(_ queries: [ItemQuery]) throws -> Int {
        var count = 0
        for query in queries {
            let parameters = [query.status, query.createdAfter.utcText, "\(query.limit)"]
            count += try items(connections[0].run("page", parameters)).count
        }
        return count
    }

    func scan() throws -> Int { try items(connections[0].run("all", [])).count }

    func stream(pause: () -> Void) throws -> Int {
        var count = 0
        try connections[0].forEachRow("all") { row in
            consume(try Self.item(row, 0).rating)
            count += 1
            if count % 1_024 == 0 { pause() }
        }
        return count
    }

    func scanPages(status: String, pageSize: Int) throws -> Int {
        var count = 0
        var cursor = ["", ""]
        while true {
            let page = try items(connections[0].run("next", [status] + cursor + ["\(pageSize)"]))
            guard let last = page.last else { return count }
            count += page.count
            cursor = [last.createdAt.utcText, last.id]
        }
    }

    func close() async throws {}

    private func items(_ result: RawPostgreSQLResult) throws -> [Item] {
        try (0..<result.rowCount).map { try Self.item(result, $0) }
    }

    private static func item(_ result: RawPostgreSQLResult, _ row: Int) throws -> Item {
        guard let tail = WrittenForm(text: result.utf8(row, 6)),
            let createdAt = Timestamp(utcText: result.utf8(row, 5), tail: tail),
            let rating = Int(result.text(row, 3)), let version = Int(result.text(row, 7))
        else { throw RawError(description: "a row cannot be read") }
        consume(version)
        return Item(
            id: result.text(row, 0), title: result.text(row, 1), content: result.text(row, 2), rating: rating,
            status: result.text(row, 4), createdAt: createdAt)
    }
}

extension Contender {
    /// The layers over PostgreSQL; none without a server.
    static var allPostgreSQL: [Contender] {
        guard let url = ProcessInfo.processInfo.environment["HOLDFAST_POSTGRESQL_URL"] else { return [] }
        return [
            Contender(adapter: "postgresql", layer: "raw") {
                try await RawPostgreSQLStore(url: url, schema: "raw_" + schema($0))
            },
            Contender(adapter: "postgresql", layer: "adapter") {
                try await AdapterItemStore(
                    PostgreSQLAdapter(PostgreSQLConfiguration(url, schema: "adapter_" + schema($0))))
            },
        ]
    }

    /// The adapter over PostgreSQL without a change log.
    static let adapterPostgreSQLWithoutLog = Contender(adapter: "postgresql", layer: noLog) {
        try await AdapterItemStore(
            PostgreSQLAdapter(
                PostgreSQLConfiguration(
                    ServiceAdapter.postgreSQLAddress, schema: "no_log_" + schema($0), changeLogCommitCount: 0)))
    }

    private static func schema(_ directory: String) -> String {
        directory.filter(\.isASCII).lowercased().filter { $0.isLetter || $0.isNumber }.suffix(40).description
    }
}

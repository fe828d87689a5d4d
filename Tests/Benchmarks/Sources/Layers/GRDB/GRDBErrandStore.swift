import Foundation
import GRDB

/// Errands from a service's JSON in GRDB's table, as one writes it by hand: `Codable` records, a page in a transaction.
struct GRDBErrandStore {
    private let pool: DatabasePool

    init(directory: String) throws {
        pool = try DatabasePool(path: directory + "/errands.sqlite")
        try pool.writeWithoutTransaction { try $0.execute(sql: "pragma synchronous = full") }
        try pool.write { database in
            try database.create(table: ErrandRecord.databaseTableName) { table in
                table.primaryKey("id", .text)
                for name in ["title", "content", "listID"] { table.column(name, .text).notNull() }
                table.column("rating", .double)
                table.column("count", .integer).notNull()
                table.column("isDone", .boolean).notNull()
                for name in ["status", "createdAt", "updatedAt"] { table.column(name, .text) }
                for name in ["_version", "_lastChangedAt"] { table.column(name, .integer).notNull() }
                table.column("_deleted", .boolean)
            }
            try database.create(
                index: "errandByList", on: ErrandRecord.databaseTableName, columns: ["listID"])
        }
    }

    /// Decodes a page and inserts its records.
    func insert(_ page: [UInt8]) async throws -> Int {
        let items = try JSONDecoder().decode(ErrandAnswer.self, from: Data(page)).data.syncErrands.items
        try await pool.write { database in for item in items { try item.upsert(database) } }
        return items.count
    }

    func close() throws { try pool.close() }
}

private struct ErrandAnswer: Decodable {
    struct Body: Decodable { var syncErrands: Page }
    struct Page: Decodable { var items: [ErrandRecord] }
    var data: Body
}

private struct ErrandRecord: Codable, PersistableRecord {
    static let databaseTableName = "errand"

    var id: String
    var title: String
    var content: String
    var rating: Double?
    var count: Int
    var isDone: Bool
    var status: String?
    var listID: String
    var createdAt: String?
    var updatedAt: String?
    var _version: Int
    var _lastChangedAt: Int64
    var _deleted: Bool?
}

#if SQLite
import CSQLite
import HoldfastAdapterKit
import HoldfastStorage
import Testing

@testable import HoldfastSQLite

/// Values that SQLite does not bind, as without memory: the parameter is null then.
@Suite struct SQLiteRowWriterTests {
    private let entity = EntitySchema("Blob", fields: [FieldSchema("id", .bytes), FieldSchema("data", .bytes)])
    private let large = Value.bytes([UInt8](repeating: 7, count: 2_000))
    private let connection: SQLiteConnection
    private let table: SQLiteTable

    init() throws {
        connection = try SQLiteConnection(path: ":memory:", flags: SQLITE_OPEN_READWRITE)
        var writer = SQLiteSchemaWriter(connection: connection, catalog: SQLiteCatalog())
        let stored = writer.catalog.add(entity)
        try writer.createTable(of: stored)
        table = try SQLiteTable(entity, number: 0, stored: stored)
        _ = sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, 1_000)
    }

    @Test func aCellThatCannotBeBoundIsNotWrittenAsNull() throws {
        let rows = RowBuffer(row: [.bytes([1]), large])
        #expect(throws: StorageError(.limitExceeded, "")) {
            try SQLiteRowWriter().put(rows, into: table, mode: .insert, version: 1, operation: 0, on: connection)
        }
        #expect(try connection.integer("SELECT count(*) FROM \(table.name)") == 0)
    }

    @Test func aRecordWhoseKeyCannotBeBoundIsNotAbsent() throws {
        var rows = RowBuffer()
        #expect(throws: StorageError(.limitExceeded, "")) {
            try connection.read([RecordKey([large])], of: table, into: &rows)
        }
        #expect(rows.isEmpty)
    }
}
#endif

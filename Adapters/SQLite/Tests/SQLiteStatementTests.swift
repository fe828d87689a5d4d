#if SQLite
import CSQLite
@testable import HoldfastSQLite
import HoldfastStorage
import Testing

@Suite struct SQLiteStatementTests {
    /// A cell can have 64 MiB, and a connection keeps 64 statements.
    @Test func aStatementDoesNotKeepLargeValues() throws {
        let connection = try SQLiteConnection(path: ":memory:", flags: SQLITE_OPEN_READWRITE)
        func textAfterUse(binding value: SQLiteParameter) throws -> String? {
            let statement = try connection.take("SELECT ?, ?")
            try statement.bind([.integer(1), value])
            #expect(try statement.step())
            connection.release(statement)
            let text = sqlite3_expanded_sql(statement.handle)
            defer { sqlite3_free(text) }
            return text.map { String(cString: $0) }
        }
        #expect(try textAfterUse(binding: .text("small")) == "SELECT 1, 'small'")
        #expect(try textAfterUse(binding: .text(String(repeating: "x", count: 100_000))) == "SELECT NULL, NULL")
        #expect(try textAfterUse(binding: .bytes([UInt8](repeating: 7, count: 100_000))) == "SELECT NULL, NULL")
    }
}
#endif

#if SQLite
import HoldfastSQLite
import HoldfastStorage
import HoldfastConformance
import HoldfastTestSupport
import Testing

@Suite struct SQLiteDifferentialTests {
    @Test(arguments: 0..<4)
    func randomHistoriesAgreeWithTheReference(part: UInt64) async throws {
        try await DifferentialRun.check(seeds: part * 20..<part * 20 + 20) { schema in
            try await Store.open(SQLiteAdapter(.temporary), schema: schema)
        }
    }
}
#endif

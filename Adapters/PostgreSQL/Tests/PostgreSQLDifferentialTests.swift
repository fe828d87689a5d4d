#if PostgreSQL
import HoldfastPostgreSQL
import HoldfastStorage
import HoldfastConformance
import HoldfastTestSupport
import Testing

extension PostgreSQLSuite {
    @Suite struct DifferentialTests {
        /// Random schemas, commits, queries, held snapshots and openings again, compared with the reference.
        @Test(arguments: 0..<4)
        func randomHistoriesAgreeWithTheReference(part: UInt64) async throws {
            try await DifferentialRun.check(seeds: part * 10..<part * 10 + 10) { schema in
                try await Store.open(PostgreSQLAdapter(TestSchema().configuration()), schema: schema)
            }
        }
    }
}
#endif

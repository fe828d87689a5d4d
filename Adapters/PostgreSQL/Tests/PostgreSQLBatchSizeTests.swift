#if PostgreSQL
import Testing

@testable import HoldfastPostgreSQL

@Suite struct PostgreSQLBatchSizeTests {
    @Test func shortRowsComeAsTheCallerWantsThem() {
        var size = PostgreSQLBatchSize()
        #expect(size.rowCount(for: 1) == 64)
        #expect(size.rowCount(for: 1_024) == 1_024)
        for _ in 0..<3 {
            size.note(rowCount: 1_024, byteCount: 1 << 20, of: 1_024)
            #expect(size.rowCount(for: 1_024) == 1_024)
        }
        size.note(rowCount: 0, byteCount: 2_000, of: 1_024)
        #expect(size.rowCount(for: 1_024) == 1_024)
    }

    @Test func longRowsComeInSmallBatches() {
        var size = PostgreSQLBatchSize()
        size.note(rowCount: 64, byteCount: 64 << 20, of: 64)
        #expect(size.rowCount(for: 1) == 8)
        #expect(size.rowCount(for: 1_024) == 8)
        size.note(rowCount: 8, byteCount: 800 << 20, of: 8)
        #expect(size.rowCount(for: 1_024) == 1, "at least one row")
    }

    @Test func batchesGrowSlowlyAfterLongRows() {
        var size = PostgreSQLBatchSize()
        size.note(rowCount: 64, byteCount: 800 << 20, of: 64)
        for expected in [1, 2, 4, 8, 16, 32, 64, 100, 100] {
            #expect(size.rowCount(for: 100) == expected)
            size.note(rowCount: expected, byteCount: 100 * expected, of: expected)
        }
    }
}
#endif

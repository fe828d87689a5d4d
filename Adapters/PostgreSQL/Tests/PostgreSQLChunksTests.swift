#if PostgreSQL
import HoldfastAdapterTestSupport
import HoldfastStorage
import Testing

@testable import HoldfastPostgreSQL

@Suite struct PostgreSQLChunksTests {
    private func ranges(_ lengths: [Int], rowCount: Int = 4, byteCount: Int = 1_000) -> [Range<Int>] {
        let rows = lengths.map { noteRow("k", String(repeating: "x", count: $0), 1) }
        return Array(PostgreSQLChunks(RowBuffer(rows), rowCount: rowCount, byteCount: byteCount))
    }

    @Test func aChunkEndsAfterSoManyRowsOrBytes() {
        #expect(ranges(Array(repeating: 1, count: 9)) == [0..<4, 4..<8, 8..<9])
        #expect(ranges([600, 600, 600, 600, 600]) == [0..<2, 2..<4, 4..<5])
        #expect(ranges([5_000, 1, 5_000, 5_000]) == [0..<1, 1..<3, 3..<4], "long rows end a chunk")
        #expect(ranges([1, 1], byteCount: 0) == [0..<1, 1..<2], "at least one row")
        #expect(ranges([1]) == [0..<1])
    }

    @Test func allCellsMakeARowLonger() {
        let rows = RowBuffer([noteRow("k", "x"), noteRow("k", String(repeating: "x", count: 600))])
        #expect(rows.hasRow(longerThan: 600))
        #expect(!rows.hasRow(longerThan: 700))
        let texts = Array(repeating: Value.text(String(repeating: "x", count: 90)), count: 6)
        #expect(RowBuffer([texts]).hasRow(longerThan: 500))
        #expect(RowBuffer([[.list(texts)]]).hasRow(longerThan: 500))
    }

    @Test func elementsOfListsCount() {
        let list = Value.list(Array(repeating: .text(String(repeating: "x", count: 90)), count: 6))
        let rows = RowBuffer(Array(repeating: [list], count: 4))
        #expect(Array(PostgreSQLChunks(rows, rowCount: 10, byteCount: 1_000)) == [0..<2, 2..<4])
    }
}
#endif

import HoldfastStorage
import Testing

struct RowBufferTests {
    @Test func rowsAreAppendedWholeOrCellByCell() {
        var rows = RowBuffer(columnCount: 2, rowCapacity: 4)
        #expect(rows.isEmpty)
        rows.append([.integer(1), .text("a")], version: 7)
        rows.appendCell(.integer(2))
        rows.appendCell(.null)
        rows.finishRow(version: 8)
        rows.appendAbsentRow()
        #expect(rows.rowCount == 3)
        #expect(rows.versions == [7, 8, 0])
        #expect(Array(rows[1]) == [.integer(2), .null])
        #expect(rows[0, 1] == .text("a"))
        #expect(Array(rows[2]) == [.null, .null])
    }

    @Test func rowsOfAnotherBufferAreAppended() {
        var rows = RowBuffer(row: [.integer(1)], version: 3)
        var others = RowBuffer(row: [.integer(2)], version: 4)
        others.append([.null])
        rows.append(contentsOf: others)
        // What a scan delivers at its end.
        rows.append(contentsOf: RowBuffer())
        #expect(rows.cells == [.integer(1), .integer(2), .null])
        #expect(rows.versions == [3, 4, 0])
    }

    @Test func resetRemovesRowsAndSetsTheWidth() {
        var rows = RowBuffer(row: [.integer(1)], version: 3)
        rows.reset(columnCount: 3)
        #expect(rows.isEmpty && rows.cells.isEmpty && rows.columnCount == 3)
        rows.append([.null, .null, .null])
        #expect(rows.rowCount == 1)
    }

    @Test func cellsAreReplacedInPlaceAndCopiesAreIndependent() {
        var rows = RowBuffer(row: [.integer(1), .integer(2)])
        let copy = rows
        rows.set(.null, row: 0, column: 1)
        #expect(rows[0, 1].isNull)
        #expect(copy[0, 1] == .integer(2))
        #expect(rows.withRow(0) { $0.count } == 2)
    }

    @Test func rowsWithoutColumnsAreCounted() {
        var rows = RowBuffer()
        rows.finishRow(version: 1)
        rows.append([], version: 2)
        #expect(rows.rowCount == 2)
        #expect(rows[1].isEmpty)
    }
}

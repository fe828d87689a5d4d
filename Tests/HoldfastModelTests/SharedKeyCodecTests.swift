import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// Foreign keys whose columns are fields of their own, or are separate columns.
@Suite struct SharedKeyCodecTests {
    private static let order = Order(shop: "s", number: 3)

    @Test func aReferenceIsReadFromColumnsThatAreNotAdjacent() throws {
        let rows = RowBuffer(row: [.integer(3), .text("l"), .text("s")])
        let reference: LazyReference<Order> = RowReader(rows, row: 0).reference(keyColumns: 2, 0)
        #expect(try reference.key() == RecordKey([.text("s"), .integer(3)]))
    }

    @Test func onlyTheKeyFieldsThatAreNoFieldsOfTheirOwnAreWritten() throws {
        var writer = RowWriter(columnCount: 2)
        writer.write("own")
        try writer.write(LazyReference(Self.order), keyFields: 1)
        #expect(Array(writer.finishedRows.cells) == [.text("own"), .integer(3)])
        var eager = RowWriter(columnCount: 3)
        try eager.write(parent: Self.order, keyFields: 1, 0)
        try eager.write(parent: Order?.none, keyFields: 1)
        #expect(Array(eager.finishedRows.cells) == [.integer(3), .text("s"), .null])
    }

    @Test func aKeyFieldThatTheOtherModelHasNotIsAnEncodingFailure() {
        var writer = RowWriter(columnCount: 1)
        #expect { try writer.write(parent: Self.order, keyFields: 2) } throws: {
            ($0 as? ModelError)?.kind == .encodingFailed
        }
        #expect { try writer.write(LazyReference<Order>(nil), keyFields: -1) } throws: {
            ($0 as? ModelError)?.kind == .encodingFailed
        }
    }

    @Test func childrenAreFoundBySeveralFields() throws {
        let rows = RowBuffer(row: [.text("s"), .integer(3)])
        let lines: List<OrderLine> = RowReader(rows, row: 0).children(by: ["shop", "number"], keyColumns: 0, 1)
        #expect(!lines.isLoaded)
    }
}

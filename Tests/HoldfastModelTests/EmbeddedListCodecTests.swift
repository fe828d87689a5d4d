import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastModel

@Suite struct EmbeddedListCodecTests {
    private static let type = FieldType.list(of: .embedded("Place"), elementsAreRequired: false)

    @Test(
        arguments: [
            nil, [], [Place(city: "a \"b\"")], [nil], [Place(city: "x", zip: 1), nil, Place(city: "é")],
        ] as [[Place?]?])
    func aListRoundTripsAndIsTheCellThatCodableMakes(places: [Place?]?) throws {
        var writer = RowWriter(columnCount: 1)
        try writer.writeEmbeddedList(places)
        writer.rows.finishRow()
        let rows = writer.finishedRows
        #expect(rows[0, 0] == (try places.map { try CellEncoder.cell(of: $0, type: Self.type) } ?? .null))
        let reader = RowReader(rows, row: 0)
        let copy: [Place?]? = try reader.embeddedListIfPresent(0)
        #expect(copy == places)
        if let places {
            let required: [Place?] = try reader.embeddedList(0)
            #expect(required == places)
        }
    }

    @Test func aListWithoutNullsIsReadAsSuch() throws {
        let rows = RowBuffer(row: [.list([.text(#"{"city":"a"}"#), .text(#"{"city":"b","zip":2}"#)])])
        #expect(try RowReader(rows, row: 0).embeddedList(0) == [Place(city: "a"), Place(city: "b", zip: 2)])
    }

    @Test(
        arguments: [
            .null, .text("[]"), .list([.null]), .list([.integer(1)]), .list([.text("{}")]), .list([.text("[")]),
            .list([.text(#"{"city":"a"},{"city":"b"}"#)]),
        ] as [Value])
    func aCellThatIsNotAListOfTheTypeIsADecodingFailure(cell: Value) {
        let reader = RowReader(RowBuffer(row: [cell]), row: 0)
        #expect { try reader.embeddedList(0, of: Place.self) } throws: {
            ($0 as? ModelError)?.kind == .decodingFailed
        }
    }

    @Test func anElementThatIsNotJSONIsAnEncodingFailure() {
        var writer = RowWriter(columnCount: 1)
        #expect { try writer.writeEmbeddedList([RowCodecTests.Unwritable()]) } throws: {
            ($0 as? ModelError)?.kind == .encodingFailed
        }
    }
}

import HoldfastConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct RowCodecTests {
    static func full() throws -> Sample {
        var sample = Sample(id: "1")
        sample.text = "a\u{301} \u{e1}"
        sample.count = .max
        sample.ratio = 0.1
        sample.flag = false
        sample.day = try Temporal.Date(iso8601String: "1969-12-31+02:00")
        sample.time = try Temporal.Time(iso8601String: "23:59:59.120Z")
        sample.instant = try Temporal.DateTime(iso8601String: "2026-01-01T01:00:00.10+01:00")
        sample.seconds = -1
        sample.status = .published
        sample.place = Place(city: "a/b \"c\"")
        sample.numbers = [1, nil, 3]
        sample.statuses = [.draft, .draft]
        return sample
    }

    @Test func aFullModelIsReadBackAsItWas() throws {
        let sample = try Self.full()
        let rows = try sample.row()
        let copy = try Sample(row: RowReader(rows, row: 0))
        #expect(try copy.row()[0] == rows[0])
        #expect(copy.place == sample.place)
        #expect(copy.numbers == [1, nil, 3])
        #expect(copy.instant?.text == "2026-01-01T01:00:00.10+01:00")
        #expect(copy.text.map { Array($0.utf8) } == sample.text.map { Array($0.utf8) })
    }

    @Test func anEmptyModelIsNullsAfterItsKey() throws {
        let rows = try Sample(id: "1").row()
        #expect(Array(rows[0]) == [.text("1")] + Array(repeating: .null, count: 12))
        #expect(try Sample(row: RowReader(rows, row: 0)).place == nil)
    }

    @Test func embeddedJSONHasSortedKeysAndPlainSlashes() throws {
        var sample = Sample(id: "1")
        sample.place = Place(city: "a/b", zip: 7)
        #expect(try sample.row()[0, 10] == .text(#"{"city":"a/b","zip":7}"#))
    }

    @Test(arguments: 0..<13)
    func aCellOfAnotherKindIsADecodingFailure(column: Int) throws {
        var rows = try Self.full().row()
        rows.set(.bytes([0]), row: 0, column: column)
        #expect { try Sample(row: RowReader(rows, row: 0)) } throws: { error in
            guard let error = error as? ModelError else { return false }
            return error.kind == .decodingFailed && error.message.contains("Column \(column) ")
        }
    }

    @Test(
        arguments: [
            (0, .null), (9, .text("GONE")), (10, .text("{}")), (10, .text("no JSON")), (10, .text("[1]")),
            (11, .list([.text("1")])), (12, .list([.null])),
        ] as [(Int, Value)])
    func aCellThatTheFieldCannotHoldIsADecodingFailure(column: Int, value: Value) throws {
        var rows = try Self.full().row()
        rows.set(value, row: 0, column: column)
        #expect { try Sample(row: RowReader(rows, row: 0)) } throws: {
            ($0 as? ModelError)?.kind == .decodingFailed
        }
    }

    @Test func aRequiredEmbeddedValueIsNeverNull() throws {
        let rows = RowBuffer(row: [.null, .text(#"{"city":"x"}"#)])
        #expect(throws: ModelError.self) { try RowReader(rows, row: 0).embedded(0, as: Place.self) }
        #expect(try RowReader(rows, row: 0).embedded(1, as: Place.self) == Place(city: "x"))
        #expect(try RowReader(rows, row: 0).embeddedIfPresent(0, as: Place.self) == nil)
    }

    @Test func aRowIsReadAtItsOwnPlace() throws {
        let posts = (0..<3).map { (number: Int) in Post(id: "\(number)", title: "t\(number)", rating: number) }
        let rows = try Post.rows(posts)
        #expect(rows.rowCount == 3)
        #expect(try Post(row: RowReader(rows, row: 2)).rating == 2)
        var read: [Post] = [Post(title: "before")]
        try Post.read(rows, loader: nil, parents: nil, into: &read)
        #expect(read.map(\.title) == ["before", "t0", "t1", "t2"])
    }

    struct Wrong: DefinedModel {
        static let schema = Counter.schema
        var cells: Int
        func write(to row: inout RowWriter) throws(ModelError) { for cell in 0..<cells { row.write(cell) } }
    }

    @Test(arguments: [0, 2, 3])
    func aCodecThatWritesAnotherNumberOfCellsIsAnEncodingFailure(cells: Int) {
        #expect { try Wrong(cells: cells).row() } throws: { ($0 as? ModelError)?.kind == .encodingFailed }
        #expect { try Wrong.rows([Wrong(cells: 1), Wrong(cells: cells)]) } throws: {
            ($0 as? ModelError)?.kind == .encodingFailed
        }
        #expect(throws: Never.self) { try Wrong(cells: 1).row() }
    }

    struct Unwritable: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(Double.nan)
        }
    }

    @Test func anEmbeddedValueThatIsNotJSONIsAnEncodingFailure() {
        var writer = RowWriter(columnCount: 1)
        #expect { try writer.writeEmbedded(Unwritable()) } throws: { ($0 as? ModelError)?.kind == .encodingFailed }
    }

    @Test func theKeyOfAModelHasTheOrderOfThePrimaryKey() throws {
        #expect(try Order(shop: "s", number: 3).recordKey() == RecordKey([.text("s"), .integer(3)]))
        #expect(try Post(id: "p", title: "").recordKey() == RecordKey("p"))
    }

    @Test func aRelationIsOneCellPerFieldOfTheOtherKey() throws {
        let line = OrderLine(id: "l", title: "t", order: Order(shop: "s", number: 3))
        #expect(Array(try line.row()[0]) == [.text("l"), .text("s"), .integer(3), .text("t")])
        let orphan = OrderLine(id: "l", title: "t", order: nil)
        #expect(Array(try orphan.row()[0]) == [.text("l"), .null, .null, .text("t")])
    }

    @Test func aHalfForeignKeyIsNotARelation() throws {
        let rows = RowBuffer(row: [.text("l"), .text("s"), .null, .text("t")])
        let reference: LazyReference<Order> = RowReader(rows, row: 0).reference(1)
        #expect(try reference.key() == nil)
    }

    @Test(arguments: [[], [.text("s")], [.text("s"), .integer(1), .integer(2)]] as [[Value]])
    func aForeignKeyOfAnotherLengthIsAnEncodingFailure(components: [Value]) {
        var writer = RowWriter(columnCount: 4)
        let reference = LazyReference<Order>(key: RecordKey(components), loader: nil)
        #expect { try writer.write(reference) } throws: { ($0 as? ModelError)?.kind == .encodingFailed }
    }
}

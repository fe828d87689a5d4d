import Foundation
import GeneratedModels
import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import LegacyGeneratedModels
import Testing

@testable import HoldfastModel

@Suite struct RowCodecEquivalenceTests {
    /// Cells as the row encoder makes them, whether or not the model has a codec of its own.
    static func encoded<M: Model>(_ models: [M]) throws -> RowBuffer {
        var writer = RowWriter(columnCount: M.schema.columns.count)
        for model in models {
            try RowEncoder.write(model, to: &writer)
            writer.rows.finishRow()
        }
        return writer.finishedRows
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func bothWaysGiveTheSameRowsAndModels(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let posts = (0..<50).map { _ in Post.random(&random) }
        let rows = try Post.rows(posts)
        #expect(try Self.encoded(posts).cells == rows.cells)
        var decoded: [Post] = []
        for row in 0..<rows.rowCount {
            decoded.append(try RowDecoder.decode(Post.self, from: RowReader(rows, row: row)))
        }
        #expect(try Post.rows(decoded).cells == rows.cells)
        let blogs = (0..<20).map { Blog(id: "\($0)", name: .random(&random)) }
        #expect(try Self.encoded(blogs).cells == Blog.rows(blogs).cells)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func everyFieldTypeRoundTrips(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let shelfRow = try Shelf(id: "s", label: "S", capacity: 3, isOpen: true, area: 1.5).row()
        let shelf = try Shelf(row: RowReader(shelfRow, row: 0))
        let parents = ParentRows(["shelf": ParentRows.Relation(shelfRow, by: [0])])
        let items = (0..<30).map { _ in Item.random(&random, shelf: shelf) }
        let rows = try Item.rows(items)
        var decoded: [Item] = []
        try Item.read(rows, loader: nil, parents: parents, into: &decoded)
        #expect(try Item.rows(decoded).cells == rows.cells)
        #expect(try decoded.map { try $0.toJSON() } == items.map { try $0.toJSON() })
    }

    @Test func systemModelsHaveTheSameTwoWays() throws {
        let events = [
            try MutationEvent(model: Receipt(code: "r", total: 1), mutationType: .create),
            try MutationEvent(model: Receipt(code: "s", total: 1), mutationType: .update, version: 3),
        ]
        #expect(try Self.encoded(events).cells == MutationEvent.rows(events).cells)
        let rows = try MutationEvent.rows(events)
        #expect(try RowDecoder.decode(MutationEvent.self, from: RowReader(rows, row: 1)) == events[1])
        let record = MutationSyncMetadata(modelId: "r|1", modelName: "R", deleted: false, lastChangedAt: 5, version: 2)
        #expect(try Self.encoded([record]).cells == record.row().cells)
        #expect(record.modelId == "r|1" && record.modelName == "R")
        let model = ModelSyncMetadata(id: "R", lastSync: nil, syncPredicate: "{}")
        #expect(try Self.encoded([model]).cells == model.row().cells)
    }

    @Test func modelsOfSwift5ModeAreReadAndWritten() throws {
        let album = Album(isbn: "x", edition: 2, title: "T", tags: ["a"], artist: Artist(id: "a", name: "A"))
        let row = try album.row()
        #expect(Album.schema.columns[9] == "artistAlbumsId")
        #expect(row[0, 9] == .text("a"))
        let copy = try Album(row: RowReader(row, row: 0))
        #expect(try copy.recordKey() == RecordKey([.text("x"), .integer(2)]))
        #expect(try copy._artistKey == RecordKey("a"))
    }

    @Test func aWrongCellNamesTheField() throws {
        var row = try Receipt(code: "r", total: 1).row()
        row.set(.text("no number"), row: 0, column: 1)
        let error = #expect(throws: ModelError.self) { try Receipt(row: RowReader(row, row: 0)) }
        #expect(error?.kind == .decodingFailed)
        #expect(error?.message == "A stored row of 'Receipt' does not fit: 'total' has another type.")
        row.set(.null, row: 0, column: 1)
        let null = #expect(throws: ModelError.self) { try Receipt(row: RowReader(row, row: 0)) }
        #expect(null?.message == "A stored row of 'Receipt' does not fit: 'total' is null.")
    }

    /// Lazy models ask for optional values with `try?`; as `nil`, the next save would take what is there away.
    @Test(arguments: [("mood", #"GONE"#), ("home", #"{"street":1}"#), ("createdAt", "no time")])
    func anOptionalValueThatCannotBeReadIsNotTakenForNone(field: String, text: String) throws {
        var row = try Author(id: "a", name: "A").row()
        let column = try #require(Author.schema.columns.firstIndex(of: field))
        row.set(.text(text), row: 0, column: column)
        let error = #expect(throws: ModelError.self) {
            try RowDecoder.decode(Author.self, from: RowReader(row, row: 0))
        }
        #expect(error?.message == "A stored row of 'Author' does not fit: '\(field)' has another type.")
        row.set(.null, row: 0, column: column)
        #expect(try RowDecoder.decode(Author.self, from: RowReader(row, row: 0)).name == "A")
    }

    @Test func aModelMayAskForAnotherTypeOfAValue() throws {
        var row = try Reading(id: "r", value: "12").row()
        #expect(try RowDecoder.decode(Reading.self, from: RowReader(row, row: 0)).value == "12")
        row.set(.integer(12), row: 0, column: 1)
        #expect(try RowDecoder.decode(Reading.self, from: RowReader(row, row: 0)).value == "number 12")
    }
}

/// A model that reads a value as one of two types.
private struct Reading: Model {
    let id: String
    var value: String

    enum CodingKeys: String, ModelKey { case id, value }
    static let keys = CodingKeys.self
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(.field(keys.id), .field(keys.value))
    }

    init(id: String, value: String) { (self.id, self.value) = (id, value) }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        let number = try? values.decode(Int.self, forKey: .value)
        value = try number.map { "number \($0)" } ?? values.decode(String.self, forKey: .value)
    }
}

extension Album {
    /// The key of the artist as it is stored.
    fileprivate var _artistKey: RecordKey? {
        get throws {
            let row = try row()
            return row[0, 9].isNull ? nil : RecordKey([row[0, 9]])
        }
    }
}

extension String {
    fileprivate static func random(_ random: inout SplitMix64) -> String {
        let pieces = ["a", "é", "\"", "\\", "{", "日本", " ", "\n", "🌊", "#", "'", "%"]
        return (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }
}

extension SplitMix64 {
    fileprivate mutating func maybe<T>(_ make: (inout SplitMix64) -> T) -> T? {
        Bool.random(using: &self) ? make(&self) : nil
    }
}

extension Temporal.DateTime {
    fileprivate static func random(_ random: inout SplitMix64) -> Temporal.DateTime {
        let digits = Int.random(in: 0...9, using: &random)
        let nanoseconds = digits == 0 ? 0 : Int32.random(in: 0..<1_000_000_000, using: &random)
        let scale = Int32((0..<(9 - digits)).reduce(1) { value, _ in value * 10 })
        return Temporal.DateTime(
            Timestamp(
                secondsSinceEpoch: .random(in: -1_000_000_000...4_000_000_000, using: &random),
                nanoseconds: nanoseconds / scale * scale,
                tail: WrittenForm(
                    offset: [0, 3_600, -12_600].randomElement(using: &random) ?? 0, fractionDigits: digits)))
    }
}

extension Post {
    fileprivate static func random(_ random: inout SplitMix64) -> Post {
        Post(
            title: .random(&random), rating: random.maybe { .random(in: .min ... .max, using: &$0) },
            status: random.maybe { Bool.random(using: &$0) ? .draft : .published },
            tags: random.maybe { random in (0..<3).map { _ in .random(&random) } },
            createdAt: random.maybe { .random(&$0) }, blog: random.maybe { Blog(id: "b", name: .random(&$0)) })
    }
}

extension Address {
    fileprivate static func random(_ random: inout SplitMix64) -> Address {
        Address(
            street: .random(&random), floors: random.maybe { [1, .random(in: 0...9, using: &$0)] },
            position: random.maybe { Position(latitude: .random(in: -90...90, using: &$0), longitude: 0.1) })
    }
}

extension Item {
    fileprivate static func random(_ random: inout SplitMix64, shelf: Shelf) -> Item {
        let day = CalendarDate(daysSinceEpoch: .random(in: 0...30_000, using: &random))
        let nanoseconds = Int64.random(in: 0..<86_400, using: &random) * 1_000_000_000
        let time = ClockTime(nanosecondsSinceMidnight: nanoseconds, tail: WrittenForm(offset: nil))
        return Item(
            title: .random(&random), pages: random.maybe { .random(in: .min ... .max, using: &$0) },
            weight: random.maybe { .random(in: -1e300...1e300, using: &$0) },
            isLent: random.maybe { .random(using: &$0) },
            released: random.maybe { _ in Temporal.Date(day) }, returned: random.maybe { .random(&$0) },
            reading: random.maybe { _ in Temporal.Time(time) }, stamp: random.maybe { .random(in: -9...9, using: &$0) },
            extra: random.maybe { "{\"a\":" + String(Int.random(in: 0...9, using: &$0)) + "}" },
            day: random.maybe { _ in .default }, days: random.maybe { _ in [.monday, nil, .friday] },
            tags: random.maybe { [.random(&$0), .random(&$0)] }, ratings: random.maybe { _ in [1, nil, 2.5] },
            origin: random.maybe { .random(&$0) }, history: random.maybe { [.random(&$0), nil, .random(&$0)] },
            shelf: shelf)
    }
}

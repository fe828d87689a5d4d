import HoldfastAdapterKit
import HoldfastStorage
import Testing

@Suite struct ChangeCodecTests {
    @Test func everyEffectIsDecodedAsItWasEncoded() throws {
        let effects: [CommittedChange.Effect] = [.created, .replaced, .put, .deleted]
        let records = effects.enumerated().map { number, effect in
            CommittedChange.Record("Note", RecordKey([.integer(Int64(number)), .text("k")]), effect)
        }
        let change = CommittedChange(sequence: 9, records: records, wholeEntities: ["Other"])
        #expect(try ChangeCodec.decode(ChangeCodec.encode(change), sequence: 9) == change)
    }

    @Test func theFormIsThatOfOneListOfKeys() {
        let records = [
            CommittedChange.Record("Note", RecordKey([.text("a"), .integer(7)]), .created),
            CommittedChange.Record("Note", RecordKey([.text("b\0"), .integer(8)]), .deleted),
            CommittedChange.Record("Memo", RecordKey([.date(CalendarDate(daysSinceEpoch: 1))]), .put),
        ]
        let list = Value.list([
            .text("Other"), .list([.text("Note"), .integer(1), .text("a"), .integer(7)]),
            .list([.text("Note"), .boolean(false), .text("b\0"), .integer(8)]),
            .list([.text("Memo"), .boolean(true), .date(CalendarDate(daysSinceEpoch: 1))]),
        ])
        let change = CommittedChange(sequence: 1, records: records, wholeEntities: ["Other"])
        #expect(ChangeCodec.encode(change) == KeyCodec.encode([list]))
    }

    /// What was written before created and replaced were distinguished.
    @Test func olderEntriesAreReadAsTheyWereMeant() throws {
        let list = Value.list([
            .list([.text("Note"), .boolean(true), .text("a")]), .list([.text("Note"), .boolean(false), .text("b")]),
        ])
        let change = try ChangeCodec.decode(KeyCodec.encode([list]), sequence: 3)
        #expect(change.records.map(\.effect) == [.put, .deleted])
    }

    @Test func anUnknownEffectIsDamage() {
        let list = Value.list([.list([.text("Note"), .integer(3), .text("a")])])
        #expect(throws: StorageError.self) { try ChangeCodec.decode(KeyCodec.encode([list]), sequence: 3) }
    }
}

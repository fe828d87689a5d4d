import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct RecordKeyTests {
    private func key(_ text: String) throws -> RecordKey {
        RecordKey([.text("a"), try FieldType.dateTime.canonical(.text(text))])
    }

    @Test func keysOfOneInstantAreEqualForAnyOffset() throws {
        let first = try key("2024-01-01T01:00:00+01:00")
        let second = try key("2024-01-01T00:00:00.000Z")
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(!(first < second) && !(second < first))
        #expect(Set([first, second]).count == 1)
    }

    @Test func keysOfOneDayOrTimeAreEqualInAnyWrittenForm() throws {
        let dates = try ["2024-01-01", "2024-01-01Z"].map { RecordKey([try FieldType.date.canonical(.text($0))]) }
        let times = try ["10:00", "10:00:00.0Z"].map { RecordKey([try FieldType.time.canonical(.text($0))]) }
        #expect(Set(dates).count == 1)
        #expect(Set(times).count == 1)
    }

    @Test func composedAndDecomposedKeysAreTwo() {
        #expect(Set([RecordKey("\u{E9}"), RecordKey("e\u{301}")]).count == 2)
    }

    @Test func componentsAreNotRunTogether() {
        let first = RecordKey([.text("a#b"), .text("c")])
        #expect(first != RecordKey([.text("a"), .text("b#c")]))
        #expect(RecordKey([.text("ab"), .text("")]) != RecordKey([.text("a"), .text("b")]))
    }

    @Test func keysSortByComponents() {
        let keys: [RecordKey] = [
            RecordKey([.integer(2), .text("a")]), RecordKey([.integer(-1), .text("b")]),
            RecordKey([.integer(-1), .text("a")]),
        ]
        #expect(keys.sorted() == [keys[2], keys[1], keys[0]])
    }

    @Test func equalKeysHaveEqualHashes() {
        for type in FieldType.scalars + [.bytes] {
            let keys = ValuePool.values(of: type).map { RecordKey([$0]) }
            for left in keys {
                for right in keys where left == right { #expect(left.hashValue == right.hashValue) }
            }
        }
    }
}

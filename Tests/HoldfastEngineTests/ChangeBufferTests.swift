import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct ChangeBufferTests {
    static let entity = EntitySchema("E", fields: [FieldSchema("id", .string), FieldSchema("value", .int)])

    static func set(_ sequence: UInt64, _ changes: [(ChangeKind, String, Int)]) -> ChangeSet {
        var rows = RowBuffer(columnCount: 2)
        for (_, id, value) in changes { rows.append([.text(id), .integer(Int64(value))]) }
        return ChangeSet(sequence: sequence, entity: entity, kinds: changes.map(\.0), rows: rows)
    }

    static func texts(_ sets: [ChangeSet]) -> [String] {
        sets.flatMap { set in
            set.kinds.indices.map { row in
                guard case .text(let id) = set.rows[row, 0], case .integer(let value) = set.rows[row, 1] else {
                    return "?"
                }
                return "\(set.kinds[row]) \(id)=\(value)"
            }
        }
    }

    /// Changes of other records, so many that everything is folded.
    static let filler = set(1_000, (0..<ChangeBuffer.capacity).map { (.updated, "filler\($0)", 0) })

    @Test func upToItsCapacityEveryChangeIsKept() {
        var buffer = ChangeBuffer()
        for number in 0..<ChangeBuffer.capacity { buffer.append(Self.set(UInt64(number), [(.updated, "a", number)])) }
        let sets = buffer.take()
        #expect(sets.map(\.sequence) == (0..<UInt64(ChangeBuffer.capacity)).map { $0 })
        #expect(Self.texts(sets).last == "updated a=\(ChangeBuffer.capacity - 1)")
        #expect(buffer.take().isEmpty)
    }

    @Test func beyondItsCapacityTheNewestStateOfEachRecordIsKept() {
        var buffer = ChangeBuffer()
        for number in 0...ChangeBuffer.capacity {
            buffer.append(Self.set(UInt64(number), [(.updated, number.isMultiple(of: 2) ? "a" : "b", number)]))
        }
        let sets = buffer.take()
        #expect(Self.texts(sets) == ["updated a=\(ChangeBuffer.capacity)", "updated b=\(ChangeBuffer.capacity - 1)"])
        #expect(sets.last?.sequence == UInt64(ChangeBuffer.capacity))
    }

    @Test(
        arguments: [
            ([.created, .updated], "created a=1"), ([.created, .deleted], nil), ([.updated, .updated], "updated a=1"),
            ([.updated, .deleted], "deleted a=1"), ([.deleted, .created], "updated a=1"),
            ([.created, .deleted, .created], "created a=2"), ([.deleted, .created, .deleted], "deleted a=2"),
            ([.created, .updated, .deleted], nil), ([.updated, .deleted, .created, .updated], "updated a=3"),
            ([.created, .deleted, .created, .deleted], nil),
        ] as [([ChangeKind], String?)])
    func changesOfOneRecordFold(kinds: [ChangeKind], folded: String?) {
        var buffer = ChangeBuffer()
        for (number, kind) in kinds.enumerated() { buffer.append(Self.set(UInt64(number), [(kind, "a", number)])) }
        buffer.append(Self.filler)
        let texts = Self.texts(buffer.take())
        #expect(texts.filter { $0.contains(" a=") } == (folded.map { [$0] } ?? []))
        #expect(texts.count == ChangeBuffer.capacity + (folded == nil ? 0 : 1))
    }

    @Test func changesOfOneRecordFoldWithinOneCommitToo() {
        var buffer = ChangeBuffer()
        buffer.append(Self.set(1, [(.created, "a", 1), (.created, "b", 1)]))
        buffer.append(Self.set(2, [(.deleted, "b", 1), (.updated, "a", 2)]))
        buffer.append(Self.filler)
        #expect(Self.texts(buffer.take()).prefix(2) == ["created a=2", "updated filler0=0"])
    }

    @Test func moreRecordsThanTheCapacityAreAllKept() {
        var buffer = ChangeBuffer()
        let count = ChangeBuffer.capacity * 3
        for number in 0..<count { buffer.append(Self.set(UInt64(number), [(.created, "r\(number)", number)])) }
        #expect(Self.texts(buffer.take()) == (0..<count).map { "created r\($0)=\($0)" })
    }

    /// However changes come and are folded, replaying them gives the records as they are at last.
    @Test(arguments: 0..<20)
    func replayingWhatIsLeftGivesTheNewestState(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var buffer = ChangeBuffer()
        var state: [String: Int] = [:]
        var replayed: [String: Int] = [:]
        for number in 0..<15_000 {
            let id = "r\(random.below(50))"
            let kind: ChangeKind = state[id] == nil ? .created : random.chance(40) ? .deleted : .updated
            buffer.append(Self.set(UInt64(number), [(kind, id, number)]))
            state[id] = kind == .deleted ? nil : number
            if random.below(6_000) == 0 { Self.replay(buffer.take(), on: &replayed) }
        }
        Self.replay(buffer.take(), on: &replayed)
        #expect(replayed == state)
    }

    static func replay(_ sets: [ChangeSet], on state: inout [String: Int]) {
        for set in sets {
            for row in set.kinds.indices {
                guard case .text(let id) = set.rows[row, 0], case .integer(let value) = set.rows[row, 1] else {
                    continue
                }
                switch set.kinds[row] {
                case .created: #expect(state.updateValue(Int(value), forKey: id) == nil)
                case .updated: #expect(state.updateValue(Int(value), forKey: id) != nil)
                case .deleted: #expect(state.removeValue(forKey: id) != nil)
                }
            }
        }
    }
}

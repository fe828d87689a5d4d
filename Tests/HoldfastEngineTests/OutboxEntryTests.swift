import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct OutboxEntryTests {
    static let all = ["id", "a", "b", "c"]

    static func entry(
        _ operation: OutboxEntry.Operation, _ fields: [String] = [], position: Int64 = 9
    ) -> OutboxEntry {
        OutboxEntry(
            model: "M", key: "k", position: position, operation: operation, changedFields: fields, baseVersion: 7)
    }

    @Test(
        arguments: [
            (entry(.create), entry(.create), entry(.create)),
            (entry(.create), entry(.update, ["a"]), entry(.create)),
            (entry(.create), entry(.delete), nil),
            (entry(.update, ["c", "a"]), entry(.create), entry(.update, all)),
            (entry(.update, ["c"]), entry(.update, ["a"]), entry(.update, ["a", "c"])),
            (entry(.update, ["a"]), entry(.update, ["a"]), entry(.update, ["a"])),
            (entry(.update, ["a"]), entry(.delete), entry(.delete)),
            (entry(.delete), entry(.create), entry(.update, all)),
            (entry(.delete), entry(.update, ["a"]), entry(.update, all)),
            (entry(.delete), entry(.delete), entry(.delete)),
        ] as [(OutboxEntry, OutboxEntry, OutboxEntry?)])
    func everyPairOfOperationsFolds(pending: OutboxEntry, later: OutboxEntry, folded: OutboxEntry?) {
        var later = later
        later.position = 50
        later.baseVersion = nil
        #expect(pending.folding(later, allFields: Self.all) == folded)
    }

    /// An application that starts offline does not know yet who is signed in.
    @Test func whatNoOneChangedFoldsWithTheChangeOfAnyone() {
        func entry(_ operation: OutboxEntry.Operation, by identity: String?) -> OutboxEntry {
            var entry = Self.entry(operation)
            entry.identity = identity
            return entry
        }
        for (earlier, later) in [("user", "user"), (nil, "user"), ("user", nil)] {
            let pending = entry(.create, by: earlier)
            #expect(pending.canFold(entry(.delete, by: later)))
            #expect(pending.canFold(entry(.update, by: later)))
            #expect(pending.folding(entry(.update, by: later), allFields: Self.all)?.identity == "user")
        }
        #expect(!entry(.create, by: "other").canFold(entry(.delete, by: "user")))
        var sent = entry(.create, by: nil)
        sent.payload = "{}"
        #expect(!sent.canFold(entry(.delete, by: "user")))
    }

    /// A deletion that goes with another one may be taken back, and an edit would be lost with it.
    @Test func aDeletionThatGoesWithAnotherDoesNotFoldIntoAnUpdate() {
        var deletion = Self.entry(.delete)
        deletion.cascade = SendOrder.Record(model: "M", key: "parent")
        #expect(!Self.entry(.update, ["a"]).canFold(deletion) && Self.entry(.create).canFold(deletion))
        #expect(deletion.canFold(Self.entry(.create)))
        #expect(deletion.folding(Self.entry(.create), allFields: Self.all) == Self.entry(.update, Self.all))
    }

    @Test func aFoldedDeletionSaysWhenItWasMade() throws {
        var deletion = Self.entry(.delete, position: 50)
        deletion.deletedAt = 50
        let folded = try #require(Self.entry(.update, ["a"]).folding(deletion, allFields: Self.all))
        #expect(folded.position == 9 && folded.deletedAt == 50)
        #expect(folded.folding(Self.entry(.create), allFields: Self.all)?.deletedAt == nil)
    }

    @Test func anEntryIsReadBackFromItsRow() throws {
        var rows = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
        var deletion = Self.entry(.delete)
        deletion.cascade = SendOrder.Record(model: "M", key: "a:\u{301}b")
        deletion.deletedAt = 12
        let entries = [Self.entry(.create), Self.entry(.update, ["a", "b"]), deletion]
        for entry in entries { entry.append(to: &rows) }
        #expect((0..<3).map { OutboxEntry(rows[$0]) } == entries)
        rows.set(.text("gone"), row: 0, column: 4)
        rows.set(.text("1"), row: 1, column: 2)
        #expect(OutboxEntry(rows[0]) == nil && OutboxEntry(rows[1]) == nil)
        #expect(throws: Never.self) { try StorageSchema(entities: [OutboxEntry.entity]) }
    }

    // MARK: - Key text

    @Test func keysOfTwoTextsHaveTextsOfTheirOwn() {
        var texts = [""]
        for _ in 0..<3 { texts += texts.flatMap { text in ["#", "\\", "a"].map { text + $0 } } }
        texts =
            Array(Set(texts)) + ["\u{e9}", "e\u{301}", "e", "\u{301}", "\u{e9}#", "#\u{301}", "\\\u{301}", "1", "-1"]
        var seen: [[UInt8]: RecordKey] = [:]
        for left in texts {
            for right in texts {
                let key = RecordKey([.text(left), .text(right)])
                let other = seen.updateValue(key, forKey: Array(key.outboxText.utf8))
                #expect(other == nil, "\(key) and \(String(describing: other))")
            }
        }
    }

    @Test func keysOfThreePartsHaveTextsOfTheirOwn() {
        var random = SplitMix64(seed: 11)
        let parts = ["", "#", "\\", "\\#", "#\\", "\\\\", "a", "a#b", "\u{301}"]
        var seen: [[UInt8]: RecordKey] = [:]
        for _ in 0..<4_000 {
            let key = RecordKey([
                .text(random.pick(parts)), .integer(Int64(random.below(3)) - 1),
                .text(random.pick(parts) + random.pick(parts)),
            ])
            let other = seen.updateValue(key, forKey: Array(key.outboxText.utf8))
            #expect(other.map { $0 == key } ?? true)
        }
    }

    @Test func aSingleTextIsItsOwnKeyText() {
        for text in ["", "#", "\\#", "e\u{301}"] { #expect(Array(RecordKey(text).outboxText.utf8) == Array(text.utf8)) }
    }

    @Test(
        arguments: [
            ([.double(0)], [.double(-0.0)]),
            (
                [.timestamp(Timestamp(secondsSinceEpoch: 5, nanoseconds: 0, tail: WrittenForm(offset: 0)))],
                [
                    .timestamp(
                        Timestamp(
                            secondsSinceEpoch: 5, nanoseconds: 0, tail: WrittenForm(offset: 3_600, fractionDigits: 3)))
                ]
            ),
            (
                [.date(CalendarDate(daysSinceEpoch: 5))],
                [.date(CalendarDate(daysSinceEpoch: 5, tail: WrittenForm(offset: 0)))]
            ),
            (
                [.time(ClockTime(nanosecondsSinceMidnight: 5, tail: WrittenForm(offset: nil, fractionDigits: 9)))],
                [.time(ClockTime(nanosecondsSinceMidnight: 5, tail: WrittenForm(offset: 60, fractionDigits: 9)))]
            ),
        ] as [([Value], [Value])])
    func equalKeysHaveOneText(left: [Value], right: [Value]) {
        #expect(RecordKey(left) == RecordKey(right))
        #expect(RecordKey(left).outboxText == RecordKey(right).outboxText)
    }

    // MARK: - Clock

    @Test func positionsAlwaysIncreaseRegardlessOfTheClock() {
        var random = SplitMix64(seed: 3)
        let times = (0..<2_000).map { _ in Int64(random.below(500)) - 250 }
        let next = Mutex(0)
        let clock = OutboxClock(now: {
            next.withLock { next in
                next += 1
                return times[next - 1]
            }
        })
        var last = Int64.min
        for _ in times {
            let count = random.number(in: 1...5)
            let first = clock.reserve(count)
            #expect(first > last)
            last = first + Int64(count) - 1
        }
    }

    @Test func positionsIncreaseWhileTheClockIsStopped() {
        let clock = OutboxClock(now: { 7 })
        #expect((0..<4).map { _ in clock.reserve(1) } == [7, 8, 9, 10])
    }

    @Test func aClockThatRunsAheadIsFollowed() {
        let time = Mutex<Int64>(0)
        let clock = OutboxClock(now: { time.withLock { $0 } })
        #expect(clock.reserve(3) == 0)
        #expect(clock.reserve(1) == 3)
        time.withLock { $0 = 1_000 }
        #expect(clock.reserve(1) == 1_000)
    }

    @Test func ownCommitsAreKnownAlsoIfOneBeforeThemIsNot() {
        let clock = OutboxClock(now: { 0 })
        #expect(!clock.covers([0]))
        clock.update(nil, asOf: 3)
        #expect(clock.covers([3, 1]))
        clock.committed(5)
        #expect(clock.covers([5, 2]))
        #expect(!clock.covers([4]))
        #expect(!clock.covers([5, 4]))
        #expect(!clock.covers([6]))
        clock.committed(4)
        clock.committed(6)
        #expect(clock.covers([4, 5, 6]))
        clock.update(9, asOf: 8)
        #expect(clock.covers([7, 8]))
        #expect(clock.reserve(1) == 10)
    }

    @Test func concurrentReservationsNeverOverlap() async {
        let clock = OutboxClock(now: { 0 })
        let positions = await withTaskGroup { group in
            for _ in 0..<16 { group.addTask { (0..<100).map { _ in clock.reserve(3) } } }
            return await group.reduce(into: [Int64]()) { $0 += $1 }
        }
        #expect(positions.sorted() == (0..<1_600).map { $0 * 3 })
    }
}

import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
import Testing

@testable import HoldfastServer

@Suite struct EventHubTests {
    let model: ServerModel

    init() throws {
        let text = "type A @model @auth(rules: [{ allow: public }]) { text: String }"
        model = try #require(try ServerSchema(sources: [Source(text)], defaultMode: .apiKey).models.first)
    }

    func event(_ sequence: UInt64) -> Event {
        Event(model: model, operation: .create, row: [], sequence: sequence)
    }

    /// Commits return in any order; events come in the order of their sequences, each once.
    @Test(arguments: 0..<200) func eventsComeInTheOrderOfCommits(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let hub = EventHub(followsFeed: false)
        let delivered = Mutex<[UInt64]>([])
        _ = hub.listen(to: model, .create) { event in delivered.withLock { $0.append(event?.sequence ?? 0) } }
        // A commit begins, gets a sequence, and returns, in this order; steps of several are mixed.
        var begun: [UInt64] = []
        var committed: [(ticket: UInt64, sequence: UInt64)] = []
        var sequence: UInt64 = 0
        var expected: [UInt64] = []
        for _ in 0..<60 {
            switch random.below(3) {
            case 0: begun.append(hub.begin())
            case 1 where !begun.isEmpty:
                sequence += 1
                committed.append((begun.remove(at: random.below(begun.count)), sequence))
            case 2 where !committed.isEmpty:
                let (ticket, sequence) = committed.remove(at: random.below(committed.count))
                let failed = random.below(5) == 0
                hub.end(ticket, failed ? [] : [event(sequence)])
                if !failed { expected.append(sequence) }
            default: break
            }
        }
        for (ticket, sequence) in committed {
            hub.end(ticket, [event(sequence)])
            expected.append(sequence)
        }
        for ticket in begun { hub.end(ticket, []) }
        #expect(delivered.withLock { $0 } == expected.sorted(), "seed \(seed)")
    }

    @Test func listenersReceiveTheirTopicUntilTheyLeave() {
        let hub = EventHub(followsFeed: false)
        let delivered = Mutex<[UInt64]>([])
        let listener = hub.listen(to: model, .create) { event in delivered.withLock { $0.append(event?.sequence ?? 0) }
        }
        var other = event(1)
        other.operation = .delete
        hub.end(hub.begin(), [other])
        hub.end(hub.begin(), [event(2)])
        hub.reportGap()
        hub.remove(listener)
        hub.end(hub.begin(), [event(3)])
        #expect(delivered.withLock { $0 } == [2, 0])
    }

    /// Events can come later than a listener, but commits that had ended before it are not for it.
    ///
    /// With a feed that is not enough: queries may lack a commit that has ended, as long as one with a lower sequence runs.
    /// Of two commits at the same time, the one with the lower sequence may end last.
    @Test(arguments: [true, false]) func listenersReceiveWhatEndsAfterThem(followsFeed: Bool) {
        let hub = EventHub(followsFeed: followsFeed)
        let delivered = Mutex<[String]>([])
        let listen = { (name: String) in
            _ = hub.listen(to: model, .create) { event in
                delivered.withLock { $0.append("\(name)\(event?.sequence ?? 0)") }
            }
        }
        hub.end(hub.begin(), [event(98)])
        listen("a")
        let slow = hub.begin()
        hub.end(hub.begin(), [event(100)])
        listen("b")
        hub.end(slow, [event(99)])
        // The feed knows a commit of another process.
        for sequence in UInt64(97)...100 where followsFeed {
            for event in hub.takeOwn(sequence) ?? [event(sequence)] { hub.publish(event) }
        }
        let expected = ["a99", "b99", "a100"] + (followsFeed ? ["a97", "b97", "a98", "b98", "b100"] : [])
        #expect(delivered.withLock { $0.sorted() } == expected.sorted())
    }

    /// What the feed does not find here it reads from the store, so the events of a commit are kept together.
    @Test func eventsOfOneCommitStayTogether() {
        let hub = EventHub(followsFeed: true)
        hub.end(hub.begin(), [event(1)])
        _ = hub.listen(to: model, .create) { _ in }
        var (first, second) = (event(2), event(3))
        first.operation = .delete
        // It may go out as the creation of the record, too.
        second.operation = .update
        hub.end(hub.begin(), [first, event(2)])
        hub.end(hub.begin(), [second])
        #expect(hub.takeOwn(1) == nil)
        #expect(hub.takeOwn(2)?.map(\.operation) == [.delete, .create])
        #expect(hub.takeOwn(3)?.map(\.operation) == [.update])
        #expect(hub.takeOwn(4) == nil)
    }

    /// What the feed does not find here it reads from the store, so nothing is lost by forgetting.
    @Test func eventsThatWaitForAFeedAreBounded() {
        let hub = EventHub(followsFeed: true)
        _ = hub.listen(to: model, .create) { _ in }
        for sequence in UInt64(1)...1_100 { hub.end(hub.begin(), [event(sequence)]) }
        #expect(hub.takeOwn(1_000)?.count == 1)
        #expect(hub.takeOwn(1_001) == nil)
        // Those that the feed has passed make room.
        hub.end(hub.begin(), [event(1_101)])
        #expect(hub.takeOwn(1_101)?.count == 1)
        hub.end(hub.begin(), [event(1_102)])
        hub.reportGap()
        #expect(hub.takeOwn(1_102) == nil)
    }
}

@Suite struct SipHashTests {
    /// The first vectors of the reference for 128 bits: a key of 0…15, messages of 0, 1, … bytes.
    @Test func digestsAreThoseOfTheReference() {
        let key: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)
        let empty: [UInt8] = [
            0xA3, 0x81, 0x7F, 0x04, 0xBA, 0x25, 0xA8, 0xE6, 0x6D, 0xF6, 0x72, 0x14, 0xC7, 0x55, 0x02, 0x93,
        ]
        #expect(SipHash.digest([], key: key) == empty)
        let digests = (0..<40).map { SipHash.digest(Array(0..<UInt8($0)), key: key) }
        #expect(Set(digests).count == 40)
        #expect(digests.allSatisfy { $0.count == 16 })
    }

    @Test func pageTokensKeepEveryKind() throws {
        let token = PageToken(
            label: -5, after: 1, through: .max, version: 3,
            cursor: [
                .null, .boolean(true), .integer(.min), .double(-1.5), .text("ä"),
                .date(try CalendarDate(parsing: "2024-02-29")),
                .time(try ClockTime(parsing: "08:30:00.5Z")),
                .timestamp(try Timestamp(parsing: "2024-02-29T08:30:00.50+02:00")),
            ])
        let text = token.text(secret: (1, 2), context: "c")
        #expect(PageToken(text: text, secret: (1, 2), context: "c") == token)
        #expect(PageToken(text: text, secret: (1, 3), context: "c") == nil)
        #expect(PageToken(text: text, secret: (1, 2), context: "d") == nil)
    }
}

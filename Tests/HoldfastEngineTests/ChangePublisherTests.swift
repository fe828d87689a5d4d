import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

struct ChangePublisherTests {
    func set(_ sequence: UInt64, _ entity: String = "E") -> ChangeSet {
        ChangeSet(
            sequence: sequence, entity: EntitySchema(entity, fields: [FieldSchema("id", .int)]), kinds: [.created],
            rows: RowBuffer(row: [.integer(Int64(sequence))]))
    }

    func publish(_ sequence: UInt64, _ entity: String = "E", to publisher: ChangePublisher) throws {
        publisher.end(try publisher.begin(), sequence: sequence, [set(sequence, entity)])
    }

    @Test func subscribersGetTheChangesOfTheirEntityFromNowOn() async throws {
        let publisher = ChangePublisher()
        try publish(1, to: publisher)
        let first = publisher.subscribe(to: "E")
        try publish(2, to: publisher)
        try publish(3, "F", to: publisher)
        let second = publisher.subscribe(to: "E")
        let other = publisher.subscribe(to: "F")
        try publish(4, to: publisher)
        #expect(try await first.next()?.map(\.sequence) == [2, 4])
        try publish(5, to: publisher)
        #expect(try await first.next()?.map(\.sequence) == [5])
        #expect(try await second.next()?.map(\.sequence) == [4, 5])
        await publisher.finish()
        #expect(try await other.next() == nil)
    }

    @Test func whatWasPublishedBeforeTheEndIsStillTaken() async throws {
        let publisher = ChangePublisher()
        let subscription = publisher.subscribe(to: "E")
        try publish(1, to: publisher)
        await publisher.finish()
        #expect(try await subscription.next()?.map(\.sequence) == [1])
        #expect(try await subscription.next() == nil)
        #expect(try await subscription.next() == nil)
    }

    @Test func aSubscriptionAfterTheEndIsOver() async throws {
        let publisher = ChangePublisher()
        await publisher.finish()
        #expect(try await publisher.subscribe(to: "E").next() == nil)
    }

    /// A commit that changes nothing has the sequence of the last commit, which another handle may have made.
    @Test func aCommitThatChangesNothingHidesNoCommitOfAnotherHandle() async throws {
        let publisher = ChangePublisher()
        publisher.expectFeed()
        let subscription = publisher.subscribe(to: "E")
        publisher.end(try publisher.begin(), sequence: 7, [])
        publisher.received(7, [set(7)])
        await publisher.finish()
        #expect(try await subscription.next()?.map(\.sequence) == [7])
    }

    /// A log forgets the commits of a handle that makes very many before the handle reads it.
    @Test(arguments: [false, true])
    func commitsThatTheFeedHasForgottenAreMissedUnlessTheyAreKnown(hasOther: Bool) async throws {
        let publisher = ChangePublisher()
        publisher.expectFeed()
        let subscription = publisher.subscribe(to: "E")
        for sequence in 1...9 as ClosedRange<UInt64> where sequence != 5 || !hasOther {
            try publish(sequence, to: publisher)
        }
        publisher.received(1, [set(1)])
        publisher.missed(through: 7, [.missed(set(7).entity, through: 7)])
        publisher.received(8, [set(8)])
        await publisher.finish()
        let taken = try await subscription.next() ?? []
        #expect(taken.contains { $0.knowledge == .missed } == hasOther)
        #expect(taken.count { $0.knowledge == .certain } == (hasOther ? 8 : 9))
    }

    @Test func aDroppedSubscriptionIsRemoved() throws {
        let publisher = ChangePublisher()
        weak var dropped: ChangeSubscription?
        do {
            let subscription = publisher.subscribe(to: "E")
            dropped = subscription
            try publish(1, to: publisher)
        }
        #expect(dropped == nil)
        try publish(2, to: publisher)
    }

    @Test func aWaitingConsumerIsWokenByAChange() async throws {
        let publisher = ChangePublisher()
        let subscription = publisher.subscribe(to: "E")
        for sequence in 1...50 as ClosedRange<UInt64> {
            async let taken = subscription.next()
            await Task.yield()
            try publish(sequence, to: publisher)
            #expect(try await taken?.map(\.sequence) == [sequence])
        }
    }

    @Test(arguments: 0..<20)
    func cancellingAConsumerEndsItsWait(yields: Int) async throws {
        let subscription = ChangePublisher().subscribe(to: "E")
        let consumer = Task { try await subscription.next() == nil }
        for _ in 0..<yields { await Task.yield() }
        consumer.cancel()
        #expect(try await consumer.value)
    }

    @Test func aCancelledConsumerLeavesTheChangesToTheNext() async throws {
        let publisher = ChangePublisher()
        let subscription = publisher.subscribe(to: "E")
        let consumer = Task { try await subscription.next() == nil }
        consumer.cancel()
        #expect(try await consumer.value)
        try publish(1, to: publisher)
        #expect(try await subscription.next()?.map(\.sequence) == [1])
    }

    @Test func aConsumerThatIsCancelledWhileItPreparesLeavesTheChangesToTheNext() async throws {
        let publisher = ChangePublisher()
        let (reached, resumed) = (Gate(), Gate())
        let subscription = publisher.subscribe(to: ["E"]) { changes in
            reached.open()
            await resumed.wait()
            try StorageError.checkCancellation()
            return changes
        }
        try publish(1, to: publisher)
        let consumer = Task { try await subscription.next() == nil }
        await reached.wait()
        try publish(2, to: publisher)
        consumer.cancel()
        resumed.open()
        #expect(try await consumer.value)
        #expect(try await subscription.next()?.map(\.sequence) == [1, 2])
    }

    /// The consumer prepares changes while the store closes; once it is closed, none can be prepared.
    @Test(arguments: 0..<50)
    func whatIsLeftAtTheEndIsPreparedBeforeIt(number: Int) async throws {
        let publisher = ChangePublisher()
        let isClosed = Mutex(false)
        let subscription = publisher.subscribe(to: ["E"]) { changes in
            for _ in 0..<number % 5 { await Task.yield() }
            if isClosed.load() { throw StorageError(.closed, "Closed.") }
            return changes
        }
        for sequence in 1...20 as ClosedRange<UInt64> { try publish(sequence, to: publisher) }
        let consumer = Task {
            var taken: [UInt64] = []
            while let changes = try await subscription.next(atMost: 1) { taken += changes.map(\.sequence) }
            return taken
        }
        for _ in 0..<number { await Task.yield() }
        await publisher.finish()
        isClosed.store(true)
        #expect(try await consumer.value == Array(1...20))
    }

    @Test func theChangesOfACommitAreTakenTogether() async throws {
        let publisher = ChangePublisher()
        let subscription = publisher.subscribe(to: "E")
        let publishing = Task.detached {
            for sequence in 1...3_000 as ClosedRange<UInt64> {
                publisher.end(
                    try publisher.begin(), sequence: sequence,
                    [set(sequence, "E"), set(sequence, "F"), set(sequence, "E"), set(sequence, "E")])
            }
            await publisher.finish()
        }
        var torn = 0
        while let taken = try await subscription.next() {
            if taken.count % 3 != 0 { torn += 1 }
        }
        try await publishing.value
        #expect(torn == 0)
    }

    @Test func theEndWakesAWaitingConsumer() async throws {
        let publisher = ChangePublisher()
        let subscription = publisher.subscribe(to: "E")
        async let taken = subscription.next()
        await Task.yield()
        await publisher.finish()
        #expect(try await taken == nil)
    }
}

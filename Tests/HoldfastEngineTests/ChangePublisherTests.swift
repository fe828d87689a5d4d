import HoldfastStorage
import Testing

@testable import HoldfastEngine

@Suite(.timeLimit(.minutes(1))) struct ChangePublisherTests {
    func set(_ sequence: UInt64, _ entity: String = "E") -> ChangeSet {
        ChangeSet(
            sequence: sequence, entity: EntitySchema(entity, fields: [FieldSchema("id", .int)]), kinds: [.created],
            rows: RowBuffer(row: [.integer(Int64(sequence))]))
    }

    func publish(_ sequence: UInt64, _ entity: String = "E", to publisher: ChangePublisher) {
        publisher.end(publisher.begin(), sequence: sequence, [set(sequence, entity)])
    }

    @Test func subscribersGetTheChangesOfTheirEntityFromNowOn() async throws {
        let publisher = ChangePublisher()
        publish(1, to: publisher)
        let first = publisher.subscribe(to: "E")
        publish(2, to: publisher)
        publish(3, "F", to: publisher)
        let second = publisher.subscribe(to: "E")
        let other = publisher.subscribe(to: "F")
        publish(4, to: publisher)
        #expect(await first.next()?.map(\.sequence) == [2, 4])
        publish(5, to: publisher)
        #expect(await first.next()?.map(\.sequence) == [5])
        #expect(await second.next()?.map(\.sequence) == [4, 5])
        publisher.finish()
        #expect(await other.next() == nil)
    }

    @Test func whatWasPublishedBeforeTheEndIsStillTaken() async {
        let publisher = ChangePublisher()
        let subscription = publisher.subscribe(to: "E")
        publish(1, to: publisher)
        publisher.finish()
        #expect(await subscription.next()?.map(\.sequence) == [1])
        #expect(await subscription.next() == nil)
        #expect(await subscription.next() == nil)
    }

    @Test func aSubscriptionAfterTheEndIsOver() async {
        let publisher = ChangePublisher()
        publisher.finish()
        #expect(await publisher.subscribe(to: "E").next() == nil)
    }

    @Test func aDroppedSubscriptionIsForgotten() {
        let publisher = ChangePublisher()
        weak var dropped: ChangeSubscription?
        do {
            let subscription = publisher.subscribe(to: "E")
            dropped = subscription
            publish(1, to: publisher)
        }
        #expect(dropped == nil)
        publish(2, to: publisher)
    }

    @Test func aWaitingConsumerIsWokenByAChange() async {
        let publisher = ChangePublisher()
        let subscription = publisher.subscribe(to: "E")
        for sequence in 1...50 as ClosedRange<UInt64> {
            async let taken = subscription.next()
            await Task.yield()
            publish(sequence, to: publisher)
            #expect(await taken?.map(\.sequence) == [sequence])
        }
    }

    @Test(arguments: 0..<20)
    func cancellingAConsumerEndsItsWait(yields: Int) async {
        let subscription = ChangePublisher().subscribe(to: "E")
        let consumer = Task { await subscription.next() == nil }
        for _ in 0..<yields { await Task.yield() }
        consumer.cancel()
        #expect(await consumer.value)
    }

    @Test func aCancelledConsumerLeavesTheChangesToTheNext() async {
        let publisher = ChangePublisher()
        let subscription = publisher.subscribe(to: "E")
        let consumer = Task { await subscription.next() == nil }
        consumer.cancel()
        #expect(await consumer.value)
        publish(1, to: publisher)
        #expect(await subscription.next()?.map(\.sequence) == [1])
    }

    @Test func theEndWakesAWaitingConsumer() async {
        let publisher = ChangePublisher()
        let subscription = publisher.subscribe(to: "E")
        async let taken = subscription.next()
        await Task.yield()
        publisher.finish()
        #expect(await taken == nil)
    }
}

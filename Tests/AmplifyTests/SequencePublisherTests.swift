#if canImport(Combine)
import Combine
#elseif OpenCombine
import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
import Amplify
import HoldfastTestSupport
import Testing

struct SequencePublisherTests {
    /// Takes elements when the test asks for them.
    // The subscription is set before the test continues; the stream locks itself.
    private final class Taker: Subscriber, @unchecked Sendable {
        typealias Input = Int
        typealias Failure = any Error

        let received = AsyncStream.makeStream(of: String.self)
        // Set once, before the test uses it.
        private(set) var subscription: (any Subscription)?

        func receive(subscription: any Subscription) { self.subscription = subscription }

        func receive(_ input: Int) -> Subscribers.Demand {
            received.continuation.yield("\(input)")
            return .none
        }

        func receive(completion: Subscribers.Completion<any Error>) {
            switch completion {
            case .finished: received.continuation.yield("end")
            case .failure: received.continuation.yield("failure")
            }
        }

        func next() async -> String { await received.stream.first { _ in true } ?? "" }
    }

    private struct Failed: Error {}

    @Test func theFirstElementIsNotLost() async throws {
        for number in 0..<2_000 {
            let sequence = AmplifyAsyncThrowingSequence<Int>()
            sequence.send(number)
            sequence.finish()
            let received = AsyncStream.makeStream(of: [Int].self)
            let subscription = Amplify.Publisher.create(sequence).collect().sink { _ in
            } receiveValue: {
                received.continuation.yield($0)
            }
            try #require(await received.stream.first { _ in true } == [number])
            subscription.cancel()
        }
    }

    @Test func elementsWaitForDemand() async throws {
        let sequence = AmplifyAsyncThrowingSequence<Int>()
        for number in 1...4 { sequence.send(number) }
        sequence.finish()
        let taker = Taker()
        Amplify.Publisher.create(sequence).subscribe(taker)
        let subscription = try #require(taker.subscription)
        subscription.request(.max(1))
        #expect(await taker.next() == "1")
        subscription.request(.max(2))
        #expect(await taker.next() == "2")
        #expect(await taker.next() == "3")
        subscription.request(.unlimited)
        #expect(await taker.next() == "4")
        #expect(await taker.next() == "end")
    }

    @Test func anErrorIsTheEnd() async throws {
        let sequence = AmplifyAsyncThrowingSequence<Int>()
        sequence.send(1)
        sequence.fail(Failed())
        let taker = Taker()
        Amplify.Publisher.create(sequence).subscribe(taker)
        taker.subscription?.request(.unlimited)
        #expect(await taker.next() == "1")
        #expect(await taker.next() == "failure")
    }

    @Test func cancellingEndsTheSequence() async throws {
        let sequence = AmplifyAsyncThrowingSequence<Int>()
        let taker = Taker()
        Amplify.Publisher.create(sequence).subscribe(taker)
        taker.subscription?.request(.unlimited)
        sequence.send(1)
        #expect(await taker.next() == "1")
        taker.subscription?.cancel()
        #expect(sequence.isCancelled)
    }

    @Test func eachSubscriberGetsTheElementsAtItsOwnSpeed() async throws {
        let sequence = AmplifyAsyncThrowingSequence<Int>()
        let publisher = Amplify.Publisher.create(sequence)
        let (fast, slow) = (Taker(), Taker())
        publisher.subscribe(fast)
        publisher.subscribe(slow)
        for number in 1...3 { sequence.send(number) }
        sequence.finish()
        fast.subscription?.request(.unlimited)
        for expected in ["1", "2", "3", "end"] { #expect(await fast.next() == expected) }
        slow.subscription?.request(.max(1))
        #expect(await slow.next() == "1")
        slow.subscription?.request(.unlimited)
        for expected in ["2", "3", "end"] { #expect(await slow.next() == expected) }
        let late = Taker()
        publisher.subscribe(late)
        #expect(await late.next() == "end")
    }

    @Test func theLastSubscriptionEndsTheSequence() async throws {
        let sequence = AmplifyAsyncThrowingSequence<Int>()
        let publisher = Amplify.Publisher.create(sequence)
        let (first, last) = (Taker(), Taker())
        for taker in [first, last] {
            publisher.subscribe(taker)
            taker.subscription?.request(.unlimited)
        }
        first.subscription?.cancel()
        #expect(!sequence.isCancelled)
        sequence.send(1)
        #expect(await last.next() == "1")
        last.subscription?.cancel()
        #expect(sequence.isCancelled)
    }

    /// Counts without end.
    private struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
        typealias Element = Int

        let read: EventLog<Int>
        var last = 0

        func makeAsyncIterator() -> Numbers { self }

        mutating func next() async -> Int? {
            last += 1
            read.add(last)
            return last
        }
    }

    @Test func aSequenceIsReadOnDemand() async throws {
        let read = EventLog<Int>()
        let taker = Taker()
        Amplify.Publisher.create(Numbers(read: read)).subscribe(taker)
        taker.subscription?.request(.max(3))
        for expected in ["1", "2", "3"] { #expect(await taker.next() == expected) }
        // One is read ahead.
        try await read.wait { read.events.count >= 4 }
        #expect(read.events.count == 4)
        taker.subscription?.cancel()
    }
}
#endif

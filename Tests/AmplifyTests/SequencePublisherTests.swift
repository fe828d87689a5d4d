#if canImport(Combine)
import Combine
#elseif OpenCombine
import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
import Amplify
import HoldfastStorage
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

    @Test func elementsWaitUntilTheyAreAskedFor() async throws {
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
}
#endif

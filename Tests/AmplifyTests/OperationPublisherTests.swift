#if canImport(Combine)
import Combine
#elseif OpenCombine
import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
import Amplify
import HoldfastTestSupport
import Testing

struct OperationPublisherTests {
    @Test func anOperationRunsOnceForAllSubscribers() async throws {
        let runs = EventLog<Int>()
        let publisher = Amplify.Publisher.create { () async throws -> Int in
            runs.add(runs.events.count + 1)
            return runs.events.count
        }
        // Also without a subscriber.
        try await runs.wait { !runs.events.isEmpty }
        let received = AsyncStream.makeStream(of: Int.self)
        for _ in 0..<2 {
            let subscription = publisher.sink { _ in
            } receiveValue: {
                received.continuation.yield($0)
            }
            #expect(await received.stream.first { _ in true } == 1)
            subscription.cancel()
        }
        #expect(runs.events == [1])
    }

    @Test func cancellingASubscriptionCancelsTheOperation() async {
        let started = Gate()
        let ended = Gate()
        let publisher = Amplify.Publisher.create { () async throws -> Bool in
            started.open()
            let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
            // Has no elements, and ends when the operation is cancelled.
            for await _ in stream {}
            continuation.finish()
            ended.open()
            return Task.isCancelled
        }
        await started.wait()
        publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
        await ended.wait()
    }

    @Test func anOperationThatCannotFailHasAPublisherThatCannotFail() async {
        let received = AsyncStream.makeStream(of: Int.self)
        let subscription = Amplify.Publisher.create { () async -> Int in 7 }.sink { received.continuation.yield($0) }
        #expect(await received.stream.first { _ in true } == 7)
        subscription.cancel()
    }
}
#endif

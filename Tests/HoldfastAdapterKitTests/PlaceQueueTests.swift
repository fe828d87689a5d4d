import HoldfastStorage
import Testing

@testable import HoldfastAdapterKit

@Suite struct PlaceQueueTests {
    private static let tooMany = StorageError(.busy, "All places are taken.")

    @Test func aPlaceGoesToTheTaskThatWaitsLongest() async throws {
        let places = PlaceQueue(placeCount: 2)
        for _ in 0..<2 { try await places.acquire(waiting: .zero, orThrow: Self.tooMany) }
        let (order, next) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<5 {
                group.addTask {
                    try await places.acquire(waiting: .seconds(600), orThrow: Self.tooMany)
                    next.yield(number)
                    places.release()
                }
                while places.waitingCount <= number { await Task.yield() }
            }
            places.release()
            try await group.waitForAll()
        }
        next.finish()
        #expect(await order.reduce(into: [Int]()) { $0.append($1) } == [0, 1, 2, 3, 4])
        // It is free again, and the other one is still taken.
        try await places.acquire(waiting: .zero, orThrow: Self.tooMany)
        await #expect(throws: Self.tooMany) { try await places.acquire(waiting: .zero, orThrow: Self.tooMany) }
    }

    @Test func aWaitEndsWithItsTaskAndItsTime() async throws {
        let places = PlaceQueue(placeCount: 1)
        try await places.acquire(waiting: .zero, orThrow: Self.tooMany)
        await #expect(throws: Self.tooMany) {
            try await places.acquire(waiting: .milliseconds(1), orThrow: Self.tooMany)
        }
        let task = Task { try await places.acquire(waiting: .seconds(600), orThrow: Self.tooMany) }
        while places.waitingCount < 1 { await Task.yield() }
        let next = Task { try await places.acquire(waiting: .seconds(Int64.max), orThrow: Self.tooMany) }
        while places.waitingCount < 2 { await Task.yield() }
        task.cancel()
        await #expect(throws: StorageError(.cancelled, "")) { try await task.value }
        #expect(places.waitingCount == 1)
        places.release()
        try await next.value
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await places.acquire(waiting: .seconds(600), orThrow: Self.tooMany)
        }
        await #expect(throws: StorageError(.cancelled, "")) { try await cancelled.value }
        #expect(places.waitingCount == 0)
    }

    @Test func closingTurnsAwayThoseThatWait() async throws {
        let places = PlaceQueue(placeCount: 1)
        try await places.acquire(waiting: .zero, orThrow: Self.tooMany)
        let task = Task { try await places.acquire(waiting: .seconds(600), orThrow: Self.tooMany) }
        while places.waitingCount < 1 { await Task.yield() }
        places.close()
        await #expect(throws: StorageError(.closed, "")) { try await task.value }
        places.release()
        await #expect(throws: StorageError(.closed, "")) {
            try await places.acquire(waiting: .zero, orThrow: Self.tooMany)
        }
    }
}

import HoldfastEngine
import HoldfastInMemory
import HoldfastTestSupport
import Testing

@testable import AWSDataStorePlugin

extension AmplifySuite {
    @Suite struct StoreHandleTests {
        /// Some adapters open a store once at a time.
        @Test func aStoreIsOpenedAgainOnceTheFirstIsClosed() async throws {
            let order = EventLog<String>()
            let handle = StoreHandle {
                order.add("opened")
                return try await DataStore.open(InMemoryAdapter(), models: [Post.self, Comment.self])
            }
            let first = try await handle.store()
            #expect(handle.isPresent(first))
            let (ending, ended) = (Gate(), Gate())
            let closing = Task {
                try await handle.close {
                    ending.open()
                    await ended.wait()
                    order.add("ended")
                }
            }
            await ending.wait()
            #expect(!handle.isPresent(first))
            let second = Task { try await handle.store() }
            for _ in 0..<1_000 { await Task.yield() }
            ended.open()
            try await closing.value
            #expect(try await handle.isPresent(second.value))
            #expect(order.events == ["opened", "ended", "opened"])
            try await handle.close {}
            await #expect(throws: (any Error).self) { try await first.outboxCount() }
        }
    }
}

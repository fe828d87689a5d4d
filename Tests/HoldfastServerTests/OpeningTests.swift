import HoldfastServer
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// How a service opens its store.
@Suite struct OpeningTests {
    @Test func aServiceThatCannotStartClosesItsStore() async throws {
        let adapter = RefusingAdapter()
        // The first commit stores the secret that page tokens are signed with.
        adapter.loseNextAnswer()
        await #expect(throws: StorageError.self) {
            _ = try await TestServer.open(MutationTests.schema, adapter: adapter)
        }
        #expect(adapter.isClosed)
    }
}

import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct OutgoingMutationTests {
    /// The service would take the version for the one that the change was made on.
    @Test(arguments: EngineAdapter.all)
    func aChangeOfWhatWasMadeAgainHasNoVersion(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        func remote(_ title: String, at time: Int64) throws -> RemoteRecord {
            let post = Post(id: "p", title: title)
            return RemoteRecord(
                key: RecordKey("p"), row: Array(try post.row()[0]), version: 1, lastChangedAt: time)
        }
        func apply(_ record: RemoteRecord, generation: Int64) async throws {
            _ = try await store.apply(RemoteBatch(model: "Post", records: [record], generation: generation), fence)
        }
        try await apply(remote("first", at: 1_000), generation: 1)
        try await store.save(Post(id: "p", title: "mine"))
        try await apply(remote("again", at: 500_000), generation: 2)
        let mutation = try #require(try await store.take(8, fence).first)
        #expect(mutation.version == 0 && mutation.before?.contains(.text("first")) == true)
        #expect(try await store.unsettled().map(\.version) == [0])
        let refusal = MutationOutcome.refused(
            mutation.id, errorType: "ConflictUnhandled", message: nil, remote: try remote("again", at: 500_000))
        _ = try await store.settle([refusal], fence)
        #expect(try await store.query(Post.self).map(\.title) == ["again"])
        try await store.close()
    }
}

import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct OutgoingMutationTests {
    /// A service may compare keys as text.
    @Test(arguments: EngineAdapter.all)
    func aKeyIsSentAsItWasWritten(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().dataStore(models: [Visit.self])
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let start = try Temporal.DateTime(iso8601String: "2024-02-29T08:30:00.50+02:00")
        let key = try Visit(start: start).recordKey()
        func taken() async throws -> OutgoingMutation {
            let mutation = try #require(try await store.take(8, fence).first)
            #expect(mutation.recordKey.components == key.components)
            return mutation
        }
        try await store.save(Visit(start: start))
        let creation = try await taken()
        #expect(try await store.unsettled().map(\.recordKey.components) == [creation.recordKey.components])
        let remote = RemoteRecord(
            key: key, row: Array(try Visit(start: start).row()[0]), version: 1, lastChangedAt: 1)
        _ = try await store.settle([.accepted(creation.id, remote)], fence)
        try await store.save(Visit(start: start, note: "late"))
        let update = try await taken()
        _ = try await store.settle([.refused(update.id, errorType: nil, message: nil, remote: nil)], fence)
        try await store.delete(Visit(start: start))
        #expect(try await taken().operation == .delete)
        try await store.close()
    }

    private static func remote(_ title: String, rating: Int? = nil, at time: Int64) throws -> RemoteRecord {
        let post = Post(id: "p", title: title, rating: rating)
        return RemoteRecord(key: RecordKey("p"), row: Array(try post.row()[0]), version: 1, lastChangedAt: time)
    }

    /// The service would take the version for the one that the change was made on.
    @Test(arguments: EngineAdapter.all)
    func aChangeOfWhatWasMadeAgainHasNoVersion(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        func apply(_ record: RemoteRecord, generation: Int64) async throws {
            _ = try await store.apply(RemoteBatch(model: "Post", records: [record], generation: generation), fence)
        }
        try await apply(Self.remote("first", at: 1_000), generation: 1)
        try await store.save(Post(id: "p", title: "mine"))
        try await apply(Self.remote("again", at: 500_000), generation: 2)
        let mutation = try #require(try await store.take(8, fence).first)
        #expect(mutation.version == 0 && mutation.before?.contains(.text("first")) == true)
        #expect(try await store.unsettled().map(\.version) == [0])
        let refusal = MutationOutcome.refused(
            mutation.id, errorType: "ConflictUnhandled", message: nil,
            remote: try Self.remote("again", at: 500_000))
        _ = try await store.settle([refusal], fence)
        #expect(try await store.query(Post.self).map(\.title) == ["again"])
        try await store.close()
    }

    /// The change that is left builds on no version of the record that was made again.
    @Test(arguments: EngineAdapter.all)
    func observersReceiveNoVersionThatTheServiceNeverGave(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let first = try Self.remote("first", at: 1_000)
        _ = try await store.apply(RemoteBatch(model: "Post", records: [first], generation: 1), fence)
        try await store.save(Post(id: "p", title: "mine"))
        let mutation = try #require(try await store.take(8, fence).first)
        try await store.save(Post(id: "p", title: "mine", rating: 5))
        var changes = try store.observe(Post.self).makeAsyncIterator()
        let refusal = MutationOutcome.refused(
            mutation.id, errorType: "ConflictUnhandled", message: nil,
            remote: try Self.remote("again", rating: 1, at: 500_000))
        _ = try await store.settle([refusal], fence)
        let change = try #require(try await changes.next())
        #expect(change.model.title == "first" && change.model.rating == 5)
        #expect(change.serviceVersion == nil)
        try await store.close()
    }
}

/// A visit, named by when it starts.
private struct Visit: Model {
    let start: Temporal.DateTime
    var note: String?

    enum CodingKeys: String, ModelKey { case start, note }
    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.start]))
        model.fields(.field(keys.start, ofType: .dateTime), .field(keys.note, is: .optional))
    }
}

extension Visit: ModelIdentifiable {
    typealias IdentifierFormat = ModelIdentifierFormat.Custom
    typealias IdentifierProtocol = ModelIdentifier<Self, ModelIdentifierFormat.Custom>
}

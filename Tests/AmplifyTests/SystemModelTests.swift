import AWSDataStorePlugin
import Amplify
import Testing

extension AmplifySuite {
    /// What the store keeps beside the records, asked for as models.
    @Suite struct SystemModelTests {
        @Test(arguments: FacadeAdapter.all) func changesThatAwaitTheService(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let store = Amplify.DataStore
                #expect(try await store.query(MutationEvent.self).isEmpty)
                try await store.save(Post(id: "p2", title: "One", rating: 1, status: "a"))
                try await store.save(Edition(isbn: "i#1", number: 7, title: "T"))
                try await store.save(Post(id: "p1", title: "Two", rating: 1, status: "a"))
                let events = try await store.query(MutationEvent.self, sort: .ascending(MutationEvent.keys.createdAt))
                #expect(events.map(\.modelId) == ["p2", Edition(isbn: "i#1", number: 7, title: "").identifier, "p1"])
                #expect(events.map(\.mutationType) == ["create", "create", "create"])
                #expect(try events[2].decodeModel(as: Post.self).title == "Two")
                #expect(try events[1].decodeModel(as: Edition.self).number == 7)
                #expect(events.allSatisfy { !$0.inProcess && $0.version == nil })
                let keys = MutationEvent.keys
                let posts = try await store.query(
                    MutationEvent.self, where: keys.modelName == "Post" && keys.modelId != "p2", paginate: .firstPage)
                #expect(posts.map(\.modelId) == ["p1"])
                try await store.delete(Post.self, withId: "p1")
                #expect(try await store.query(MutationEvent.self, where: keys.modelName == "Post").count == 1)
            }
        }

        @Test(arguments: FacadeAdapter.all) func nothingIsKeptOfAServiceThatNeverSpoke(
            adapter: FacadeAdapter
        ) async throws {
            try await adapter.run {
                try await Amplify.DataStore.save(Post(id: "p", title: "One", rating: 1, status: "a"))
                #expect(try await Amplify.DataStore.query(MutationSyncMetadata.self).isEmpty)
                #expect(try await Amplify.DataStore.query(ModelSyncMetadata.self).isEmpty)
            }
        }

        @Test(arguments: FacadeAdapter.all) func theyAreFoundById(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                try await Amplify.DataStore.save(Post(id: "p", title: "One", rating: 1, status: "a"))
                let event = try #require(try await Amplify.DataStore.query(MutationEvent.self).first)
                #expect(try await Amplify.DataStore.query(MutationEvent.self, byId: event.id) == event)
                #expect(try await Amplify.DataStore.query(MutationEvent.self, byId: "none") == nil)
                #expect(try await Amplify.DataStore.query(MutationSyncMetadata.self, byId: "Post|p") == nil)
                #expect(try await Amplify.DataStore.query(ModelSyncMetadata.self, byId: "Post") == nil)
            }
        }

        @Test func theyAreNotToBeWritten() async throws {
            try await FacadeAdapter.memory.run {
                let metadata = ModelSyncMetadata(id: "Post")
                await #expect(throws: DataStoreError.self) { try await Amplify.DataStore.save(metadata) }
                await #expect(throws: DataStoreError.self) { try await Amplify.DataStore.delete(metadata) }
            }
        }
    }
}

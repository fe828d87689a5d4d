import AWSDataStorePlugin
import Amplify
import Testing

extension AmplifySuite {
    /// The forms of the calls that only the plug-in has.
    @Suite struct PluginFormsTests {
        func plugin() throws -> AWSDataStorePlugin {
            try #require(Amplify.DataStore.getPlugin(for: "awsDataStorePlugin") as? AWSDataStorePlugin)
        }

        func result<Success: Sendable>(
            _ call: (@escaping DataStoreCallback<Success>) -> Void
        ) async -> DataStoreResult<Success> {
            await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
        }

        @Test(arguments: FacadeAdapter.all) func callsTakeACallback(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let plugin = try plugin()
                let post = Post(id: "p1", title: "One", rating: 1, status: "a")
                #expect(try await result { plugin.save(post, completion: $0) }.get().id == "p1")
                #expect(try await result { plugin.query(Post.self, completion: $0) }.get().count == 1)
                #expect(try await result { plugin.query(Post.self, byId: "p1", completion: $0) }.get() != nil)
                _ = try await result { plugin.delete(Post.self, where: Post.keys.rating == 1, completion: $0) }.get()
                #expect(try await result { plugin.query(Post.self, byId: "p1", completion: $0) }.get() == nil)
                _ = try await result { plugin.stop(completion: $0) }.get()
                _ = try await result { plugin.clear(completion: $0) }.get()
            }
        }

        @Test(arguments: FacadeAdapter.all) func callsTakeTheSchema(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let plugin = try plugin()
                for (id, rating) in [("a", 2), ("b", 1), ("c", 2)] {
                    let post = Post(id: id, title: "T", rating: rating, status: "s")
                    if id == "b" {
                        try await plugin.save(post, modelSchema: Post.schema)
                    } else {
                        _ = try await result { plugin.save(post, modelSchema: Post.schema, completion: $0) }.get()
                    }
                }
                let sort = [QuerySortDescriptor(fieldName: "rating", order: .descending)]
                let sorted = try await plugin.query(Post.self, modelSchema: Post.schema, sort: sort)
                #expect(sorted.map(\.id) == ["a", "c", "b"])
                let page = try await result {
                    plugin.query(
                        Post.self, modelSchema: Post.schema, where: Post.keys.rating == 2,
                        sort: [
                            .init(fieldName: "rating", order: .ascending), .init(fieldName: "id", order: .descending),
                        ],
                        paginate: .firstResult, completion: $0)
                }.get()
                #expect(page.map(\.id) == ["c"])
                let edition = Edition(isbn: "i", number: 1, title: "F")
                try await plugin.save(edition, modelSchema: Edition.schema)
                let key = Edition.IdentifierProtocol.identifier(isbn: "i", number: 1)
                #expect(
                    try await plugin.query(Edition.self, modelSchema: Edition.schema, byIdentifier: key)?.title == "F")
                try await plugin.delete(Edition.self, modelSchema: Edition.schema, withIdentifier: key)
                #expect(
                    try await result {
                        plugin.query(Edition.self, modelSchema: Edition.schema, byIdentifier: key, completion: $0)
                    }.get() == nil)
                try await plugin.delete(sorted[0], modelSchema: Post.schema)
                try await plugin.delete(Post.self, modelSchema: Post.schema, withId: "b")
                _ = try await result {
                    plugin.delete(Post.self, modelSchema: Post.schema, where: Post.keys.rating > 5, completion: $0)
                }.get()
                #expect(try await plugin.query(Post.self).map(\.id) == ["c"])
            }
        }

        @Test func anotherModelsSchemaIsRefused() async throws {
            try await FacadeAdapter.memory.run {
                let plugin = try plugin()
                let post = Post(id: "p", title: "T", rating: 1, status: "s")
                let error = await #expect(throws: DataStoreError.self) {
                    try await plugin.save(post, modelSchema: User.schema)
                }
                guard case .invalidModelName("User")? = error else {
                    Issue.record("another error")
                    return
                }
                await #expect(throws: DataStoreError.self) {
                    try await plugin.delete(Post.self, modelSchema: User.schema, where: Post.keys.rating == 1)
                }
                #expect(try await plugin.query(Post.self).isEmpty)
            }
        }

        @Test func aSequenceRecordsItsCancellation() async throws {
            try await FacadeAdapter.memory.run {
                let changes = Amplify.DataStore.observe(Post.self)
                #expect(!changes.isCancelled)
                changes.cancel()
                #expect(changes.isCancelled)
                let plain = AmplifyAsyncSequence<Int>()
                plain.finish()
                #expect(!plain.isCancelled)
                plain.cancel()
                #expect(plain.isCancelled)
            }
        }

        @Test func subscriptionsCanBeDisabled() {
            #expect(!DataStoreConfiguration.default.disableSubscriptions())
            #expect(DataStoreConfiguration.subscriptionsDisabled.disableSubscriptions())
            #expect(DataStoreConfiguration.custom(disableSubscriptions: { true }).disableSubscriptions())
        }
    }
}

import AWSDataStorePlugin
import Amplify
import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastStorage
import Testing

/// The application as it was released before its models changed.
private enum Old {
    struct Post: Model {
        let id: String
        var title: String

        enum CodingKeys: String, ModelKey { case id, title }
        static let keys = CodingKeys.self
        static let schema = defineSchema { model in
            model.fields(.id(), .field(keys.title, is: .required, ofType: .string))
        }
    }

    /// A store with two posts that were never sent, and a user.
    static func fill(_ adapter: any StorageAdapter) async throws {
        let store = try await DataStore.open(
            adapter, models: [Post.self, Comment.self, User.self, PostEditor.self, Edition.self, Chapter.self])
        try await store.save([Post(id: "a", title: "unsent"), Post(id: "b", title: "unsent")])
        try await store.save(User(id: "u", firstName: "", lastName: "", createdAt: .now()))
        try await store.close()
    }
}

extension AmplifySuite {
    /// What the façade does with a store that other models wrote.
    @Suite struct ChangedModelsTests {
        private let directory = TemporaryDirectory()

        private func configure(
            _ adapter: FacadeAdapter, policy: SchemaPolicy? = nil
        ) async throws {
            let path = directory.file()
            try await Old.fill(adapter.make(at: path))
            let handler: DataStoreErrorHandler = { error in print(error.errorDescription) }
            let configuration =
                policy.map { .custom(errorHandler: handler, storageAdapter: adapter.make(at: path), schemaPolicy: $0) }
                ?? DataStoreConfiguration.custom(errorHandler: handler, storageAdapter: adapter.make(at: path))
            try Amplify.add(
                plugin: AWSDataStorePlugin(modelRegistration: AmplifyModels(), configuration: configuration))
            try Amplify.configure()
        }

        @Test(arguments: FacadeAdapter.lasting)
        func modelsThatCannotChangeInPlaceStartEmptyAndTheirLossIsReported(adapter: FacadeAdapter) async throws {
            let lost = Mutex<[String: Int]>([:])
            let (events, received) = AsyncStream<Void>.makeStream()
            output.clear()
            try await configure(adapter)
            let token = Amplify.Hub.listen(to: .dataStore) { event in
                guard let event = event.data as? UnsentChangesLostEvent else { return }
                lost.withLock { $0 = event.counts }
                received.finish()
            }
            do {
                #expect(try await Amplify.DataStore.query(Post.self).isEmpty)
                #expect(try await Amplify.DataStore.query(User.self).map(\.id) == ["u"])
                #expect(await output.next().contains("2 of 'Post'"))
                for await _ in events {}
                #expect(lost.withLock { $0 } == ["Post": 2])
                _ = try await Amplify.DataStore.save(Post(id: "n", title: "", rating: 1, status: ""))
                #expect(try await Amplify.DataStore.query(Post.self).map(\.id) == ["n"])
            } catch {
                Issue.record(error)
            }
            Amplify.Hub.removeListener(token)
            await Amplify.reset()
        }

        @Test(arguments: FacadeAdapter.lasting)
        func stepsKeepRecordsAndTheRestIsRebuilt(adapter: FacadeAdapter) async throws {
            try await configure(
                adapter,
                policy: .migrate(
                    [
                        .setDefault(model: "Post", field: "rating", value: .integer(3)),
                        .setDefault(model: "Post", field: "status", value: .text("kept")),
                    ], rebuildsRest: true))
            try await resetting { () async throws in
                #expect(try await Amplify.DataStore.query(Post.self).map(\.status) == ["kept", "kept"])
            }
        }

        @Test(arguments: FacadeAdapter.lasting)
        func modelsThatNoStepCoversAreRebuiltIfThePolicyAllows(adapter: FacadeAdapter) async throws {
            try await configure(adapter, policy: .migrate([], rebuildsRest: true))
            try await resetting { () async throws in
                #expect(try await Amplify.DataStore.query(Post.self).isEmpty)
                #expect(try await Amplify.DataStore.query(User.self).map(\.id) == ["u"])
            }
        }

        /// The application must never be stranded: what cannot be opened can be cleared.
        @Test(arguments: FacadeAdapter.lasting)
        func aStoreThatIsRefusedCanBeCleared(adapter: FacadeAdapter) async throws {
            try await configure(adapter, policy: .refuse)
            try await resetting { () async throws in
                await #expect(throws: DataStoreError.self) { try await Amplify.DataStore.query(Post.self) }
                try await Amplify.DataStore.clear()
                #expect(try await Amplify.DataStore.query(Post.self).isEmpty)
                #expect(try await Amplify.DataStore.query(User.self).isEmpty)
                #expect(try await Amplify.DataStore.query(MutationEvent.self).isEmpty)
                _ = try await Amplify.DataStore.save(Post(id: "n", title: "", rating: 1, status: ""))
            }
        }
    }
}

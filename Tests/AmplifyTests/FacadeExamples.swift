import AWSAPIPlugin
import AWSDataStorePlugin
import AWSPluginsCore
import Amplify
import HoldfastSQLite
import Testing

// The examples in the comments of the modules that have the names of the original.
extension AmplifySuite {
    @Suite struct FacadeExamples {
        @Test(arguments: FacadeAdapter.all) func theDataStore(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let post = try await Amplify.DataStore.save(Post(title: "Hold fast", rating: 5, status: "active"))
                let good = try await Amplify.DataStore.query(Post.self, where: Post.keys.rating >= 4)
                try await Amplify.DataStore.delete(post)
                #expect(good.map(\.id) == [post.id])
                #expect(try await Amplify.DataStore.query(Post.self).isEmpty)
            }
        }

        @Test(arguments: FacadeAdapter.all) func savingAndQuerying(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                var post = try await Amplify.DataStore.save(Post(title: "Hold fast", rating: 5, status: "draft"))
                post.status = "active"
                try await Amplify.DataStore.save(post, where: Post.keys.status == "draft")
                let active = try await Amplify.DataStore.query(
                    Post.self, where: Post.keys.status == "active", sort: .descending(Post.keys.rating),
                    paginate: .page(0, limit: 10))
                #expect(active.map(\.title) == ["Hold fast"])
                try await Amplify.DataStore.delete(Post.self, where: Post.keys.rating < 6)
                #expect(try await Amplify.DataStore.query(Post.self).isEmpty)
            }
        }

        @Test(arguments: FacadeAdapter.all) func observing(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                var titles: [String] = []
                let post = Post(title: "Hold fast", rating: 5, status: "active")
                let changes = Amplify.DataStore.observe(Post.self)
                try await Amplify.DataStore.save(post)
                for try await change in changes {
                    titles.append(try change.decodeModel(as: Post.self).title)
                    break
                }
                #expect(titles == ["Hold fast"])
                var counts: [Int] = []
                for try await snapshot in Amplify.DataStore.observeQuery(for: Post.self) {
                    counts.append(snapshot.items.count)
                    break  // an app continues, and shows each snapshot
                }
                #expect(counts == [1])
            }
        }

        private func setup() throws {
            try Amplify.add(plugin: AWSAPIPlugin())
            try Amplify.add(plugin: AWSDataStorePlugin(modelRegistration: AmplifyModels()))
            try Amplify.configure()
        }

        #if SQLite
        private func setup(path: String) throws {
            try Amplify.add(
                plugin: AWSDataStorePlugin(
                    modelRegistration: AmplifyModels(),
                    configuration: .custom(storageAdapter: SQLiteAdapter(path: path))))
            try Amplify.configure()
        }
        #endif

        @Test func requests() async throws {
            try await resetting {
                AmplifyModels().registerModels(registry: ModelRegistry.self)
                let request: GraphQLRequest<Chapter?> = .get(
                    Chapter.self, byId: "c2", includes: { chapter in [chapter.edition] })
                #expect(request.document.contains("edition"))
            }
        }
    }
}

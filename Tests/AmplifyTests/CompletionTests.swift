import AWSDataStorePlugin
import Amplify
import Testing

extension AmplifySuite {
    /// The older form of each call.
    @Suite struct CompletionTests {
        func result<Success: Sendable>(
            _ call: (@escaping DataStoreCallback<Success>) -> Void
        ) async -> DataStoreResult<Success> {
            await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
        }

        @Test(arguments: FacadeAdapter.all) func everyCallTakesACallback(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let store = Amplify.DataStore
                let post = Post(id: "p1", title: "One", rating: 1, status: "a")
                let user = User(id: "u1", firstName: "F", lastName: "L", createdAt: .now())
                let edition = Edition(isbn: "i", number: 1, title: "T")
                #expect(try await result { store.start(completion: $0) }.get() == ())
                #expect(try await result { store.save(post, completion: $0) }.get().id == "p1")
                #expect(try await result { store.save(user, completion: $0) }.get().id == "u1")
                #expect(try await result { store.save(edition, completion: $0) }.get().number == 1)
                #expect(try await result { store.query(Post.self, byId: "p1", completion: $0) }.get()?.rating == 1)
                #expect(try await result { store.query(User.self, byIdentifier: "u1", completion: $0) }.get() != nil)
                let first = Edition.IdentifierProtocol.identifier(isbn: "i", number: 1)
                #expect(
                    try await result { store.query(Edition.self, byIdentifier: first, completion: $0) }.get() != nil)
                #expect(try await result { store.query(Post.self, completion: $0) }.get().count == 1)
                let rating = Post.keys.rating > 1
                #expect(try await result { store.query(Post.self, where: rating, completion: $0) }.get().isEmpty)
                try await result {
                    store.save(post, where: Post.keys.rating > 1, completion: $0)
                }.expectInvalidCondition()
                try await result {
                    store.delete(post, where: Post.keys.rating > 1, completion: $0)
                }.expectInvalidCondition()
                _ = try await result { store.delete(Post.self, withId: "p1", completion: $0) }.get()
                _ = try await result { store.delete(User.self, withIdentifier: "u1", completion: $0) }.get()
                _ = try await result { store.delete(Edition.self, withIdentifier: first, completion: $0) }.get()
                let all = QueryPredicateConstant.all
                _ = try await result { store.delete(Post.self, where: all, completion: $0) }.get()
                #expect(try await store.query(Post.self).isEmpty)
                #expect(try await store.query(User.self).isEmpty)
                #expect(try await store.query(Edition.self).isEmpty)
                _ = try await result { store.clear(completion: $0) }.get()
                _ = try await result { store.stop(completion: $0) }.get()
            }
        }

        @Test(arguments: FacadeAdapter.all) func callsAreMadeInOrder(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let post = Post(title: "One", rating: 1, status: "a")
                for number in 0..<50 {
                    // The comment belongs to a post that is saved just before, without waiting.
                    Amplify.DataStore.save(post) { _ in }
                    Amplify.DataStore.save(Comment(content: "\(number)", post: post)) { _ in }
                }
                let saved = try await result { Amplify.DataStore.query(Comment.self, completion: $0) }.get()
                #expect(saved.count == 50)
            }
        }

        @Test func callsFromManyThreadsOpenOneStore() async throws {
            try await FacadeAdapter.memory.run {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<32 {
                        group.addTask {
                            let post = Post(id: "\(number)", title: "", rating: number, status: "")
                            try await Amplify.DataStore.save(post)
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await Amplify.DataStore.query(Post.self).count == 32)
            }
        }
    }
}

extension Result where Failure == DataStoreError {
    fileprivate func expectInvalidCondition() throws {
        guard case .failure(.invalidCondition) = self else {
            Issue.record("\(self)")
            return
        }
    }
}

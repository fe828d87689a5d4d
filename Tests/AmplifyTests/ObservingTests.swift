import AWSDataStorePlugin
import Amplify
import HoldfastAdapterTestSupport
import HoldfastStorage
import HoldfastTestSupport
import Testing

extension AmplifySuite {
    @Suite struct ObservingTests {
        @Test(arguments: FacadeAdapter.all) func observersMissNothing(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                // Before the store is open.
                var events = Amplify.DataStore.observe(Post.self).makeAsyncIterator()
                var post = try await Amplify.DataStore.save(Post(id: "p1", title: "One", rating: 1, status: "a"))
                post.rating = 2
                try await Amplify.DataStore.save(post)
                try await Amplify.DataStore.save(Post(id: "p2", title: "Two", rating: 1, status: "a"))
                try await Amplify.DataStore.delete(Post.self, where: QueryPredicateConstant.all)
                var seen: [String] = []
                for _ in 0..<5 {
                    let event = try #require(await events.next())
                    #expect(event.modelName == "Post" && event.version == nil)
                    seen.append("\(event.mutationType) \(event.modelId) \(try event.decodeModel(as: Post.self).rating)")
                }
                // Those of one commit come in any order.
                #expect(seen[..<3] == ["create p1 1", "update p1 2", "create p2 1"])
                #expect(seen[3...].sorted() == ["delete p1 2", "delete p2 1"])
            }
        }

        @Test(arguments: FacadeAdapter.all) func childrenAreSeenToGo(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let post = try await Amplify.DataStore.save(Post(title: "One", rating: 1, status: "a"))
                try await Amplify.DataStore.save(Comment(id: "c1", content: "C", post: post))
                let events = Amplify.DataStore.observe(Comment.self)
                try await Amplify.DataStore.delete(post)
                for try await event in events {
                    #expect(event.mutationType == MutationEvent.MutationType.delete.rawValue)
                    #expect(try (event.decodeModel() as? Comment)?.content == "C")
                    break
                }
            }
        }

        @Test(arguments: FacadeAdapter.all) func aLiveQueryYieldsEachResult(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let live = Amplify.DataStore.observeQuery(
                    for: Post.self, where: Post.keys.rating > 1, sort: .descending(Post.keys.rating))
                var snapshots = live.makeAsyncIterator()
                let first = try #require(await snapshots.next())
                #expect(first.items.isEmpty && !first.isSynced)
                for rating in 1...3 {
                    try await Amplify.DataStore.save(Post(title: "", rating: rating, status: ""))
                }
                var ratings: [Int] = []
                while ratings != [3, 2] { ratings = try #require(await snapshots.next()).items.map(\.rating) }
                // A cleared store shows at once.
                try await Amplify.DataStore.clear()
                while !ratings.isEmpty { ratings = try #require(await snapshots.next()).items.map(\.rating) }
                try await Amplify.DataStore.save(Post(title: "", rating: 7, status: ""))
                while ratings != [7] { ratings = try #require(await snapshots.next()).items.map(\.rating) }
                live.cancel()
                while try await snapshots.next() != nil {}
            }
        }

        /// For a moment no snapshot is free, once a comment is saved; its post is read for each observer.
        @Test func observingContinuesWhenTheStoreCanBeReadAgain() async throws {
            let isNext = Mutex(false)
            let isFailing = Mutex(false)
            let errorCount = Mutex(0)
            let adapter = InterceptedAdapter(
                FacadeAdapter.memory.make(),
                afterCommit: { _, _ in if isNext.exchange(false) { isFailing.store(true) } },
                beforeSnapshot: { () throws(StorageError) in
                    if isFailing.load() { throw StorageError(.busy, "The store cannot be read now.") }
                })
            try Amplify.add(
                plugin: AWSDataStorePlugin(
                    modelRegistration: AmplifyModels(),
                    configuration: .custom(
                        errorHandler: { _ in errorCount.increment() }, storageAdapter: adapter)))
            try Amplify.configure()
            try await resetting {
                var events = Amplify.DataStore.observe(Comment.self).makeAsyncIterator()
                var snapshots = Amplify.DataStore.observeQuery(for: Comment.self).makeAsyncIterator()
                let first = try #require(await snapshots.next())
                #expect(first.items.isEmpty)
                let post = try await Amplify.DataStore.save(Post(title: "One", rating: 1, status: "a"))
                isNext.store(true)
                try await Amplify.DataStore.save(Comment(id: "c", content: "C", post: post))
                while errorCount.load() < 2 { await Task.yield() }
                isFailing.store(false)
                let event = try #require(await events.next())
                #expect(event.modelId == "c")
                let second = try #require(await snapshots.next())
                #expect(second.items.map(\.id) == ["c"])
            }
        }

        @Test func cancellingEndsObserving() async throws {
            try await FacadeAdapter.memory.run {
                let events = Amplify.DataStore.observe(Post.self)
                let consumer = Task { for try await _ in events {} }
                consumer.cancel()
                try await consumer.value
                let others = Amplify.DataStore.observe(Post.self)
                others.cancel()
                for try await _ in others {}
            }
        }
    }
}

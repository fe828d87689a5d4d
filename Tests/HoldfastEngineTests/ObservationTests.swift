import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct ObservationTests {
    @Test(arguments: EngineAdapter.all)
    func everyObserverSeesEveryChangeInSequence(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let observers = try (0..<3).map { _ in try store.observe(Post.self) }
        let sequences = store.subscribe(to: "Post")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for number in 0..<10 {
                        try await store.save([
                            Post(id: "\(task)-\(number)", title: ""), Post(id: "shared\(task % 4)", title: "\(task)"),
                        ])
                        if number % 5 == 4 { try await store.delete(Post.self, withId: "\(task)-\(number)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        let final = try await store.query(Post.self)
        try await store.close()
        var order: [UInt64] = []
        while let sets = await sequences() { order += sets }
        #expect(order.count == 16 * 12)
        #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 })
        for observer in observers {
            var state: [String: String] = [:]
            var count = 0
            for try await change in observer {
                count += 1
                let old = state[change.model.id]
                #expect((old == nil) == (change.kind == .created))
                state[change.model.id] = change.kind == .deleted ? nil : change.model.title
            }
            #expect(count == 16 * 22)
            #expect(state == Dictionary(uniqueKeysWithValues: final.map { ($0.id, $0.title) }))
        }
    }

    @Test(arguments: EngineAdapter.all)
    func oneObserverSeesTheChangesOfAllModelsInTheirOrder(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let changes = try store.observe()
        var expected: [String] = []
        for number in 0..<5 {
            try await store.save(Blog(id: "\(number)", name: ""))
            try await store.save(Post(id: "\(number)", title: "", rating: number))
            try await store.save(Blog(id: "\(number)", name: "again"))
            try await store.delete(Post.self, withId: "\(number)")
            expected += ["created Blog", "created Post", "updated Blog", "deleted Post"].map { "\($0) \(number)" }
        }
        try await store.close()
        var seen: [String] = []
        for try await change in changes {
            seen.append("\(change.kind) \(change.model.modelName) \(change.model.identifier)")
            if let post = change.model as? Post { #expect(post.rating == Int(post.id)) }
        }
        #expect(seen == expected)
        #expect(throws: StorageError.self) { try store.observe() }
    }

    @Test(arguments: EngineAdapter.all)
    func anObserverThatDoesNotConsumeBlocksNoWriter(adapter: EngineAdapter) async throws {
        let store = try await adapter.open(DataStoreOptions(recordsMutations: false))
        let changes = try store.observe(Post.self)
        for round in 0..<30 {
            try await store.save((0..<500).map { number in Post(id: "\(number)", title: "round \(round)") })
        }
        let seen = try await store.close(andCollect: changes)
        #expect(seen.count < 15_000)
        var newest: [String: String] = [:]
        for change in seen { newest[change.model.id] = change.model.title }
        #expect(newest.count == 500)
        #expect(newest.values.allSatisfy { $0 == "round 29" })
    }

    @Test(arguments: EngineAdapter.all)
    func aPredicateLooksAtTheRecordAfterAChangeAndBeforeADeletion(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let changes = try store.observe(Post.self, where: Post.keys.rating > 3)
        try await store.save(Post(id: "a", title: "in", rating: 5))
        try await store.save(Post(id: "a", title: "out", rating: 1))
        try await store.delete(Post(id: "a", title: "not the stored one", rating: 5))
        try await store.save(Post(id: "b", title: "out", rating: nil))
        try await store.save(Post(id: "b", title: "in", rating: 4))
        try await store.delete(Post(id: "b", title: "", rating: nil))
        let seen = try await store.close(andCollect: changes)
        #expect(
            seen.map { "\($0.kind) \($0.model.id) \($0.model.title)" } == [
                "created a in", "updated b in", "deleted b in",
            ])
    }

    @Test(arguments: EngineAdapter.all)
    func observersAreIndependent(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Post(id: "before", title: ""))
        let all = try store.observe(Post.self)
        let some = try store.observe(Post.self, where: Post.keys.id == "b")
        let blogs = try store.observe(Blog.self)
        var dropped: ModelChanges<Post>? = try store.observe(Post.self)
        #expect(dropped != nil)
        try await store.save(Post(id: "a", title: ""))
        var iterator = all.makeAsyncIterator()
        #expect(try await iterator.next()?.model.id == "a")
        dropped = nil
        try await store.save(Post(id: "b", title: ""))
        let late = try store.observe(Post.self)
        try await store.save(Blog(id: "c", name: ""))
        #expect(try await iterator.next()?.model.id == "b")
        #expect(try await store.close(andCollect: some).map(\.model.id) == ["b"])
        #expect(try await store.close(andCollect: blogs).map(\.model.id) == ["c"])
        #expect(try await store.close(andCollect: late).isEmpty)
        #expect(try await iterator.next() == nil)
    }

    @Test(arguments: EngineAdapter.all)
    func cancellingTheConsumingTaskEndsTheIteration(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let changes = try store.observe(Post.self)
        let taken = Gate()
        let consumer = Task {
            var count = 0
            for try await _ in changes {
                count += 1
                taken.open()
            }
            return count
        }
        try await store.save(Post(id: "a", title: ""))
        await taken.wait()
        consumer.cancel()
        #expect(try await consumer.value == 1)
        try await store.save(Post(id: "b", title: ""))
    }

    @Test(arguments: EngineAdapter.all)
    func changedModelsHaveTheirRelations(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let blog = try await store.save(Blog(id: "b", name: "B"))
        var changes = try store.observe(Post.self).makeAsyncIterator()
        try await store.save(Post(id: "p", title: "", blog: blog))
        #expect(try await changes.next()?.model.blog?.name == "B")
    }

    @Test(arguments: EngineAdapter.all)
    func aCommitInProgressWhileTheStoreClosesIsStillSeen(adapter: EngineAdapter) async throws {
        let (reached, gate) = (Gate(), Gate())
        let intercepted = InterceptedAdapter(adapter.make()) { _, _ async throws(StorageError) in
            reached.open()
            await gate.wait()
        }
        let store = try await intercepted.dataStore()
        let changes = try store.observe(Post.self)
        async let saved = store.save(Post(id: "p", title: "last"))
        await reached.wait()
        async let closed: Void = store.close()
        for _ in 0..<10 { await Task.yield() }
        gate.open()
        _ = try await (saved, closed)
        var seen: [String] = []
        for try await change in changes { seen.append(change.model.title) }
        #expect(seen == ["last"])
    }
}

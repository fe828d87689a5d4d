import ExampleModels
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import Testing

/// The examples in the comments and articles about observation.
@Suite struct ObservingExamples {
    @Test func aLiveQuery() async throws {
        let store = try await openBlog(("Hold fast", 5))
        var counts: [Int] = []
        for try await snapshot in try store.observeQuery(Post.self, where: Post.keys.rating >= 4) {
            counts.append(snapshot.items.count)
            if snapshot.items.isEmpty { break }
            try await store.delete(snapshot.items[0])  // the next snapshot does not have it
        }
        #expect(counts == [1, 0])
    }

    @Test func aLiveQueryInAnApp() async throws {
        let store = try await openBlog(("Hold fast", 5))
        let (shown, continuation) = AsyncStream.makeStream(of: [String].self)
        @Sendable func show(_ posts: [Post]) { continuation.yield(posts.map(\.title)) }
        let observing = Task {
            for try await snapshot in try store.observeQuery(Post.self, where: Post.keys.rating >= 4) {
                show(snapshot.items)
            }
        }
        for await titles in shown {
            #expect(titles == ["Hold fast"])
            break
        }
        try await store.close()
        try await observing.value
    }

    @Test func changes() async throws {
        let store = try await openBlog()
        var titles: [String] = []
        let changes = try store.observe(Post.self, where: Post.keys.rating >= 4)
        try await store.save(Post(title: "Let go", rating: 2))
        try await store.save(Post(title: "Hold fast", rating: 5))
        for try await change in changes {
            titles.append(change.model.title)  // "Hold fast", whose `kind` is `.created` and `origin` is `.local`
            break
        }
        #expect(titles == ["Hold fast"])
    }

    /// Ends with the store.
    private func changesInAnApp(_ store: DataStore) async throws {
        for try await change in try store.observe(Post.self) {
            log(change.kind, change.origin, change.model.id)
        }
    }

    private func log(_ kind: ChangeKind, _ origin: ChangeOrigin, _ id: String) {}

    @Test func changesOfAllModels() async throws {
        let store = try await openBlog()
        var texts: [String] = []
        let changes = try store.observe()
        try await store.save(Comment(text: "Thank you"))
        for try await change in changes {
            if let comment = change.model as? Comment { texts.append(comment.text) }
            break
        }
        #expect(texts == ["Thank you"])
    }

    @Test func theOutbox() async throws {
        let store = try await openBlog(("Hold fast", 5))
        var badge = -1
        let clearing = Task { try await store.clear() }
        for try await status in store.observeOutbox() {
            badge = status.entryCount
            if status.isEmpty { break }  // everything was sent
        }
        try await clearing.value
        #expect(badge == 0)
    }
}

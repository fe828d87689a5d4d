import Foundation
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct DataStoreTests {
    func open() async throws -> DataStore {
        try await DataStore.open(MinimalAdapter(), models: [Blog.self, Post.self])
    }

    @Test func aSavedModelIsFoundByItsId() async throws {
        let store = try await open()
        let post = Post(title: "One", rating: 4)
        try await store.save(post)
        let found = try await store.query(Post.self, byId: post.id)
        #expect(found?.title == "One")
        #expect(found?.rating == 4)
        #expect(try await store.query(Post.self, byId: "absent") == nil)
    }

    @Test func queriesTakePredicatesSortsAndPages() async throws {
        let store = try await open()
        try await store.save((0..<20).map { Post(title: "Post \($0)", rating: $0 % 5) })
        let keys = Post.keys
        let page = try await store.query(
            Post.self, where: keys.rating >= 3 && !(keys.title == "Post 3"),
            sort: .by(.descending(keys.rating), .ascending(keys.title)), paginate: .page(0, limit: 3))
        #expect(page.map(\.title) == ["Post 14", "Post 19", "Post 4"])
        #expect(try await store.count(Post.self, where: keys.rating == 0) == 4)
    }

    @Test func relationsAreLoadedWhenAskedFor() async throws {
        let store = try await open()
        let blog = Blog(name: "B")
        try await store.save(blog)
        let post = Post(title: "In it", rating: 1, blog: blog)
        try await store.save(post)
        let found = try #require(await store.query(Post.self, byId: post.id))
        #expect(try await found.blog?.id == blog.id)
        let parent = try #require(await store.query(Blog.self, byId: blog.id))
        let posts = try #require(parent.posts)
        #expect(posts.isEmpty)
        try await posts.fetch()
        #expect(posts.map(\.title) == ["In it"])
    }

    @Test func observersSeeChangesInOrder() async throws {
        let store = try await open()
        let changes = try store.observe(Post.self, where: Post.keys.rating > 1)
        var post = Post(title: "One", rating: 4)
        try await store.save(post)
        try await store.save(Post(title: "Low", rating: 1))
        post.title = "Two"
        try await store.save(post)
        try await store.delete(post)
        try await store.close()
        var seen: [String] = []
        for try await change in changes { seen.append("\(change.kind) \(change.model.title)") }
        #expect(seen == ["created One", "updated Two", "deleted Two"])
    }

    @Test func theOutboxFoldsChangesOfOneRecord() async throws {
        let store = try await open()
        var post = Post(title: "One", rating: 4)
        try await store.save(post)
        post.title = "Two"
        try await store.save(post)
        #expect(try await store.outboxEntries().map(\.operation) == [.create])
        try await store.delete(post)
        #expect(try await store.outboxCount() == 0)
        try await store.save(post)
        #expect(try await store.outboxEntries().map(\.operation) == [.create])
    }

    @Test func aLiveQueryAnswersAgainAfterAChange() async throws {
        let store = try await open()
        var live = try store.observeQuery(Post.self, where: Post.keys.rating > 1).makeAsyncIterator()
        #expect(try await live.next()?.items.count == 0)
        try await store.save(Post(title: "Low", rating: 1))
        try await store.save(Post(title: "High", rating: 5))
        #expect(try await live.next()?.items.map(\.title) == ["High"])
        try await store.close()
        #expect(try await live.next() == nil)
    }
}

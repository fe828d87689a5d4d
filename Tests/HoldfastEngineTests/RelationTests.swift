import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct RelationTests {
    @Test(arguments: EngineAdapter.all)
    func childrenAreFoundByTheirForeignKey(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let blogs = ["a", "b"].map { Blog(id: $0, name: $0) }
        try await store.save(blogs)
        try await store.save((0..<6).map { number in Post(id: "\(number)", title: "", blog: blogs[number % 2]) })
        try await store.save(Post(id: "x", title: "", blog: nil))
        let posts = try #require(try await store.query(Blog.self, byId: "b")?.posts)
        #expect(!posts.isLoaded)
        try await posts.fetch()
        #expect(posts.map(\.id) == ["1", "3", "5"])
        #expect(try await store.query(Post.self, where: Post.keys.blog == "a").map(\.id) == ["0", "2", "4"])
        #expect(try await store.query(Post.self, where: Post.keys.blog == nil).map(\.id) == ["x"])
    }

    @Test(arguments: EngineAdapter.all)
    func aListIsFetchedWithAReasonableLimit(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let blog = try await store.save(Blog(id: "b", name: "n"))
        try await store.save((1...3).map { Post(id: "\($0)", title: "", blog: blog) })
        let posts = try #require(try await store.query(Blog.self, byId: "b")?.posts)
        for limit in [0, -1, .min] {
            await #expect(throws: StorageError(.misuse, "")) { try await posts.fetch(limit: limit) }
            #expect(!posts.isLoaded)
        }
        try await posts.fetch(limit: .max)
        #expect(posts.count == 3 && !posts.hasNextPage())
    }

    @Test(arguments: EngineAdapter.all)
    func aCompositeForeignKeyLeadsBothWays(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let orders = [Order(shop: "a", number: 1), Order(shop: "a", number: 2), Order(shop: "b", number: 1)]
        try await store.save(orders)
        try await store.save(orders.enumerated().map { OrderLine(id: "\($0)", title: "t", order: $1) })
        let line = try #require(try await store.query(OrderLine.self, byId: "1"))
        #expect(try await line.order.number == 2)
        let lines = try #require(try await line.order.lines)
        try await lines.fetch()
        #expect(lines.map(\.id) == ["1"])
    }

    @Test(arguments: EngineAdapter.all)
    func aRelationToAMissingParentIsRefusedUntilItIsSaved(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let blog = Blog(id: "later", name: "here")
        let post = Post(id: "p", title: "", blog: blog)
        #expect(await refusal { try await store.save(post) } == .brokenRelation)
        #expect(try await store.query(Post.self, byId: "p") == nil)
        try await store.save(blog)
        try await store.save(post)
        #expect(try await store.query(Post.self, byId: "p")?.blog?.name == "here")
    }

    @Test(arguments: EngineAdapter.all)
    func aRelationCanBeChangedAndRemoved(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let blogs = ["a", "b"].map { Blog(id: $0, name: $0) }
        try await store.save(blogs)
        var post = Post(id: "p", title: "", blog: blogs[0])
        try await store.save(post)
        post.setBlog(blogs[1])
        try await store.save(post)
        #expect(try await store.query(Post.self, byId: "p")?.blog?.id == "b")
        post.setBlog(nil)
        try await store.save(post)
        #expect(try await store.query(Post.self, byId: "p")?.blog == nil)
        let parent = try #require(try await store.query(Blog.self, byId: "b")?.posts)
        try await parent.fetch()
        #expect(parent.isEmpty)
    }

    @Test(arguments: EngineAdapter.all)
    func childrenOfAFieldThatDoesNotLeadHereAreRefused(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        for field in ["nothing", "blog"] {
            let request = ChildrenRequest(fields: [field], parent: RecordKey([]))
            await #expect { try await store.loadChildren(Post.self, request) } throws: {
                ($0 as? ModelError)?.kind == .invalidSchema
            }
        }
    }
}

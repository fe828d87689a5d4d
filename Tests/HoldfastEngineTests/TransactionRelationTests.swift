import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// Relations, lists, and pages of models that were read in a transaction are read from it.
struct TransactionRelationTests {
    private func library(_ adapter: EngineAdapter) async throws -> DataStore {
        let store = try await adapter.open()
        let blog = Blog(id: "b", name: "old")
        try await store.save(blog)
        try await store.save((1...3).map { Post(id: "p\($0)", title: "old", blog: blog) })
        return store
    }

    @Test(arguments: EngineAdapter.all)
    func relationsAndListsSeeTheTransactionsOwnWrites(adapter: EngineAdapter) async throws {
        let store = try await library(adapter)
        try await store.transaction { transaction in
            let post = try #require(try await transaction.query(Post.self, byId: "p1"))
            let blog = try #require(try await transaction.query(Blog.self, byId: "b"))
            try await transaction.save(Blog(id: "b", name: "new"))
            try await transaction.save(Post(id: "p4", title: "new", blog: blog))
            try await transaction.delete(Post.self, withId: "p2")
            #expect(try await post.blog?.name == "new")
            let posts = try #require(blog.posts)
            try await posts.fetch()
            #expect(posts.elements.map(\.id) == ["p1", "p3", "p4"])
        }
    }

    @Test(arguments: EngineAdapter.all)
    func pagesOfAListSeeTheTransactionsOwnWrites(adapter: EngineAdapter) async throws {
        let store = try await library(adapter)
        try await store.transaction { transaction in
            let blog = try #require(try await transaction.query(Blog.self, byId: "b"))
            try await transaction.save(Post(id: "p0", title: "new", blog: blog))
            try await transaction.save(Post(id: "p25", title: "new", blog: blog))
            var posts = try #require(blog.posts)
            try await posts.fetch(limit: 2)
            var ids = posts.elements.map(\.id)
            while posts.hasNextPage() {
                posts = try await posts.getNextPage()
                ids += posts.elements.map(\.id)
            }
            #expect(ids == ["p0", "p1", "p2", "p25", "p3"])
        }
    }

    @Test(arguments: EngineAdapter.all)
    func relationsComeFromTheTransactionsSnapshot(adapter: EngineAdapter) async throws {
        let store = try await library(adapter)
        try await store.read { transaction in
            let post = try #require(try await transaction.query(Post.self, byId: "p1"))
            let blog = try #require(try await transaction.query(Blog.self, byId: "b"))
            try await store.save(Blog(id: "b", name: "newer"))
            try await store.delete(Post.self, withId: "p3")
            #expect(try await post.blog?.name == "old")
            let posts = try #require(blog.posts)
            try await posts.fetch()
            #expect(posts.count == 3)
            #expect(try await transaction.count(Post.self) == 3)
        }
    }

    /// What was read through a relation is a read like any other: it must hold when the transaction is committed.
    @Test(arguments: EngineAdapter.all, [false, true])
    func aParentReadThroughARelationMustStillBeSo(adapter: EngineAdapter, usesList: Bool) async throws {
        let store = try await library(adapter)
        let runs = Mutex(0)
        try await store.transaction { transaction in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            let title: String
            if usesList {
                let blog = try #require(try await transaction.query(Blog.self, byId: "b"))
                let posts = try #require(blog.posts)
                try await posts.fetch()
                title = posts.elements.map(\.id).joined(separator: " ")
                if run == 1 { try await store.save(Post(id: "p9", title: "", blog: blog)) }
            } else {
                title = try await transaction.query(Post.self, byId: "p1")?.blog?.name ?? "none"
                if run == 1 { try await store.save(Blog(id: "b", name: "renamed")) }
            }
            try await transaction.save(Post(id: "copy", title: title))
        }
        #expect(runs.withLock { $0 } == 2)
        #expect(try await store.query(Post.self, byId: "copy")?.title == (usesList ? "p1 p2 p3 p9" : "renamed"))
    }

    @Test(arguments: EngineAdapter.all)
    func afterTheTransactionRelationsComeFromTheStore(adapter: EngineAdapter) async throws {
        let store = try await library(adapter)
        let (post, blog) = try await store.transaction { transaction in
            try await transaction.save(Post(id: "p4", title: "", blog: Blog(id: "b", name: "")))
            return (
                try #require(try await transaction.query(Post.self, byId: "p1")),
                try #require(try await transaction.query(Blog.self, byId: "b"))
            )
        }
        try await store.save(Blog(id: "b", name: "newest"))
        #expect(try await post.blog?.name == "newest")
        try await blog.posts?.fetch()
        #expect(blog.posts?.count == 4)
    }

    @Test(arguments: EngineAdapter.all)
    func aTransactionThatOnlyReadsRunsOnceAndCommitsNothing(adapter: EngineAdapter) async throws {
        let counter = InterceptedAdapter(adapter.make()) { _, _ in }
        let store = try await counter.dataStore()
        try await store.save(Post(id: "p", title: "old"))
        let commits = counter.commitCount
        let runs = Mutex(0)
        let title = try await store.transaction { transaction in
            runs.withLock { $0 += 1 }
            let title = try await transaction.query(Post.self, byId: "p")?.title
            #expect(try await transaction.query(Post.self).count == 1)
            try await store.save(Post(id: "p", title: "new"))
            return title
        }
        #expect(title == "old")
        #expect(runs.withLock { $0 } == 1)
        #expect(counter.commitCount == commits + 1)
    }

    @Test(arguments: EngineAdapter.all)
    func pagesByCursorAndDeletionsByIdWorkInATransaction(adapter: EngineAdapter) async throws {
        let store = try await library(adapter)
        try await store.transaction { transaction in
            try await transaction.save(Post(id: "p15", title: "new"))
            #expect(try await transaction.delete(Post.self, withId: "p2"))
            #expect(try await !transaction.delete(Post.self, withId: "none"))
            var ids: [String] = []
            var last: Post?
            repeat {
                let page = try await transaction.query(Post.self, after: last, limit: 1)
                last = page.last
                ids += page.map(\.id)
            } while last != nil
            #expect(ids == ["p1", "p15", "p3"])
        }
        #expect(try await store.count(Post.self) == 3)
    }

    @Test(arguments: EngineAdapter.all)
    func keysOfAnyShapeFindTheirRecord(adapter: EngineAdapter) async throws {
        let library = try await Library(adapter)
        let key = RecordKey([.text("r0"), .integer(1)])
        #expect(try await library.store.query(Shelf.self, byId: key)?.number == 1)
        try await library.store.transaction { transaction in
            #expect(try await transaction.query(Shelf.self, byId: key)?.room == "r0")
            try await transaction.save(Shelf(room: "new", number: 7))
            #expect(try await transaction.delete(Shelf.self, withId: RecordKey([.text("new"), .integer(7)])))
        }
        #expect(try await library.store.delete(Shelf.self, withId: key))
        #expect(try await library.store.query(Shelf.self, byId: key) == nil)
        // Neither a key of one text nor a field 'id'.
        await #expect(throws: StorageError.self) { try await library.store.query(Shelf.self, byId: "r0") }
    }
}

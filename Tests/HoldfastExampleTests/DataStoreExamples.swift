import ExampleModels
import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastSQLite
import HoldfastStorage
import Testing

/// The examples in the comments of `DataStore`, `Transaction`, and what belongs to them.
@Suite struct DataStoreExamples {
    @Test func aStoreInAFile() async throws {
        try await withPath { path in
            let store = try await DataStore.open(SQLiteAdapter(path: path), models: [Post.self, Comment.self])
            let post = try await store.save(Post(title: "Hold fast", rating: 5))
            try await store.save(Comment(text: "Thank you", post: post))
            try await store.close()
            let again = try await DataStore.open(SQLiteAdapter(path: path), models: [Post.self, Comment.self])
            #expect(try await again.query(Comment.self).first?.post?.title == "Hold fast")
            try await again.close()
        }
    }

    @Test func theFirstLines() async throws {
        try await withPath { path in
            let store = try await DataStore.open(SQLiteAdapter(path: path), models: [Post.self, Comment.self])
            let post = try await store.save(Post(title: "Hold fast", rating: 5))
            let best = try await store.query(Post.self, where: Post.keys.rating >= 4)
            try await store.close()
            #expect(best.map(\.id) == [post.id])
        }
    }

    @Test func opening() async throws {
        try await withPath { path in
            do {
                let store = try await DataStore.open(SQLiteAdapter(path: path), models: [Post.self, Comment.self])
                try await store.close()
            } catch let error as StorageError where error.kind == .schemaMismatch {
                // The file was written with other models; the message names each difference.
            }
        }
    }

    @Test func options() async throws {
        var options = DataStoreOptions()
        options.localModels = ["Comment"]
        let store = try await DataStore.open(
            InMemoryAdapter(), models: [Post.self, Comment.self], options: options)
        try await store.save(Comment(text: "Stays on this device"))
        let unsent = try await store.outboxCount()  // 0
        #expect(unsent == 0)
    }

    @Test func checkingAndBackingUp() async throws {
        try await withPath { path in
            let store = try await DataStore.open(SQLiteAdapter(path: path), models: [Post.self, Comment.self])
            let defects = try await store.verify()
            if defects.isEmpty { try await store.backUp(to: path + ".backup") }
            #expect(defects == [])
            let backup = try await DataStore.open(
                SQLiteAdapter(path: path + ".backup"), models: [Post.self, Comment.self])
            #expect(try await backup.count(Post.self) == 0)
            try await backup.close()
            try await store.close()
        }
    }

    // MARK: Saving

    @Test func saving() async throws {
        let store = try await openBlog()
        var post = try await store.save(Post(title: "Hold fast", rating: 5))
        post.rating = 4
        try await store.save(post)
        // Only if the stored record still has this rating; otherwise throws `.conditionFailed`.
        try await store.save(post, where: Post.keys.rating == 4)
        #expect(try await store.query(Post.self).map(\.rating) == [4])
    }

    @Test func updating() async throws {
        let store = try await openBlog(("Hold fast", 4))
        let post = try await store.update(Post.self, "p1") { $0.rating = ($0.rating ?? 0) + 1 }
        #expect(post?.rating == 5)
    }

    @Test func savingAnEdit() async throws {
        let store = try await openBlog(("Hold fast", 4))
        let post = try #require(try await store.query(Post.self, byId: "p1"))
        var edited = post
        edited.title = "Hold on"
        try await store.update(Post.self, post.id) { $0.rating = 5 }  // meanwhile, elsewhere in the app
        let saved = try await store.save(edited, from: post)  // "Hold on", rated 5
        #expect(saved?.title == "Hold on" && saved?.rating == 5)
    }

    @Test func savingMany() async throws {
        let store = try await openBlog()
        let posts = (1...500).map { Post(title: "Post \($0)", rating: $0 % 5) }
        let result = try await store.save(posts)  // createdCount: 500, updatedCount: 0
        #expect(result.createdCount == 500 && result.updatedCount == 0)
    }

    // MARK: Querying

    @Test func queryingByIdentifier() async throws {
        let store = try await openBlog(("Hold fast", 5))
        let post = try await store.query(Post.self, byId: "p1")  // the post
        let nothing = try await store.query(Post.self, byId: "p9")  // nil
        #expect(post?.title == "Hold fast" && nothing == nil)
    }

    @Test func querying() async throws {
        let store = try await openBlog(("Hold fast", 5), ("Let go", 2), ("Hold on", 4))
        let best = try await store.query(
            Post.self, where: Post.keys.rating >= 4, sort: .descending(Post.keys.rating),
            paginate: .page(0, limit: 10))
        let titles = best.map(\.title)  // ["Hold fast", "Hold on"]
        #expect(titles == ["Hold fast", "Hold on"])
    }

    @Test func queryingByAnswersOfRelations() async throws {
        let store = try await openBlog(("Hold fast", 5), ("Let go", 2))
        let post = try #require(try await store.query(Post.self, byId: "p1"))
        try await store.save(Comment(text: "Thank you", post: post))
        let discussed = try await store.query(Post.self, where: Post.path.comments.text.beginsWith("Thank"))
        let comments = try await store.query(Comment.self, where: Comment.path.post.rating >= 4)
        #expect(discussed.map(\.id) == ["p1"] && comments.map(\.text) == ["Thank you"])
    }

    @Test func paging() async throws {
        let store = try await openBlog(("Hold fast", 5), ("Let go", 2), ("Hold on", 4))
        var titles: [String] = []
        var last: Post?
        repeat {
            let page = try await store.query(Post.self, sort: .ascending(Post.keys.title), after: last, limit: 2)
            titles += page.map(\.title)
            last = page.last
        } while last != nil
        #expect(titles == ["Hold fast", "Hold on", "Let go"])
    }

    @Test func streaming() async throws {
        let store = try await openBlog(("Hold fast", 5), ("Let go", 2))
        var characters = 0
        for try await post in try store.stream(Post.self) { characters += post.title.count }
        #expect(characters == 15)
    }

    @Test func counting() async throws {
        let store = try await openBlog(("Hold fast", 5), ("Let go", 2))
        let good = try await store.count(Post.self, where: Post.keys.rating >= 4)
        #expect(good == 1)
    }

    @Test func aggregating() async throws {
        let store = try await openBlog(("Hold fast", 5), ("Let go", 2), ("Hold on", 5))
        let stars: Int = try await store.sum(Post.self, of: Post.keys.rating)
        let best: Int? = try await store.maximum(Post.self, of: Post.keys.rating)
        let mean = try await store.average(Post.self, of: Post.keys.rating, where: Post.keys.title.beginsWith("Hold"))
        let ratings: [Int] = try await store.distinct(Post.self, of: Post.keys.rating)  // [2, 5]
        #expect(stars == 12 && best == 5 && mean == 5 && ratings == [2, 5])
    }

    // MARK: Deleting

    @Test func deleting() async throws {
        let store = try await openBlog(("Hold fast", 5))
        let post = try #require(try await store.query(Post.self, byId: "p1"))
        try await store.save(Comment(text: "Thank you", post: post))
        let existed = try await store.delete(post)  // true; the comment is gone, too
        #expect(existed)
        #expect(try await store.count(Comment.self) == 0)
    }

    @Test func deletingByIdentifier() async throws {
        let store = try await openBlog(("Hold fast", 5))
        let existed = try await store.delete(Post.self, withId: "p1")  // true
        let again = try await store.delete(Post.self, withId: "p1")  // false, and no error
        #expect(existed && !again)
    }

    @Test func deletingMany() async throws {
        let store = try await openBlog(("Hold fast", 5), ("Let go", 2))
        let count = try await store.delete(Post.self, where: Post.keys.rating < 3)
        #expect(count == 1)
    }

    @Test func clearing() async throws {
        let store = try await openBlog(("Hold fast", 5))
        try await store.clear()  // for instance when another person signs in
        #expect(try await store.count(Post.self) == 0)
        #expect(try await store.outboxCount() == 0)
    }

    // MARK: Several reads and writes

    @Test func aTransaction() async throws {
        let store = try await openBlog(("Hold fast", 5), ("Let go", 2))
        let moved = try await store.transaction { transaction in
            guard var from = try await transaction.query(Post.self, byId: "p1"),
                var to = try await transaction.query(Post.self, byId: "p2")
            else { return false }
            from.rating = (from.rating ?? 0) - 1
            to.rating = (to.rating ?? 0) + 1
            try await transaction.save([from, to])
            return true
        }
        #expect(moved)
        #expect(try await store.query(Post.self).map(\.rating) == [4, 3])
    }

    @Test func writingInATransaction() async throws {
        let store = try await openBlog(("Hold fast", 5), ("Let go", 2))
        try await store.transaction { transaction in
            try await transaction.delete(Post.self, where: Post.keys.rating < 3)
            try await transaction.save(Post(title: "Hold on", rating: 4))
        }
        #expect(try await store.query(Post.self).map(\.title).sorted() == ["Hold fast", "Hold on"])
    }

    @Test func reading() async throws {
        let store = try await openBlog(("Hold fast", 5), ("Let go", 2))
        let (posts, comments) = try await store.read { reader in
            (try await reader.query(Post.self), try await reader.query(Comment.self))
        }
        #expect(posts.count == 2 && comments.isEmpty)
    }
}

import HoldfastEngine
import HoldfastModel
import HoldfastSQLite

// The only line that names a back end.
let store = try await DataStore.open(SQLiteAdapter(path: "blog.db"), models: [Post.self])

// Save one, or many in one commit. Each goes into the outbox in the same commit.
var post = try await store.save(Post(title: "Hold fast", rating: 5))
try await store.save((1...100).map { Post(title: "Post \($0)", rating: $0 % 6) })

// Ask with predicates, sorts and pages.
let best = try await store.query(
    Post.self, where: Post.keys.rating >= 4 && !Post.keys.title.beginsWith("Draft"),
    sort: .by(.descending(Post.keys.rating), .ascending(Post.keys.createdAt)), paginate: .page(0, limit: 10))
print("The best:", best.map(\.title))

// A live query answers at once, and again after every commit that touches its result.
let gems = try store.observeQuery(Post.self, where: Post.keys.rating == 5)
let watcher = Task {
    for try await snapshot in gems {
        print("Posts rated 5:", snapshot.items.count)
        if snapshot.items.isEmpty { break }
    }
}

post.rating = 3
try await store.save(post)
try await store.delete(Post.self, where: Post.keys.rating == 5)
try await watcher.value
print("Left:", try await store.count(Post.self), "To sync:", try await store.outboxCount())
try await store.close()

import HoldfastEngine
import HoldfastModel
import HoldfastSQLite

// Besides its import, only this line names the adapter.
let store = try await DataStore.open(SQLiteAdapter(path: "blog.db"), models: [Post.self])

// Each save also adds an entry to the outbox, in the same commit.
var post = try await store.save(Post(title: "Hold fast", rating: 5))
post.rating = 4
try await store.save(post)

let best = try await store.query(Post.self, where: Post.keys.rating >= 4, sort: .descending(Post.keys.rating))
print(best.map(\.title), "changes to send:", try await store.outboxCount())

// A live query yields its result at once, and again after every commit that changes it.
for try await snapshot in try store.observeQuery(Post.self, where: Post.keys.rating >= 4) {
    print("Posts rated 4 or better:", snapshot.items.count)
    if snapshot.items.isEmpty { break }
    try await store.delete(Post.self, where: Post.keys.rating >= 4)
}
try await store.close()

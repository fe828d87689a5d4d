import ExampleModels
import Foundation
import HoldfastEngine
import HoldfastInMemory

/// The model; `Testing` has a type of that name, too.
typealias Comment = ExampleModels.Comment

/// A store in memory with the models of the examples, and with posts that have the ids `p1`, `p2`, and so on.
func openBlog(
    _ posts: (title: String, rating: Int)..., options: DataStoreOptions = DataStoreOptions()
) async throws -> DataStore {
    let store = try await DataStore.open(InMemoryAdapter(), models: [Post.self, Comment.self], options: options)
    try await store.save(
        posts.enumerated().map { Post(id: "p\($0 + 1)", title: $1.title, rating: $1.rating) })
    return store
}

/// Gives a test the path of a file that does not exist yet, in a directory that is removed afterwards.
func withPath(_ body: (String) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "holdfast-example-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(directory.appending(path: "blog.db").path)
}

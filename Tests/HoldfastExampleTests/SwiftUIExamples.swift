import ExampleModels
import HoldfastEngine
import HoldfastModel
import Observation
import Testing

#if canImport(SwiftUI)
import SwiftUI
#endif

@available(iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable final class TopPosts {
    private(set) var posts: [Post] = []
    private(set) var problem: String?

    /// Ends when its task is cancelled, or the store is closed.
    func follow(_ store: DataStore) async {
        do {
            for try await snapshot in try store.observeQuery(
                Post.self, where: Post.keys.rating >= 4, sort: .descending(Post.keys.rating), limit: 100)
            {
                posts = snapshot.items
            }
        } catch {
            problem = "\(error)"
        }
    }
}

#if canImport(SwiftUI)
@available(iOS 17, tvOS 17, watchOS 10, *)
struct TopPostsView: View {
    let store: DataStore
    @State private var top = TopPosts()

    var body: some View {
        SwiftUI.List(top.posts, id: \.id) { post in
            Text(post.title)
        }
        .overlay {
            if let problem = top.problem { Text(problem) }
        }
        .task { await top.follow(store) }
    }
}
#endif

/// The examples in docs/swiftui.md: the class, which needs no SwiftUI, as its view uses it.
@Suite struct SwiftUIExamples {
    @available(iOS 17, tvOS 17, watchOS 10, *)
    @Test @MainActor func aLiveQueryForAView() async throws {
        let store = try await openBlog(("Hold on", 4), ("Let go", 2), ("Hold fast", 5))
        let top = TopPosts()
        let following = Task { await top.follow(store) }
        // As a view does, which is notified of the next change.
        await withCheckedContinuation { continuation in
            withObservationTracking {
                _ = (top.posts, top.problem)
            } onChange: {
                continuation.resume()
            }
        }
        try await store.close()
        await following.value
        #expect(top.posts.map(\.title) == ["Hold fast", "Hold on"])
        #expect(top.problem == nil)
    }
}

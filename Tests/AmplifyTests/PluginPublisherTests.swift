#if canImport(Combine)
import Combine
#elseif OpenCombine
import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
import AWSDataStorePlugin
import Amplify
import Testing

extension AmplifySuite {
    /// The publishers that only the plug-in has.
    @Suite struct PluginPublisherTests {
        func plugin() throws -> AWSDataStorePlugin {
            try #require(Amplify.DataStore.getPlugin(for: "awsDataStorePlugin") as? AWSDataStorePlugin)
        }

        @Test(arguments: FacadeAdapter.all) func changesOfAllModelsComeInOrder(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let subscription = try plugin().publisher.sink { _ in
                } receiveValue: {
                    print("\($0.mutationType) \($0.modelName) \($0.modelId)")
                }
                for number in 1...3 {
                    let post = Post(id: "p\(number)", title: "", rating: 1, status: "")
                    try await Amplify.DataStore.save(post)
                    try await Amplify.DataStore.save(Comment(id: "c\(number)", content: "C", post: post))
                    try await Amplify.DataStore.delete(Comment.self, withId: "c\(number)")
                }
                for number in 1...3 {
                    #expect(await output.next() == "create Post p\(number)")
                    #expect(await output.next() == "create Comment c\(number)")
                    #expect(await output.next() == "delete Comment c\(number)")
                }
                subscription.cancel()
            }
        }

        @Test(arguments: FacadeAdapter.all) func aModelIsNamedByText(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let subscription = try plugin().publisher(for: "Comment").sink { _ in
                } receiveValue: {
                    print($0.modelId)
                }
                try await Amplify.DataStore.save(Post(id: "p", title: "", rating: 1, status: ""))
                try await Amplify.DataStore.save(Comment(id: "c", content: "C"))
                #expect(await output.next() == "c")
                subscription.cancel()
            }
        }

        @Test func anUnknownNameFails() async throws {
            try await FacadeAdapter.memory.run {
                let subscription = try plugin().publisher(for: "Nothing").sink { completion in
                    if case .failure(.invalidModelName(let name)) = completion { print(name) }
                } receiveValue: { _ in
                }
                #expect(await output.next() == "Nothing")
                subscription.cancel()
            }
        }
    }
}
#endif

#if canImport(Combine)
import Combine
#elseif OpenCombine
import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
import AWSAPIPlugin
import Amplify
import Testing

extension AmplifySuite {
    @Suite struct APIPublisherTests {
        @Test func answersArePublished() async throws {
            try await withAPI { _ in
                let post = Post(id: "p", title: "one", rating: 1, status: "")
                let sink = Amplify.Publisher.create {
                    _ = try await Amplify.API.mutate(request: .create(post)).get()
                    return try await Amplify.API.query(request: .get(Post.self, byId: "p")).get()
                }
                .sink(
                    receiveCompletion: { completion in
                        if case .failure(let error) = completion { print("\(error)") }
                        print("end")
                    },
                    receiveValue: { print("\($0?.title ?? "none")") })
                #expect(await output.next() == "one")
                // Otherwise the next test may read it.
                #expect(await output.next() == "end")
                sink.cancel()
            }
        }

        @Test func eventsOfSubscriptionsArePublished() async throws {
            try await withAPI { _ in
                let events = Amplify.API.subscribe(request: .subscription(of: Post.self, type: .onCreate))
                let sink = Amplify.Publisher.create(events).sink(receiveCompletion: { _ in }) { event in
                    switch event {
                    case .connection(let state): print("\(state)")
                    case .data(let result): print("\((try? result.get())?.title ?? "none")")
                    }
                }
                #expect(await output.next() == "connecting")
                #expect(await output.next() == "connected")
                let post = Post(id: "p", title: "one", rating: 1, status: "")
                _ = try await Amplify.API.mutate(request: .create(post)).get()
                #expect(await output.next() == "one")
                sink.cancel()
                #expect(events.isCancelled)
            }
        }
    }
}
#endif

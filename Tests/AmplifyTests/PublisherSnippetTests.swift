// swift-format-ignore-file
// The snippets keep their own formatting.
#if canImport(Combine)
    import Combine
#elseif OpenCombine
    import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
    import AWSDataStorePlugin
    import Amplify
    import Foundation
    import Testing

    // As in GuideSnippetTests.
    extension AmplifySuite {
        @Suite struct PublisherSnippetTests {
            @Test(arguments: FacadeAdapter.all) func changes(adapter: FacadeAdapter) async throws {
                try await adapter.run {
                    try await Amplify.DataStore.start()
                    // snippet
                    let postSubscription = Amplify
                        .DataStore
                        .publisher(for: Post.self)
                        .sink(receiveCompletion: { completion in
                            if case .failure(let err) = completion {
                                print("Subscription received error - \(err.localizedDescription)")
                            }
                        }) {
                            print("Subscription received mutation: \($0)")
                    }
                    // end
                    // snippet
                    let commentsSubscription = Amplify
                        .DataStore
                        .publisher(for: Comment.self)
                        .tryMap { try $0.decodeModel() as? Comment }
                        .compactMap { $0 }
                        .sink(receiveCompletion: { completion in
                            if case .failure(let err) = completion {
                                print("Subscription received error - \(err.localizedDescription)")
                            }
                        }) { comment in
                            print(comment.content)
                    }
                    // end
                    try await Amplify.DataStore.save(Post(title: "One", rating: 1, status: "a"))
                    #expect(await output.next().hasPrefix("Subscription received mutation: MutationEvent("))
                    try await Amplify.DataStore.save(Comment(content: "C"))
                    #expect(await output.next() == #"Optional("C")"#)
                    // snippet
                    // When finished observing
                    postSubscription.cancel()
                    // end
                    // snippet
                    // When finished observing
                    commentsSubscription.cancel()
                    // end
                }
            }

            @Test(arguments: FacadeAdapter.all) func hubEvents(adapter: FacadeAdapter) async throws {
                output.clear()
                // snippet
                let hubEventSubscriber = Amplify.Hub.publisher(for: .dataStore).sink { event in
                if event.eventName == HubPayload.EventName.DataStore.networkStatus {
                guard let networkStatus = event.data as? NetworkStatusEvent else {
                print("Failed to cast data as NetworkStatusEvent")
                return
                }
                print("User receives a network connection status: \(networkStatus.active)")
                }
                }
                // end
                try Amplify.add(
                    plugin: AWSDataStorePlugin(
                        modelRegistration: AmplifyModels(), configuration: .custom(storageAdapter: adapter.make())))
                try Amplify.configure()
                try await Amplify.DataStore.start()
                #expect(await output.next() == "User receives a network connection status: false")
                hubEventSubscriber.cancel()
                await Amplify.reset()
            }

            @Test(arguments: FacadeAdapter.all) func conditionalSave(adapter: FacadeAdapter) async throws {
                try await adapter.run {
                    let post = try await Amplify.DataStore.save(
                        Post(title: "[Amplify] One", rating: 5, status: "active"))
                    // snippet
                    let sink = Amplify.Publisher.create {
                        try await Amplify.DataStore.save(
                            post,
                            where: Post.keys.title.beginsWith("[Amplify]"))
                    }.sink {
                        if case let .failure(error) = $0 {
                            print("Could not update post, maybe the title has been changed? - \(error)")
                        }
                    }
                    receiveValue: { _ in
                        print("Post updated successfully!")
                    }
                    // end
                    #expect(await output.next() == "Post updated successfully!")
                    sink.cancel()
                }
            }

            @Test(arguments: FacadeAdapter.all) func clearingAtSignOut(adapter: FacadeAdapter) async throws {
                try await adapter.run {
                    // snippet
                    let isSignedOut = HubFilters.forEventName(HubPayload.EventName.Auth.signedOut)
                    let sink = Amplify.Hub.publisher(for: .auth)
                        .setFailureType(to: DataStoreError.self)
                        .filter { isSignedOut($0) }
                        .sink { _ in }
                        receiveValue: { _ in
                            Task {
                                do {
                                    try await Amplify.DataStore.clear()
                                    print("Local data cleared successfully.")
                                } catch {
                                    print("Local data not cleared \(error)")
                                }
                            }
                        }
                    // end
                    try await Amplify.DataStore.save(Post(title: "One", rating: 5, status: "active"))
                    Amplify.Hub.dispatch(
                        to: .auth, payload: HubPayload(eventName: HubPayload.EventName.Auth.signedOut))
                    #expect(await output.next() == "Local data cleared successfully.")
                    #expect(try await Amplify.DataStore.query(Post.self).isEmpty)
                    sink.cancel()
                }
            }
        }
    }
#endif

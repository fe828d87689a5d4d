import AWSDataStorePlugin
import Amplify
import Testing

// As in GuideSnippetTests.
extension AmplifySuite {
    @Suite struct HubTests {
        // The snippet is copied from the guide letter by letter, without indentation: what people paste must compile.
        // swift-format-ignore
        @Test(arguments: FacadeAdapter.all) func networkStatus(adapter: FacadeAdapter) async throws {
            output.clear()
            // snippet
            let hubEventListener = Amplify.Hub.listen(to: .dataStore) { event in
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
                    modelRegistration: AmplifyModels(),
                    configuration: .custom(storageAdapter: adapter.make())))
            try Amplify.configure()
            try await Amplify.DataStore.start()
            #expect(await output.next() == "User receives a network connection status: false")
            Amplify.Hub.removeListener(hubEventListener)
            await Amplify.reset()
        }

        @Test(arguments: FacadeAdapter.all) func theDataStoreDispatchesItsEvents(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let token = Amplify.Hub.listen(to: .dataStore) { event in
                    switch event.data {
                    case let status as OutboxStatusEvent: print("\(event.eventName) \(status.isEmpty)")
                    case let mutation as OutboxMutationEvent:
                        print("\(event.eventName) \(mutation.modelName) \(mutation.element.model.identifier)")
                    default: print(event.eventName)
                    }
                }
                try await Amplify.DataStore.save(Post(id: "p1", title: "", rating: 1, status: ""))
                var lines: [String] = []
                for _ in 0..<5 { lines.append(await output.next()) }
                #expect(
                    lines == [
                        "DataStore.networkStatus", "DataStore.outboxStatus true", "DataStore.ready",
                        "DataStore.outboxMutationEnqueued Post p1", "DataStore.outboxStatus false",
                    ])
                try await Amplify.DataStore.delete(Post.self, withId: "p1")
                #expect(await output.next() == "DataStore.outboxStatus true")
                try await Amplify.DataStore.stop()
                try await Amplify.DataStore.start()
                // All that starting says, or the next test would find the rest.
                for line in ["DataStore.networkStatus", "DataStore.outboxStatus true", "DataStore.ready"] {
                    #expect(await output.next() == line)
                }
                Amplify.Hub.removeListener(token)
            }
        }

        @Test(arguments: FacadeAdapter.all) func observingStartsAsOtherCallsDo(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let token = Amplify.Hub.listen(to: .dataStore) { print($0.eventName) }
                let events = Amplify.DataStore.observe(Post.self)
                for line in ["DataStore.networkStatus", "DataStore.outboxStatus", "DataStore.ready"] {
                    #expect(await output.next() == line)
                }
                events.cancel()
                Amplify.Hub.removeListener(token)
            }
        }

        @Test func listenersGetTheirEventsInOrder() async {
            let channel = HubChannel.custom("mine")
            output.clear()
            let wanted = HubFilters.any(
                filters: HubFilters.forEventName("a"), HubFilters.all(filters: HubFilters.forEventName("b")))
            let token = Amplify.Hub.listen(to: channel, isIncluded: wanted) { print("\($0.eventName)\($0.data ?? "")") }
            let named = Amplify.Hub.listen(to: channel, eventName: "end") { print($0.eventName) }
            #expect(token != named && token.channel == channel)
            for number in 0..<100 {
                Amplify.Hub.dispatch(to: channel, payload: HubPayload(eventName: "a", data: number))
                Amplify.Hub.dispatch(to: channel, payload: HubPayload(eventName: "c"))
                Amplify.Hub.dispatch(to: .api, payload: HubPayload(eventName: "b"))
            }
            for number in 0..<100 { #expect(await output.next() == "a\(number)") }
            Amplify.Hub.removeListener(token)
            Amplify.Hub.dispatch(to: channel, payload: HubPayload(eventName: "a"))
            Amplify.Hub.dispatch(to: channel, payload: HubPayload(eventName: "end"))
            #expect(await output.next() == "end")
            Amplify.Hub.removeListener(named)
        }

        @Test func configuringIsDispatchedOnEveryChannel() async throws {
            output.clear()
            let token = Amplify.Hub.listen(to: .storage) { print($0.eventName) }
            try Amplify.configure()
            #expect(await output.next() == HubPayload.EventName.Amplify.configured)
            Amplify.Hub.removeListener(token)
            await Amplify.reset()
        }
    }
}

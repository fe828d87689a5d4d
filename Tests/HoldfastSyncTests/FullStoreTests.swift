import Testing

@testable import HoldfastSync

/// A store that cannot store for a while: its disk is full, or it is locked.
@Suite struct FullStoreTests {
    /// Lets ten minutes pass, in which the socket is alive.
    private func wait(_ world: inout World) {
        for _ in 0..<6 {
            world.send(.frame(world.socket, .keepAlive))
            world.run()
            world.pass(.seconds(100))
        }
        world.send(.frame(world.socket, .keepAlive))
    }

    /// The next page is asked for while one is stored, and comes or fails while that one waits for the store.
    @Test(arguments: [false, true]) func pagesAreNotReadAgain(isLost: Bool) {
        func isNext(_ effect: SyncEffect<String>) -> Bool {
            if case .fetch(_, let request) = effect { request.token != nil } else { false }
        }
        var world = World()
        world.fetch = { request in
            .success(
                request.token == nil
                    ? FetchedPage(count: 1, nextToken: "t", startedAt: 70, parts: ["a"])
                    : FetchedPage(count: 1, startedAt: 70, parts: ["b"]))
        }
        let fetch = world.fetch
        world.start()
        world.run { $0.isOfPage || isNext($0) }
        world.storeFailure = .failed("full")
        world.run(unless: isNext)
        #expect(world.core.models["Post"]?.state == .failed)
        if isLost { world.fetch = { _ in .failure(.unsent) } }
        wait(&world)
        #expect(world.fetches.map(\.token) == [nil, "t"])

        world.fetch = fetch
        world.storeFailure = nil
        world.pass(.seconds(61))
        #expect(world.core.models["Post"]?.state == .synced)
        #expect(world.swept == ["Post"])
        // The delta that was due meanwhile follows.
        let expected: [String?] = isLost ? [nil, "t", "t", nil, "t"] : [nil, "t", nil, "t"]
        #expect(world.fetches.map(\.token) == expected)
        #expect(world.applied.compactMap(\.page).suffix(4) == ["a", "b", "a", "b"])
    }

    /// The next page comes while the one before waits for its turn after a failure.
    @Test func aPageThatWaitsForItsTurnIsStoredBeforeTheNext() {
        func isNext(_ effect: SyncEffect<String>) -> Bool {
            if case .fetch(_, let request) = effect { request.token != nil } else { false }
        }
        func isOther(_ effect: SyncEffect<String>) -> Bool {
            if case .apply(_, let work) = effect { work.model == "Blog" && work.page != nil } else { false }
        }
        var world = World([ModelPlan(name: "Post"), ModelPlan(name: "Blog")])
        world.fetch = { request in
            .success(
                request.model == "Post" && request.token == nil
                    ? FetchedPage(count: 1, nextToken: "t", startedAt: 70, parts: ["a"])
                    : FetchedPage(count: 1, startedAt: 70, parts: [request.model == "Post" ? "b" : "other"]))
        }
        world.start()
        world.run { $0.isOfPage || isNext($0) }
        world.storeFailure = .failed("full")
        world.run { isNext($0) || isOther($0) }
        #expect(world.core.models["Post"]?.state == .failed)
        world.storeFailure = nil
        // It is tried again, and the other model's page is being stored.
        world.pass(.seconds(20)) { isNext($0) || isOther($0) }
        #expect(world.core.models["Post"]?.state == .fetching)
        world.run(unless: isOther)
        world.run()
        #expect(world.core.models["Post"]?.state == .synced)
        #expect(world.applied.filter { $0.model == "Post" }.compactMap(\.page) == ["a", "a", "b"])
    }

    @Test func changesFromSubscriptionsAreNotReadAgain() {
        var world = World([synced()])
        world.goLive()
        world.pass(.seconds(31))
        world.log = []
        world.storeFailure = .failed("full")
        world.deliver(change("a", 1, at: 1))
        world.run()
        #expect(world.core.models["Post"]?.state == .failed)
        world.deliver(change("b", 1, at: 2))
        wait(&world)
        world.storeFailure = nil
        world.pass(.seconds(61))
        #expect(world.core.models["Post"]?.state == .synced)
        #expect(world.applied.flatMap(\.changes).map(\.content).suffix(2) == ["a@1", "b@1"])
        #expect(world.fetches.isEmpty)
    }

    /// What a service shows after another connection may be something else.
    @Test func anotherConnectionReadsAgain() {
        var world = World()
        world.start()
        world.run { $0.isOfPage }
        world.storeFailure = .failed("full")
        world.run()
        world.send(.socketLost(world.socket))
        world.storeFailure = nil
        world.pass(.seconds(60))
        #expect(world.core.models["Post"]?.state == .synced)
        #expect(world.fetches.count > 1)
    }
}

import Testing

@testable import HoldfastSync

/// A model that the service does not let the user read.
@Suite struct ForbiddenModelTests {
    private static let denied = ServiceFailure.unauthorized(isSignedOut: false)

    /// A session in which the modes of authorization have these failures.
    private func world(_ failures: [ServiceFailure], identity: String = "bob") -> World {
        var plan = synced()
        plan.modeCount = failures.count
        var world = World([plan], identity: identity)
        world.fetch = { request in .failure(failures[request.mode]) }
        world.start()
        world.run()
        return world
    }

    @Test(arguments: [[denied], [denied, .notOffered], [.notOffered, denied]] as [[ServiceFailure]])
    func whatWasReadForAnotherUserIsRemoved(_ failures: [ServiceFailure]) throws {
        let last = try #require(failures.last)
        var world = world(failures)
        #expect(world.swept == ["Post"])
        #expect(world.core.models["Post"]?.state == .refused)
        #expect(world.reports == [.model("Post", last, retry: nil)])
        #expect(world.hub.last == .ready)
        #expect(world.plan.models[0].stored == StoredState(shape: "s", identity: "bob", generation: 5))

        // Once is enough.
        world.log = []
        world.send(.command(CommandID(number: 2), .stop))
        world.run()
        world.send(.command(CommandID(number: 3), .start))
        world.run()
        #expect(world.fetches.map(\.since).allSatisfy { $0 == nil } && !world.fetches.isEmpty)
        #expect(world.swept.isEmpty)
    }

    /// A rule at the service may be wrong for an hour.
    @Test func whatWasReadForTheSameUserStays() {
        let world = world([Self.denied], identity: "ann")
        #expect(world.core.models["Post"]?.state == .refused)
        #expect(world.swept.isEmpty)
    }

    /// What the service would say to other credentials is not known.
    @Test(
        arguments: [[.unauthenticated], [.unauthenticated, denied], [denied, .unauthenticated], [.notOffered]]
            as [[ServiceFailure]])
    func withoutCredentialsThatTheServiceAcceptsEverythingStays(_ failures: [ServiceFailure]) {
        let world = world(failures)
        #expect(world.core.models["Post"]?.state == .refused)
        #expect(world.swept.isEmpty)
    }

    @Test func aModelThatIsRefusedAfterAPageIsNotSwept() {
        var world = World([synced()], identity: "bob")
        world.fetch = { request in
            request.token == nil
                ? .success(FetchedPage(count: 1, nextToken: "t", startedAt: 5, parts: ["x"])) : .failure(Self.denied)
        }
        world.start()
        world.run()
        #expect(world.core.models["Post"]?.state == .refused)
        #expect(world.swept.isEmpty)
    }

    @Test func aStoreThatFailsIsTriedAgain() {
        var world = World([synced()], identity: "bob")
        world.fetch = { _ in .failure(Self.denied) }
        world.start()
        world.run { if case .sweep = $0 { true } else { false } }
        world.storeFailure = .failed("busy")
        world.run()
        #expect(world.core.models["Post"]?.state == .failed)
        world.storeFailure = nil
        world.pass(.seconds(1))
        #expect(world.core.models["Post"]?.state == .refused)
        #expect(world.swept == ["Post", "Post"])
    }

    /// A guest reads what everyone may read.
    @Test func aModelThatNeedsAUserDoesNotEndTheSessionOfAGuest() {
        var world = World([synced(), synced("Order")], identity: nil)
        world.fetch = { request in
            request.model == "Order"
                ? .failure(.unauthorized(isSignedOut: true))
                : .success(FetchedPage(count: 1, startedAt: 500, parts: ["x"]))
        }
        world.start()
        world.run()
        #expect(world.core.models.mapValues(\.state) == ["Post": .synced, "Order": .refused])
        #expect(world.reports == [.model("Order", .unauthorized(isSignedOut: true), retry: nil)])
        #expect(world.hub.last == .ready)
    }

    @Test(arguments: [nil, "ann"]) func aSessionEndsIfAllModelsNeedSomeoneWhoIsNotSignedIn(identity: String?) {
        var world = World([synced(), synced("Order")], identity: identity)
        world.fetch = { _ in .failure(.unauthorized(isSignedOut: true)) }
        world.start()
        world.run()
        #expect(world.reports.last == .refused(.signedOut))
        #expect(world.core.session.state == .refused(.signedOut))
    }

    /// What was read for a user is not what the next one may read: the session of that user has to begin.
    @Test func aModelThatNeedsTheUserWhoSignedOutEndsTheSession() {
        var world = World([synced(), synced("Order")])
        world.fetch = { request in
            request.model == "Order"
                ? .failure(.unauthorized(isSignedOut: true))
                : .success(FetchedPage(count: 1, startedAt: 500, parts: ["x"]))
        }
        world.start()
        world.run()
        #expect(world.core.session.state == .refused(.signedOut))
    }
}

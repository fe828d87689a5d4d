import HoldfastEngine
import Testing

@testable import HoldfastSync

/// Some proxies and firewalls let requests pass, and no sockets.
@Suite struct WithoutSocketsTests {
    @Test func whereNoSocketIsAcceptedModelsAreReadAndChangesAreSent() {
        var world = World([synced()])
        world.socketFailure = .unknown(retryAfter: nil)
        world.outbox = [entry(1)]
        world.start()
        world.run()
        world.pass(.seconds(2))
        #expect(world.core.session.state == .live)
        #expect(world.mutations == [1])
        #expect(world.hub.contains(.ready))
        #expect(!world.hub.contains(.subscriptionsEstablished))
        #expect(world.reports.count == Session.socketLimit)
        world.log = []
        world.outbox.append(entry(2))
        world.send(.outboxChanged)
        world.run()
        #expect(world.mutations == [2])
    }

    @Test func modelsAreReadAgainMoreAndMoreSeldom() {
        var world = World([synced()])
        world.socketFailure = .unknown(retryAfter: nil)
        world.start()
        world.run()
        world.pass(.seconds(2))
        world.log = []
        world.pass(.seconds(3_600))
        // After 30 seconds, 1, 3, 7, and 12 minutes, and then every 5 minutes.
        #expect(world.fetches.count == 14)
        #expect(world.hub == world.hub.filter { if case .syncReceived = $0 { true } else { false } })
    }

    @Test func socketsAreTriedAgainAndInterruptNothing() {
        var world = World([synced()])
        world.socketFailure = .unknown(retryAfter: nil)
        world.start()
        world.run()
        world.pass(.seconds(2))
        world.log = []
        world.pass(.seconds(600))
        let tries = world.log.count { if case .openSocket = $0 { true } else { false } }
        #expect((10...20).contains(tries))
        world.socketFailure = nil
        world.log = []
        world.pass(.seconds(60))
        #expect(!world.core.session.isWithoutSockets)
        #expect(world.core.session.state == .live)
        #expect(world.hub.contains(.subscriptionsEstablished))
        #expect(!world.hub.contains(.ready))
        // What changed between the last reading and the subscriptions.
        #expect(!world.fetches.isEmpty)
        world.log = []
        world.deliver(change("a", 1, at: 1))
        world.run()
        #expect(world.applied.count == 1)
    }

    /// Something on the way may swallow the request for a socket.
    @Test func socketsThatAreSlowHoldUpNothing() {
        var world = World([synced()])
        world.outbox = [entry(1)]
        let holds = { (effect: SyncEffect<String>) in if case .openSocket = effect { true } else { false } }
        world.start()
        world.run(unless: holds)
        #expect(world.mutations.isEmpty)
        world.pass(Session.socketPatience, unless: holds)
        #expect(world.mutations == [1])
        #expect(world.fetches.count == 1)
        world.run()
        #expect(!world.core.session.isWithoutSockets)
        #expect(world.hub.contains(.subscriptionsEstablished))
        #expect(world.fetches.count == 2)
        #expect(world.reports.isEmpty)
    }

    @Test func socketsThatNeverLastAreDoneWithout() {
        var world = World([synced()])
        world.start()
        world.run()
        for _ in 0..<Session.socketLimit {
            world.send(.socketLost(world.socket, nil))
            world.run()
            if !world.core.session.isWithoutSockets { world.pass(.seconds(1)) }
        }
        #expect(world.core.session.isWithoutSockets)
        #expect(world.core.session.state == .live)
    }

    /// A service that restarts is not taken for a network without sockets.
    @Test(arguments: [ServiceFailure.unsent, .unknown(retryAfter: nil)])
    func aServiceThatCannotBeReachedIsConnectedToAgain(failure: ServiceFailure) {
        var world = World([synced("Blog"), synced("Post")])
        world.socketFailure = .unsent
        world.fetch = { _ in .failure(failure) }
        world.start()
        world.run()
        world.pass(.seconds(120))
        #expect(!world.hub.contains(.ready))
        #expect(world.core.session.state != .live)
        world.socketFailure = nil
        world.fetch = { _ in .success(FetchedPage(count: 0, startedAt: 1, parts: [""])) }
        world.pass(.seconds(60))
        #expect(world.core.session.state == .live)
        #expect(!world.core.session.isWithoutSockets)
    }

    @Test func oneModelThatFailsKeepsNothingWaitingOnceAnotherWasRead() {
        var world = World([synced("Blog"), synced("Post")])
        world.socketFailure = .unknown(retryAfter: nil)
        world.fetch = { request in
            request.model == "Post"
                ? .failure(.unknown(retryAfter: nil)) : .success(FetchedPage(count: 0, startedAt: 1, parts: [""]))
        }
        world.start()
        world.run()
        world.pass(.seconds(5))
        #expect(world.core.session.state == .live)
    }

    @Test func aLongReadingIsNotInterrupted() {
        var world = World()
        world.socketFailure = .unknown(retryAfter: nil)
        world.start()
        let holds = { (effect: SyncEffect<String>) in if case .fetch = effect { true } else { false } }
        world.run(unless: holds)
        world.pass(.seconds(2), unless: holds)
        #expect(world.core.session.state == .hydrating)
        world.pass(.seconds(600), unless: holds)
        #expect(world.core.session.state == .hydrating)
        world.run()
        #expect(world.core.session.state == .live)
        #expect(world.fetches.count == 1)
    }

    @Test func credentialsThatNoModelAcceptsEndTheSession() {
        var world = World([synced()])
        world.socketFailure = .unknown(retryAfter: nil)
        world.fetch = { _ in .failure(.unauthenticated) }
        world.start()
        world.run()
        world.pass(.seconds(5))
        #expect(world.core.session.state == .refused(.unauthorized))
    }

    @Test func anotherNetworkBeginsWithSockets() {
        var world = World([synced()])
        world.socketFailure = .unknown(retryAfter: nil)
        world.start()
        world.run()
        world.pass(.seconds(2))
        world.send(.network(isUp: false))
        world.socketFailure = nil
        world.send(.network(isUp: true))
        world.run()
        #expect(world.core.session.state == .live)
        #expect(!world.core.session.isWithoutSockets)
    }
}

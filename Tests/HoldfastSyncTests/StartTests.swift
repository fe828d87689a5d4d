import Testing

@testable import HoldfastSync

@Suite struct StartTests {
    @Test func aStartDispatchesEventsInOrder() {
        var world = World([ModelPlan(name: "Blog"), ModelPlan(name: "Post", parents: ["Blog"])])
        world.start()
        world.run()
        #expect(
            world.hub == [
                .networkStatus(isActive: false), .outboxStatus(isEmpty: true), .networkStatus(isActive: true),
                .subscriptionsEstablished, .syncQueriesStarted(models: ["Blog", "Post"]),
                .modelSynced(model: "Blog", isFull: true, added: 1, updated: 0, deleted: 2),
                .modelSynced(model: "Post", isFull: true, added: 1, updated: 0, deleted: 2),
                .syncQueriesReady, .syncStarted, .ready,
            ])
        #expect(world.answers == [.done])
        #expect(world.core.session.state == .live)
    }

    @Test func parentsAreReadBeforeTheirChildrenAndAFailingParentKeepsNothingWaiting() {
        var world = World([ModelPlan(name: "Blog"), ModelPlan(name: "Post", parents: ["Blog"])])
        world.fetch = { request in
            request.model == "Blog"
                ? .failure(.rejected(type: "", message: ""))
                : .success(FetchedPage(count: 0, startedAt: 1, parts: [""]))
        }
        world.start()
        world.run { if case .fetch(_, let request) = $0 { request.model == "Blog" } else { false } }
        #expect(world.fetches.map(\.model) == ["Blog"])
        world.run()
        #expect(world.fetches.map(\.model) == ["Blog", "Post"])
        #expect(world.hub.last == .ready)
        #expect(world.core.models["Blog"]?.state == .failed)
        world.fetch = { _ in .success(FetchedPage(count: 0, startedAt: 1, parts: [""])) }
        world.pass(.seconds(1))
        #expect(world.core.models["Blog"]?.state == .synced)
    }

    @Test func modelsThatAreReadAgainWaitForTheirTurn() {
        var settings = SyncSettings()
        settings.fetchWindow = 2
        var world = World((0..<5).map { synced("M\($0)") }, settings: settings)
        world.goLive()
        world.pass(settings.trailingDelay) { if case .fetch = $0 { true } else { false } }
        #expect(world.fetches.map(\.model) == ["M0", "M1"])
        world.run()
        #expect(world.fetches.map(\.model) == ["M0", "M1", "M2", "M3", "M4"])
        #expect(world.core.models.values.allSatisfy { $0.state == .synced })
    }

    /// After an outage the delays of very many models may end together.
    @Test func modelsThatHaveFailedWaitForTheirTurn() {
        var settings = SyncSettings()
        settings.fetchWindow = 2
        var world = World((0..<5).map { synced("M\($0)") }, settings: settings)
        world.fetch = { _ in .failure(.unknown(retryAfter: nil)) }
        world.goLive()
        world.fetch = { _ in .success(FetchedPage(count: 0, startedAt: 1, parts: [""])) }
        world.pass(.seconds(1)) { if case .fetch = $0 { true } else { false } }
        #expect(world.fetches.count == 2)
        world.run()
        #expect(Set(world.fetches.map(\.model)).count == 5)
        #expect(world.core.models.values.allSatisfy { $0.state == .synced })
    }

    @Test func theNextPageIsReadWhileOneIsApplied() {
        var world = World()
        world.fetch = { request in
            let page = request.token.flatMap { Int($0) } ?? 0
            return .success(
                FetchedPage(count: 1, nextToken: page < 3 ? "\(page + 1)" : nil, startedAt: 9, parts: ["page \(page)"]))
        }
        world.start()
        world.run { $0.isOfPage }
        // One page is being applied, one waits; the third is not asked for.
        #expect(world.fetches.map(\.token) == [nil, "1"])
        #expect(world.applied.map(\.page) == ["page 0"])
        world.run()
        #expect(world.applied.compactMap(\.page) == ["page 0", "page 1", "page 2", "page 3"])
    }

    @Test func aModelWhoseDelayEndsWhileAPageIsStoredIsReadAfterIt() {
        var world = World()
        var isFailing = true
        world.fetch = { request in
            if request.token != nil && isFailing { return .failure(.unknown(retryAfter: nil)) }
            return .success(
                FetchedPage(count: 1, nextToken: request.token == nil ? "1" : nil, startedAt: 9, parts: ["page"]))
        }
        world.start()
        world.run { $0.isOfPage }
        world.pass(.milliseconds(500)) { $0.isOfPage }
        isFailing = false
        world.run()
        #expect(world.core.models["Post"]?.state == .synced)
    }

    @Test func withoutANetworkTheSessionWaitsForOne() {
        var world = World()
        world.send(.network(isUp: false))
        world.start()
        world.run()
        #expect(world.core.session.state == .offline)
        #expect(world.answers == [.done])
        world.send(.network(isUp: true))
        world.run()
        #expect(world.hub.first == .networkStatus(isActive: false))
        #expect(world.hub.last == .ready)
    }

    @Test func anotherProcessIsFollowedUntilItEnds() {
        var world = World()
        world.claim = .taken(.seconds(40))
        world.start()
        world.run()
        #expect(world.answers == [.following])
        world.claim = .held
        world.pass(.seconds(41))
        #expect(world.core.session.state == .live)
    }

    @Test func theLeaseIsRenewedAndItsLossStartsOver() {
        var world = World()
        world.goLive()
        world.pass(.seconds(61))
        #expect(world.log.contains { if case .renew = $0 { true } else { false } })
        world.claim = .taken(.seconds(30))
        world.pass(.seconds(60))
        #expect(world.core.session.state == .claiming)
        #expect(world.log.contains { if case .closeSocket = $0 { true } else { false } })
        world.claim = .held
        world.pass(.seconds(31))
        #expect(world.core.session.state == .live)
    }

    /// For instance because a provider says late who is signed in.
    @Test func theLeaseIsRenewedWhileThePlanIsRead() {
        var world = World()
        func isLoad(_ effect: SyncEffect<String>) -> Bool { if case .load = effect { true } else { false } }
        func isRenewal(_ effect: SyncEffect<String>) -> Bool { if case .renew = effect { true } else { false } }
        world.start()
        world.run(unless: isLoad)
        world.pass(.seconds(181), unless: isLoad)
        #expect(world.core.session.state == .claiming)
        #expect(world.log.filter(isRenewal).count == 3)
        world.run()
        #expect(world.core.session.state == .live)
        world.log = []
        world.pass(.seconds(61))
        #expect(world.log.filter(isRenewal).count == 1)
    }

    @Test func aStoreThatFailsAnswersTheStart() {
        var world = World()
        world.claim = .failed("disk full")
        world.start()
        world.run()
        #expect(world.answers == [.failed("disk full")])
        #expect(world.core.session.state == .stopped)
    }

    /// A service that accepts sockets and soon cuts them is not asked several times a second.
    @Test func delaysGrowWhileSocketsAreCutSoon() {
        var world = World()
        func lose() -> Duration {
            world.log = []
            world.send(.socketLost(world.socket))
            let delays = world.reports.compactMap { if case .socket(_, let delay) = $0 { delay } else { nil } }
            #expect(delays.count == 1)
            world.pass(delays.first ?? .zero)
            #expect(world.core.session.state == .live)
            return delays.first ?? .zero
        }
        world.goLive()
        let delays = (0..<12).map { _ in
            world.pass(.seconds(1))
            return lose()
        }
        #expect(delays.contains { $0 > .seconds(5) })
        world.pass(.seconds(29))
        #expect(world.core.session.state == .live)
        world.pass(.seconds(1))
        let delay = lose()
        #expect(delay <= Backoff.longest(0))
    }

    @Test func theReasonOfALostSocketIsReported() {
        var world = World()
        world.goLive()
        world.send(.socketLost(world.socket, .tooLong(reason: "raise the limit")))
        #expect(world.reports.map { SyncProblem($0).reason } == ["An answer was not read: raise the limit."])
    }

    @Test func aFrameThatCannotBeReadIsReportedAndFollowedByADelta() {
        var world = World()
        world.goLive()
        world.pass(.seconds(31))
        world.log = []
        world.send(.frame(world.socket, .unreadable(nil, "no frame")))
        #expect(world.reports == [.unreadable(model: nil, "no frame")])
        world.pass(.seconds(31))
        #expect(world.fetches.map(\.model) == ["Post"])
        #expect(world.core.session.state == .live)
    }

    @Test func aSubscriptionWithoutAnAnswerIsStoppedByItsId() {
        var world = World()
        world.acknowledgesStarts = false
        world.start()
        world.run()
        let ids = Set(SubscribedOperation.allCases.map { world.subscription("Post", $0) })
        world.pass(.seconds(16))
        let stopped = world.log.compactMap { effect -> SubscriptionID? in
            if case .sendFrame(_, .stop(let id)) = effect { id } else { nil }
        }
        #expect(Set(stopped) == ids)
    }

    @Test func aHundredSubscriptionsShareASocket() {
        var world = World((0..<34).map { ModelPlan(name: "M\($0)") })
        world.start()
        world.run()
        #expect(world.core.sockets.count == 2)
        #expect(world.core.session.state == .live)
        let second = world.log.filter {
            if case .sendFrame(let id, .start) = $0 { id == world.core.socketOrder[1] } else { false }
        }
        #expect(second.count == 2)
    }

    @Test func aSubscriptionThatIsRefusedOrSilentStopsNothing() {
        var world = World([ModelPlan(name: "Blog"), ModelPlan(name: "Post")])
        world.acknowledgesStarts = false
        world.start()
        world.run()
        for operation in SubscribedOperation.allCases {
            world.send(.frame(world.socket, .startAck(world.subscription("Blog", operation))))
        }
        world.send(
            .frame(world.socket, .error(world.subscription("Post", .onCreate), .unauthorized(isSignedOut: false))))
        world.send(.frame(world.socket, .startAck(world.subscription("Post", .onUpdate))))
        #expect(world.core.session.state == .subscribing)
        world.acknowledgesStarts = true
        world.pass(.seconds(16))
        #expect(world.core.session.state == .live)
        #expect(
            world.reports.contains(.subscription(model: "Post", .onCreate, .unauthorized(isSignedOut: false))))
        // The silent one came later, so what it may have missed is asked for.
        let activeCount = world.core.subscriptions.count { $0.state == .active }
        #expect(activeCount == 5)
        let fetches = world.fetches.filter { $0.model == "Post" }
        #expect(fetches.map(\.since) == [nil, 0])
    }
}

import HoldfastWire
import Testing

@testable import HoldfastSync

@Suite struct SubscriptionTests {
    private let timeout = Duration.seconds(15)
    private let unauthorized = ServiceFailure.unauthorized(isSignedOut: false)

    private func started(modes: Int = 1) -> Subscription {
        var subscription = Subscription(model: "Post", operation: .onCreate, modeCount: modes)
        _ = subscription.start(at: .zero, timeout: timeout)
        return subscription
    }

    /// One that sends too little with its mutations may send very many.
    @Test func eventsThatCannotBeReadAskForTheirModelAtLongerAndLongerIntervals() {
        var world = World([synced(), synced("Blog"), synced("Tag")])
        world.goLive()
        world.pass(.seconds(31))
        func send(for duration: Duration) -> [FetchRequest] {
            world.log = []
            for _ in 0..<Int(duration / .seconds(5)) {
                world.send(.frame(world.socket, .unreadable(world.subscription("Post"), "no record")))
                world.pass(.seconds(5))
            }
            return world.fetches
        }
        func wait() {
            for _ in 0..<6 {
                world.send(.frame(world.socket, .keepAlive))
                world.pass(.seconds(100))
            }
        }
        let fetches = send(for: .seconds(600))
        #expect((2...8).contains(fetches.count) && fetches.allSatisfy { $0.model == "Post" })
        // None of them is forgotten.
        wait()
        #expect(world.fetches.count == fetches.count + 1)
        // After a while without them, the delay is short again.
        wait()
        #expect(send(for: .seconds(35)).count == 1)
    }

    /// What an event lacks, a query has.
    @Test(arguments: [false, true])
    func eventsThatMayLackValuesAskForTheirModel(hasErrors: Bool) throws {
        var world = World([synced(), synced("Blog")])
        world.goLive()
        world.pass(.seconds(31))
        world.log = []
        var event = change("a", 1, at: 1)
        event.hasErrors = hasErrors
        world.deliver(event)
        guard case .apply(let id, _)? = world.pending.popLast() else {
            Issue.record("nothing is stored")
            return
        }
        world.send(.applied(id, .success(CommitReport(updated: 1, mayLackValues: !hasErrors))))
        world.pass(.seconds(31))
        #expect(world.fetches.map(\.model) == ["Post"])
    }

    @Test func itIsActiveOnceItIsConfirmed() {
        var subscription = Subscription(model: "Post", operation: .onCreate, modeCount: 1)
        #expect(!subscription.isSettled)
        #expect(subscription.start(at: .zero, timeout: timeout) == [.start(mode: 0), .watch(timeout)])
        #expect(!subscription.isSettled)
        #expect(subscription.acknowledged() == [])
        #expect(subscription.state == .active)
        #expect(subscription.start(at: .zero, timeout: timeout) == [])
    }

    @Test func itTriesEveryModeBeforeItIsRefused() {
        var subscription = started(modes: 2)
        #expect(
            subscription.failed(unauthorized, at: .zero, timeout: timeout) == [.start(mode: 1), .watch(timeout)])
        #expect(subscription.failed(unauthorized, at: .zero, timeout: timeout) == [.report(unauthorized)])
        #expect(subscription.state == .refused)
        #expect(subscription.acknowledged() == [])
    }

    /// The credentials of a subscription can end while it delivers.
    @Test func anotherModeLeavesAGap() {
        var subscription = started(modes: 2)
        _ = subscription.acknowledged()
        #expect(
            subscription.failed(unauthorized, at: .zero, timeout: timeout) == [.start(mode: 1), .watch(timeout)])
        #expect(subscription.acknowledged() == [.gap])
    }

    @Test func silenceLosesItAndItsReturnLeavesAGap() {
        var subscription = started()
        #expect(subscription.watched(at: .seconds(10)) == [.watch(.seconds(5))])
        #expect(subscription.watched(at: .seconds(15)) == [.report(nil), .retry(attempt: 0)])
        #expect(subscription.isSettled)
        _ = subscription.start(at: .seconds(16), timeout: timeout)
        #expect(subscription.acknowledged() == [.gap])
        #expect(subscription.watched(at: .seconds(40)) == [])
    }

    @Test func aLateConfirmationLeavesAGap() {
        var subscription = started()
        _ = subscription.watched(at: timeout)
        #expect(subscription.acknowledged() == [.gap])
        #expect(subscription.state == .active)
        #expect(subscription.start(at: timeout, timeout: timeout) == [])
    }

    @Test func aStartWithoutAnAnswerIsStoppedBeforeTheNext() {
        var subscription = started()
        _ = subscription.watched(at: timeout)
        #expect(subscription.start(at: timeout, timeout: timeout) == [.stop, .start(mode: 0), .watch(timeout)])
        // The service itself has ended this one.
        _ = subscription.failed(.unknown(retryAfter: nil), at: timeout, timeout: timeout)
        #expect(subscription.acknowledged() == [])
        #expect(subscription.start(at: timeout, timeout: timeout) == [.start(mode: 0), .watch(timeout)])
    }

    @Test func anEndByTheServiceLosesIt() {
        var subscription = started()
        _ = subscription.acknowledged()
        #expect(subscription.completed() == [.report(nil), .retry(attempt: 0)])
        #expect(subscription.completed() == [])
        _ = subscription.start(at: .zero, timeout: timeout)
        #expect(
            subscription.failed(.unsent, at: .zero, timeout: timeout) == [.report(.unsent), .retry(attempt: 1)])
    }

    /// There is room again later.
    @Test(arguments: ["MaxSubscriptionsReachedError", "LimitExceededError"])
    func aSocketWithoutRoomIsTriedAgain(type: String) {
        let failure = ServiceError("m", errorType: type).failure
        var subscription = started()
        #expect(
            subscription.failed(failure, at: .zero, timeout: timeout) == [.report(failure), .retry(attempt: 0)])
    }

    @Test func aNewSocketBeginsAtTheFirstMode() {
        var subscription = started(modes: 2)
        _ = subscription.failed(unauthorized, at: .zero, timeout: timeout)
        subscription.disconnect()
        #expect(subscription.state == .idle)
        #expect(subscription.start(at: .zero, timeout: timeout) == [.start(mode: 0), .watch(timeout)])
        #expect(subscription.failed(.rejected(type: "x", message: ""), at: .zero, timeout: timeout).count == 1)
        #expect(subscription.state == .refused)
    }
}

import HoldfastStorage
import Testing

@testable import HoldfastSync

/// What has gone wrong elsewhere, numbered as in the design.
///
/// Each test fails without the rule that it is named after.
@Suite struct TrapTests {
    private static func isFetch(_ effect: SyncEffect<String>) -> Bool {
        if case .fetch = effect { true } else { false }
    }

    private static func isMutation(_ effect: SyncEffect<String>) -> Bool {
        if case .sendMutation = effect { true } else { false }
    }

    @Test func trap1ALostAcknowledgementIsLookedForBeforeTheMutationIsSentAgain() {
        var world = World()
        world.outbox = [entry(1)]
        world.mutate = { _, _ in .failed(.unknown(retryAfter: nil)) }
        world.check = { _ in
            .found(FoundRecord(isDeleted: false, content: "ours"), [.isAboveBase, .equalsSent])
        }
        world.goLive()
        world.pass(.seconds(1))
        #expect(world.mutations.isEmpty)
        #expect(world.resolutions(1) == [.confirmed("ours")])

        // The same after the process ended: what was taken is uncertain.
        var later = World()
        later.outbox = [entry(1)]
        later.sent = Set(later.outbox.map(\.id))
        later.check = world.check
        later.start()
        later.run()
        #expect(later.mutations.isEmpty)
        #expect(later.resolutions(1) == [.confirmed("ours")])
    }

    @Test func trap2OneMutationOfARecordIsInFlightAtATime() {
        var world = World()
        world.outbox = [entry(1, .update, "Post", "p"), entry(2, .update, "Post", "p")]
        world.start()
        world.run(unless: Self.isMutation)
        #expect(world.mutations == [1])
        // Not even the answer is enough: the base of the second is what the store makes of it.
        world.run { if case .settle = $0 { true } else { false } }
        #expect(world.mutations == [1])
        world.run()
        #expect(world.mutations == [1, 2])
    }

    @Test func trap4SubscriptionsComeBeforeQueries() {
        var world = World([ModelPlan(name: "Blog"), ModelPlan(name: "Post")])
        world.start()
        world.run { if case .sendFrame(_, .start) = $0 { true } else { false } }
        #expect(world.fetches.isEmpty)
        while let index = world.pending.firstIndex(where: { if case .sendFrame = $0 { true } else { false } }) {
            #expect(world.fetches.isEmpty)
            world.answer(at: index)
        }
        world.run { if case .fetch = $0 { true } else { false } }
        #expect(world.fetches.count == 2)
    }

    @Test func trap4EveryReconnectionAsksEveryModelForWhatChanged() {
        var world = World([synced("Blog"), synced("Post")])
        world.goLive()
        world.send(.socketLost(world.socket))
        world.pass(.seconds(1))
        #expect(world.fetches.map(\.model).sorted() == ["Blog", "Post"])
        #expect(world.fetches.allSatisfy { $0.since != nil })
        #expect(world.hub.last == .ready)
    }

    @Test func trap4ASilentSocketIsLost() {
        var world = World([synced()])
        world.goLive()
        world.send(.frame(world.socket, .keepAlive))
        let first = world.socket
        world.pass(.seconds(301))
        #expect(world.socket != first)
        #expect(world.core.session.state == .live)
    }

    @Test func trap4AFullSyncThatLostItsSocketIsFollowedByADelta() {
        var world = World()
        world.fetch = { request in
            .success(
                FetchedPage(
                    count: 1, nextToken: request.since == nil && request.token == nil ? "t" : nil, startedAt: 500_000,
                    parts: ["p"]))
        }
        world.start()
        world.run { effect in
            if case .fetch(_, let request) = effect { request.token == "t" } else { false }
        }
        world.send(.socketLost(world.socket))
        world.log = []
        world.pending.removeAll(where: Self.isFetch)
        world.pass(.seconds(1))
        #expect(world.fetches.map(\.token) == ["t", nil])
        #expect(world.fetches.map(\.since) == [nil, 380_000])
    }

    @Test func trap4OneTrailingDeltaFollows() {
        var world = World([synced()])
        world.goLive()
        world.pass(.seconds(29))
        #expect(world.fetches.isEmpty)
        world.pass(.seconds(2))
        #expect(world.fetches.map(\.since) == [0])
        #expect(world.hub.isEmpty)
        // The status, which has shown the model as incomplete since the question, learns of the answer.
        #expect(world.log.contains(.synced(model: "Post")))
        world.pass(.seconds(200))
        #expect(world.fetches.count == 1)
    }

    @Test func trap4TheWatermarkReachesBackTwoMinutes() {
        var world = World([synced()])
        world.start()
        world.run()
        #expect(world.fetches.first?.since == 80_000)
        var settings = SyncSettings()
        settings.watermarkOverlap = .zero
        var other = World([synced()], settings: settings)
        other.start()
        other.run()
        #expect(other.fetches.first?.since == 200_000)
    }

    @Test func trap6TheWatermarkComesWithTheLastRecords() {
        var world = World()
        world.fetch = { request in
            .success(FetchedPage(count: 1, nextToken: request.token == nil ? "t" : nil, startedAt: 9, parts: ["p"]))
        }
        world.start()
        world.run()
        let withWatermark = world.applied.firstIndex { $0.state?.lastSync != nil }
        let lastPage = world.applied.lastIndex { $0.page != nil }
        #expect(withWatermark == 1)
        #expect(lastPage == 1)
    }

    @Test func trap6TruncationIsRecordedAndReportedAndForbidsTheSweep() {
        var settings = SyncSettings()
        settings.syncMaxRecords = 25
        settings.syncPageSize = 10
        var world = World(settings: settings)
        world.fetch = { .success(FetchedPage(count: $0.limit, nextToken: "more", startedAt: 9, parts: ["p"])) }
        world.start()
        world.run()
        #expect(world.fetches.map(\.limit) == [10, 10, 5])
        #expect(world.reports == [.truncated(model: "Post")])
        #expect(world.swept.isEmpty)
        #expect(world.plan.models[0].stored.isTruncated)
        #expect(world.plan.models[0].stored.resume == nil)
        // Exactly as many as allowed is not truncated.
        var exact = World(settings: settings)
        exact.fetch = { request in
            .success(
                FetchedPage(
                    count: request.limit, nextToken: request.limit == 5 ? nil : "more", startedAt: 9, parts: [""]))
        }
        exact.start()
        exact.run()
        #expect(exact.swept == ["Post"])
    }

    @Test func trap7ACompleteFullSyncEndsWithASweepAndADeltaDoesNot() {
        var world = World([ModelPlan(name: "Post"), synced("Blog")])
        world.start()
        world.run()
        #expect(world.swept == ["Post"])
        let sweep = world.log.firstIndex { if case .sweep = $0 { true } else { false } } ?? .min
        let page = world.log.firstIndex { if case .apply(_, let work) = $0 { work.model == "Post" } else { false } }
        #expect((page ?? .max) < sweep)
    }

    @Test func trap8ANewIncarnationIsNotFoldedAway() {
        var world = World([synced()])
        world.start()
        world.run(unless: Self.isFetch)
        world.deliver(change("a", 1, at: 90))
        world.deliver(change("a", 7, at: 50, deleted: true))
        world.run()
        #expect(world.applied.last?.changes.map(\.version) == [7, 1])
    }

    @Test func trap8ACreateOnATombstoneBecomesADeadLetterWithThatReason() {
        var world = World()
        let creation = entry(1, .create)
        world.outbox = [creation]
        world.mutate = { _, _ in .conditionFailed }
        world.check = { _ in
            .found(FoundRecord(isDeleted: true, content: "deleted"), [.isAboveBase])
        }
        world.start()
        world.run()
        #expect(world.resolutions(1) == [.dead(.deletedRemotely, remote: "deleted")])
        #expect(world.reports == [.dead(creation.id, .deletedRemotely)])
    }

    @Test func trap9DeltasAreNotFilteredUnlessTheApplicationAllows() {
        var filtered = synced("Blog", expression: "e")
        filtered.filtersDeltas = true
        var world = World([synced("Post", expression: "e"), filtered])
        world.start()
        world.run()
        #expect(world.fetches.map(\.isFiltered) == [false, true])
    }

    @Test func trap9AnotherUserReadsEverythingAndSweeps() {
        var world = World([synced()], identity: "bob")
        world.start()
        world.run()
        #expect(world.fetches.map(\.since) == [nil])
        #expect(world.swept == ["Post"])
        #expect(world.plan.models[0].stored.identity == "bob")
    }

    @Test func trap9WhatAnotherUserMayNotReadAtAllIsRemoved() {
        var world = World([synced()], identity: "bob")
        world.fetch = { _ in .failure(.unauthorized(isSignedOut: false)) }
        world.start()
        world.run()
        #expect(world.swept == ["Post"])
        #expect(world.plan.models[0].stored.identity == "bob")
    }

    @Test func trap10TheOutboxOfAnotherUserIsNotSent() {
        var world = World(identity: "bob")
        world.outbox = [entry(1)]
        world.plan.hasChangesOfOthers = true
        world.start()
        world.run { if case .release = $0 { true } else { false } }
        #expect(world.core.session.state == .refused(.otherUser))
        #expect(world.reports == [.refused(.otherUser)])
        #expect(world.mutations.isEmpty && world.fetches.isEmpty)
        // After a clear the session starts. The refused one is still being released when the clear begins.
        world.send(.command(CommandID(number: 2), .clear))
        world.run { if case .clear = $0 { true } else { false } }
        #expect(world.answers == [.done])
        world.run()
        #expect(world.answers == [.done, .done])
        world.outbox = []
        world.plan.hasChangesOfOthers = false
        world.send(.command(CommandID(number: 3), .start))
        world.run()
        #expect(world.core.session.state == .live)
    }

    @Test func trap11AChangedShapeReadsEverythingUnderANewNumber() {
        var plan = synced()
        plan.shape = "with a new field"
        var world = World([plan])
        world.start()
        world.run()
        #expect(world.fetches.map(\.since) == [nil])
        #expect(world.applied.map(\.generation) == [5, 5])
        #expect(world.plan.models[0].stored.shape == "with a new field")
    }

    @Test func trap12AModelThatFailsStopsNoOther() {
        var world = World([ModelPlan(name: "A"), ModelPlan(name: "B", parents: ["A"]), ModelPlan(name: "C")])
        world.fetch = { request in
            request.model == "A"
                ? .failure(.rejected(type: "Unreadable", message: ""))
                : .success(FetchedPage(count: 1, startedAt: 1, parts: [""]))
        }
        world.outbox = [entry(1)]
        world.start()
        world.run()
        #expect(world.core.models["B"]?.state == .synced)
        #expect(world.core.models["C"]?.state == .synced)
        #expect(world.mutations == [1])
        #expect(world.hub.contains(.ready))
    }

    @Test func trap12AChangeThatCannotBeReadLosesNoSubscription() {
        var world = World([synced()])
        world.goLive()
        world.pass(.seconds(31))
        world.log = []
        world.send(.frame(world.socket, .unreadable(world.subscription("Post"), "no version")))
        #expect(world.reports == [.unreadable(model: "Post", "no version")])
        world.deliver(change("a", 1, at: 1))
        world.run()
        #expect(world.applied.count == 1)
        world.pass(.seconds(31))
        #expect(world.fetches.count == 1)
    }

    @Test func trap14AClockThatWentBackMakesTheFullSyncDue() {
        var plan = synced()
        plan.stored.fullSyncAt = 2_000_000_000
        var world = World([plan])
        world.start()
        world.run()
        #expect(world.fetches.map(\.since) == [nil])
    }

    @Test func trap14AWatermarkInTheFutureIsOnlyALabel() {
        var plan = synced()
        plan.stored.lastSync = 9_000_000_000_000
        var world = World([plan])
        world.fetch = { _ in .success(FetchedPage(count: 0, startedAt: 9_000_000_000_001, parts: [""])) }
        world.start()
        world.run()
        #expect(world.fetches.map(\.since) == [8_999_999_880_000])
    }

    @Test func trap15CommandsAreAnsweredInTheirOrder() {
        var world = World()
        let commands: [SyncCommand] = [.start, .stop, .start, .clear, .clear, .start, .start, .stop]
        for (number, command) in commands.enumerated() {
            world.send(.command(CommandID(number: number), command))
        }
        world.run()
        let numbers = world.log.compactMap { if case .answer(let id, _) = $0 { id.number } else { nil } }
        #expect(numbers == Array(0..<8))
        #expect(world.core.session.state == .stopped)
    }

    @Test func trap15APageThatComesAfterAClearIsNotApplied() {
        var world = World()
        world.start()
        world.run(unless: Self.isFetch)
        world.send(.command(CommandID(number: 2), .clear))
        world.run(unless: Self.isFetch)
        #expect(world.core.session.state == .stopped)
        world.run()
        #expect(world.applied.isEmpty)
        // Nor after the next start, whose page has another number.
        world.start()
        #expect(world.core.session.state == .claiming)
    }

    @Test func trap15AClearWaitsForTheCommitInProgress() {
        var world = World()
        world.start()
        world.run { $0.isOfPage }
        world.send(.command(CommandID(number: 2), .clear))
        #expect(!world.log.contains { if case .clear = $0 { true } else { false } })
        world.answer(at: 0)
        #expect(world.log.contains { if case .clear = $0 { true } else { false } })
        world.run()
        #expect(world.answers == [.done, .done])
        #expect(world.applied.count == 1)
    }

    @Test func trap15ALostFenceEndsEverythingInProgress() {
        var world = World([ModelPlan(name: "Post"), ModelPlan(name: "Blog")])
        world.start()
        world.run { $0.isOfPage }
        guard case .apply(let id, _)? = world.pending.first else {
            Issue.record("no page")
            return
        }
        world.pending = []
        world.send(.applied(id, .failure(.fenceLost)))
        #expect(world.core.session.state == .claiming)
        #expect(world.applied.count == 1)
        world.run()
        #expect(world.core.session.state == .live)
    }
}

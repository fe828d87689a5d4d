import HoldfastEngine
import HoldfastStorage
import Testing

@testable import HoldfastSync

@Suite struct OutboxSendingTests {
    private static func holdsMutations(_ effect: SyncEffect<String>) -> Bool {
        if case .sendMutation = effect { true } else { false }
    }

    private static func holdsDecisions(_ effect: SyncEffect<String>) -> Bool {
        if case .ask = effect { true } else { false }
    }

    @Test func nothingIsSentBeforeTheModelsAreRead() {
        var world = World()
        world.outbox = [entry(1)]
        world.start()
        world.run { if case .fetch = $0 { true } else { false } }
        #expect(world.mutations.isEmpty)
        world.run()
        #expect(world.mutations == [1])
        let ready = world.log.firstIndex { $0 == .emit(.syncQueriesReady) } ?? .max
        let sent = world.log.firstIndex(where: Self.holdsMutations) ?? .min
        #expect(ready < sent)
    }

    @Test func eightAreInProgressAtOnceAndTheNextFollowsASettledOne() {
        var world = World()
        world.outbox = (1...20).map { entry($0) }
        world.start()
        world.run(unless: Self.holdsMutations)
        #expect(world.mutations == Array(1...8))
        world.answer(at: 2)
        world.run(unless: Self.holdsMutations)
        #expect(world.mutations == Array(1...9))
        world.run()
        #expect(world.mutations == Array(1...20))
        #expect(world.hub.last == .outboxStatus(isEmpty: true))
        #expect(world.hub.filter { if case .outboxMutationProcessed = $0 { true } else { false } }.count == 20)
    }

    /// The store answers with what it read before the change.
    @Test func aChangeWhileEntriesAreTakenIsTakenNext() {
        var world = World()
        world.start()
        world.run { if case .take = $0 { true } else { false } }
        guard case .take(let id, _, _)? = world.pending.popLast() else {
            Issue.record("The outbox must be looked at.")
            return
        }
        world.outbox = [entry(1)]
        world.send(.outboxChanged)
        world.send(.taken(id, .success(Taken(entries: [], hasMore: false))))
        world.run()
        #expect(world.mutations == [1])
    }

    /// The store has taken an entry, and does not know it.
    @Test func entriesTakenWithAnUnknownOutcomeAreLookedUp() {
        var world = World()
        world.goLive()
        world.outbox = [entry(1)]
        world.send(.outboxChanged)
        guard case .take(let id, _, _)? = world.pending.popLast() else {
            Issue.record("The outbox must be looked at.")
            return
        }
        world.sent = Set(world.outbox.map(\.id))
        world.send(.taken(id, .failure(.failed("unknown"))))
        world.pass(.seconds(2))
        #expect(world.checks == [1])
        #expect(world.resolutions(1).count == 1)
        #expect(world.outbox.isEmpty)
    }

    /// What was being saved when another user signed in comes into the outbox after the session looked at it.
    @Test func aLateChangeOfAnotherUserEndsTheSession() {
        var world = World()
        world.goLive()
        world.send(.outboxChanged)
        guard case .take(let id, _, _)? = world.pending.popLast() else {
            Issue.record("The outbox must be looked at.")
            return
        }
        world.send(.taken(id, .success(Taken(entries: [], hasMore: false, hasChangesOfOthers: true))))
        #expect(world.core.session.state == .refused(.otherUser))
    }

    /// What the service said waited for a change that was taken back.
    @Test func whatATakeAppliesIsDispatched() {
        var world = World()
        world.goLive()
        world.send(.outboxChanged)
        guard case .take(let id, _, _)? = world.pending.popLast() else {
            Issue.record("The outbox must be looked at.")
            return
        }
        world.send(.taken(id, .success(Taken(entries: [], hasMore: false, received: ["p"]))))
        #expect(world.hub == [.syncReceived("p")])
    }

    /// What is in the outbox is not known, and no change need follow that would have it looked at again.
    @Test func anOutboxThatCouldNotBeReadIsLookedAtAgain() {
        var world = World()
        world.goLive()
        world.core.announceOutbox(isEmpty: false)
        world.send(.outboxChanged)
        guard case .take(let id, _, _)? = world.pending.popLast() else {
            Issue.record("The outbox must be looked at.")
            return
        }
        world.send(
            .taken(id, .success(Taken(entries: [], hasMore: false, received: ["p"], failure: .failed("unreadable")))))
        #expect(world.hub == [.outboxStatus(isEmpty: false), .syncReceived("p")])
        world.pass(.seconds(2))
        #expect(world.hub.last == .outboxStatus(isEmpty: true))
    }

    /// What was taken back may make room for others.
    @Test func aTakeThatMayHaveMoreIsFollowedByAnother() {
        var world = World()
        world.goLive()
        world.send(.outboxChanged)
        guard case .take(let id, _, _)? = world.pending.popLast() else {
            Issue.record("The outbox must be looked at.")
            return
        }
        world.outbox = [entry(1)]
        world.send(.taken(id, .success(Taken(entries: [], hasMore: true, received: ["p"]))))
        world.run()
        #expect(world.mutations == [1])
    }

    /// The application deletes what it has created, or the service deletes what it was asked to delete.
    @Test func anEmptyOutboxIsDispatched() {
        var world = World()
        world.plan.isOutboxEmpty = false
        world.goLive()
        #expect(world.core.outboxProgress.announcedEmpty == true)

        // After a lost socket the service may say something that ends what waits.
        var other = World([synced()])
        other.goLive()
        other.core.announceOutbox(isEmpty: false)
        other.deliver(change("p", 2, at: 1))
        other.run()
        #expect(other.hub.last == .outboxStatus(isEmpty: true))
    }

    /// The first request after a change of network is often lost.
    ///
    /// Edits that were made offline would contradict what it did not read.
    @Test(arguments: [nil, .zero] as [Duration?])
    func mutationsWaitForASecondReadAfterOneThatWasLost(retryAfter: Duration?) {
        var world = World()
        world.outbox = [entry(1)]
        let read = world.fetch
        world.fetch = { _ in .failure(.unknown(retryAfter: retryAfter)) }
        world.start()
        world.run()
        var unread = world
        #expect(world.mutations.isEmpty && !world.hub.contains(.ready))
        world.fetch = read
        world.pass(.seconds(1))
        #expect(world.mutations == [1] && world.core.models["Post"]?.state == .synced)

        // What fails again keeps nothing waiting.
        unread.pass(.seconds(1))
        #expect(unread.mutations == [1] && unread.core.models["Post"]?.state == .failed)

        // Connections that do not last until the second attempt hold nothing up forever.
        var lost = World()
        lost.outbox = [entry(1)]
        lost.fetch = { _ in .failure(.unknown(retryAfter: nil)) }
        lost.start()
        for _ in 0..<3 {
            lost.run()
            #expect(lost.mutations.isEmpty)
            lost.send(.socketLost(lost.socket))
            lost.pass(.seconds(60)) { if case .fetch = $0 { true } else { false } }
        }
        lost.run()
        #expect(lost.mutations == [1])

        // A service that is busy says when to come again.
        var busy = World()
        busy.outbox = [entry(1)]
        busy.fetch = { _ in .failure(.unknown(retryAfter: .seconds(60))) }
        busy.start()
        busy.run()
        #expect(busy.mutations == [1])
    }

    @Test func aParentWhoseQueryWasLostIsReadBeforeItsChildren() {
        var world = World([ModelPlan(name: "Blog"), ModelPlan(name: "Post", parents: ["Blog"])])
        let read = world.fetch
        world.fetch = { $0.model == "Blog" ? .failure(.unsent) : read($0) }
        world.start()
        world.run()
        #expect(world.fetches.map(\.model) == ["Blog"])
        world.fetch = read
        world.pass(.seconds(1))
        #expect(world.fetches.map(\.model) == ["Blog", "Blog", "Post"] && world.hub.last == .ready)
    }

    /// Edits that were made offline contradict nothing that the device could have known.
    @Test func mutationsAreTakenOnceWhatArrivedBeforeIsStored() throws {
        var world = World()
        world.start()
        world.run { if case .fetch = $0 { true } else { false } }
        world.deliver(change("p", 2, at: 1))
        world.run()
        let stored = try #require(world.log.lastIndex { if case .apply = $0 { true } else { false } })
        let taken = try #require(world.log.firstIndex { if case .take = $0 { true } else { false } })
        #expect(stored < taken)
    }

    /// A model failed, so that mutations are sent while it is read again: pages may have come before their answers.
    @Test func answersDuringAFullSyncGetItsNumber() {
        var world = World()
        world.outbox = [entry(1)]
        world.fetch = { _ in .failure(.rejected(type: "", message: "")) }
        world.start()
        world.run(unless: Self.holdsMutations)
        world.pass(.seconds(1)) {
            if case .fetch = $0 { true } else { Self.holdsMutations($0) }
        }
        #expect(world.core.models["Post"]?.state == .fetching)
        world.run { if case .fetch = $0 { true } else { false } }
        #expect(world.plan.models[0].stored.generation == 2)
        let numbers = world.log.compactMap { if case .settle(_, _, let numbers) = $0 { numbers } else { nil } }
        #expect(numbers == [["Post": 2]])
    }

    /// Answers that come before a page get the number of the full sync, so the store has to know it by then.
    ///
    /// If it knew it from the first page alone, another full sync could have the same number, or a sweep remove what
    /// was answered.
    @Test func theNumberOfAFullSyncIsStoredBeforeItsPagesAreRead() {
        var world = World()
        world.start()
        world.run { if case .apply = $0 { true } else { false } }
        #expect(world.fetches.isEmpty)
        #expect(world.numbers == [1])
        world.run { if case .fetch = $0 { true } else { false } }
        #expect(world.plan.models[0].stored == StoredState(generation: 1))

        // The device ends; what the service has changed by now gets a number of its own.
        var later = World(world.plan.models)
        later.start()
        later.run()
        #expect(later.applied.map(\.generation) == [2, 2])
        #expect(later.swept == ["Post"])
    }

    /// A page was stored, and the store does not say so.
    @Test func answersAfterAPageOfUnknownOutcomeGetItsNumber() {
        var world = World()
        world.outbox = [entry(1)]
        world.start()
        world.run { $0.isOfPage || Self.holdsMutations($0) }
        guard let index = world.pending.firstIndex(where: \.isOfPage),
            case .apply(let id, let work) = world.pending[index]
        else {
            Issue.record("A page must wait for its commit.")
            return
        }
        world.pending.remove(at: index)
        world.send(.applied(id, .failure(.failed("unknown"))))
        world.run { if case .fetch = $0 { true } else { false } }
        let numbers = world.log.compactMap { if case .settle(_, _, let numbers) = $0 { numbers } else { nil } }
        #expect(numbers == [["Post": work.generation]])
    }

    @Test func aWindowOfOneWaitsForAChangeThatIsNeverAnswered() {
        var settings = SyncSettings()
        settings.sendWindow = 1
        var world = World(settings: settings)
        world.outbox = [entry(1), entry(2)]
        world.mutate = { _, _ in .failed(.unknown(retryAfter: nil)) }
        world.goLive()
        world.pass(.seconds(600))
        #expect(Set(world.mutations) == [1])
    }

    /// What an earlier session sent counts, too.
    @Test(arguments: [1, 3]) func aNewSessionKeepsToTheWindow(window: Int) {
        var settings = SyncSettings()
        settings.sendWindow = window
        var world = World(settings: settings)
        world.outbox = (1...5).map { entry($0) }
        world.sent = [world.outbox[0].id]
        world.start()
        while !world.pending.isEmpty {
            #expect(world.core.entries.count <= window)
            world.answer(at: 0)
        }
        #expect(world.mutations == (window == 1 ? [1, 2, 3, 4, 5] : [2, 3, 1, 4, 5]))
    }

    @Test func aWindowOfOneKeepsTheStrictOrder() {
        var settings = SyncSettings()
        settings.sendWindow = 1
        var world = World(settings: settings)
        world.outbox = (1...5).map { entry($0) }
        world.start()
        while !world.pending.isEmpty {
            #expect(world.pending.count(where: Self.holdsMutations) <= 1)
            world.answer(at: 0)
        }
        #expect(world.mutations == [1, 2, 3, 4, 5])
    }

    /// A filter on the way may refuse what a change contains, each time that it is sent.
    @Test func changesThatAreNeverAnsweredLeaveTheirPlacesToOthers() {
        var world = World()
        world.outbox = (1...50).map { entry($0) }
        world.mutate = { position, _ in
            position > 40 ? .confirmed("remote \(position)") : .failed(.unknown(retryAfter: nil))
        }
        world.goLive()
        world.pass(.seconds(600))
        #expect(Set(world.mutations) == Set(1...32))
        world.mutate = { position, _ in
            position > 10 ? .confirmed("remote \(position)") : .failed(.unknown(retryAfter: nil))
        }
        world.pass(.seconds(600))
        #expect(world.outbox.map(\.id.position) == Array(1...10))
    }

    @Test(arguments: [Duration.zero, .seconds(1)]) func aBusyServiceGetsNoMoreThanTheWindow(retryAfter: Duration) {
        var world = World()
        world.outbox = (1...20).map { entry($0) }
        world.mutate = { _, _ in .failed(.unknown(retryAfter: retryAfter)) }
        world.goLive()
        world.pass(.seconds(600))
        #expect(world.sent.map(\.position).sorted() == Array(1...8))
    }

    /// In an outage nothing can be read, and changes that are taken could no longer be folded.
    @Test func anOutageTakesNoMoreThanTheWindow() {
        var world = World()
        world.outbox = (1...20).map { entry($0) }
        world.mutate = { _, _ in .failed(.unknown(retryAfter: nil)) }
        world.check = { _ in .failed(.unknown(retryAfter: nil)) }
        world.goLive()
        world.pass(.seconds(600))
        #expect(world.sent.map(\.position).sorted() == Array(1...8))
    }

    @Test func answersThatCameTogetherAreSettledTogether() {
        var world = World()
        world.outbox = (1...4).map { entry($0) }
        world.start()
        world.run(unless: Self.holdsMutations)
        world.run { if case .settle = $0 { true } else { false } }
        world.run()
        let sizes = world.log.compactMap { if case .settle(_, let all, _) = $0 { all.count } else { nil } }
        #expect(sizes == [1, 3])
    }

    @Test func onlyEntriesOfOneRecordWaitForEachOther() {
        var world = World()
        world.outbox = [
            entry(1, .update, "Post", "p"), entry(2, .update, "Post", "p"), entry(3, .update, "Blog", "p"),
        ]
        world.start()
        world.run(unless: Self.holdsMutations)
        #expect(world.mutations == [1, 3])
        // The answer alone is not enough: the store must have recorded it.
        world.run { if case .settle = $0 { true } else { false } }
        #expect(world.mutations == [1, 3])
        world.run()
        #expect(world.mutations == [1, 3, 2])
    }

    @Test func aConflictIsDecidedAsOftenAsAllowed() {
        var world = World()
        world.outbox = [entry(1)]
        world.mutate = { _, _ in .conflict(FoundRecord(isDeleted: false, content: "theirs")) }
        world.decide = { _ in .retryLocal }
        world.start()
        world.run()
        #expect(world.mutations.count == 11)
        #expect(world.resolutions(1).last == .dead(.overruled, remote: "theirs"))
    }

    @Test func aFailureAnnouncesItselfAndIsTriedAgain() {
        var world = World()
        world.outbox = [entry(1)]
        var fails = 3
        world.mutate = { _, _ in .failed(.unsent) }
        world.goLive()
        while fails > 0 {
            world.pass(.seconds(2))
            fails -= 1
        }
        #expect(world.mutations.count >= 2)
        #expect(
            world.reports.allSatisfy { if case .mutation(let id, .unsent, _) = $0 { id.position == 1 } else { false } })
        world.mutate = { position, _ in .confirmed("remote \(position)") }
        world.pass(.seconds(61))
        #expect(world.outbox.isEmpty)
    }

    @Test func theServiceDecidesWhenToCheckAgain() {
        var world = World()
        world.outbox = [entry(1)]
        world.mutate = { _, _ in .failed(.unknown(retryAfter: .seconds(20))) }
        world.goLive()
        world.pass(.seconds(19))
        #expect(world.checks.isEmpty)
        world.pass(.seconds(2))
        #expect(world.checks == [1])
    }

    @Test func aRestoredNetworkTriesAtOnce() {
        var world = World()
        world.outbox = [entry(1)]
        world.mutate = { _, _ in .failed(.unknown(retryAfter: .seconds(50))) }
        world.goLive()
        world.send(.network(isUp: false))
        world.pass(.seconds(55))
        #expect(world.checks.isEmpty)
        world.mutate = { position, _ in .confirmed("remote \(position)") }
        world.send(.network(isUp: true))
        world.run()
        #expect(world.checks == [1])
        #expect(world.outbox.isEmpty)
    }

    /// Processes that share a store can give changes of several records the same position.
    @Test(arguments: [1, 2]) func entriesOfOnePositionAreSentAndSettledAsThemselves(window: Int) {
        var settings = SyncSettings()
        settings.sendWindow = window
        var world = World(settings: settings)
        world.outbox = [
            entry(5, .create, "Post", "p"), entry(5, .create, "Post", "q"), entry(6, .create, "Post", "r"),
        ]
        world.start()
        world.run()
        #expect(world.mutations == [5, 5, 6])
        #expect(world.outbox.isEmpty)
        #expect(world.core.entries.isEmpty)
    }

    /// The first two are taken together; the settlement of one leaves the other in flight.
    @Test func aSettledEntryLeavesTheOtherOfItsPosition() throws {
        var world = World()
        world.outbox = [entry(5, .create, "Post", "p"), entry(5, .create, "Post", "q")]
        world.start()
        world.run(unless: Self.holdsMutations)
        let sent = world.pending.compactMap { effect in
            if case .sendMutation(let id, let entry, _) = effect { (id: id, entry: entry) } else { nil }
        }
        #expect(sent.map(\.entry.key) == ["p", "q"])
        world.send(.answered(try #require(sent.first).id, .confirmed("p")))
        world.run(unless: Self.holdsMutations)
        #expect(world.outbox.map(\.id.key) == ["q"])
        #expect(world.core.entries.keys.map(\.key) == ["q"])
    }

    @Test func deadLettersBlockNoOtherChange() {
        var world = World()
        world.outbox = (1...3).map { entry($0) }
        world.mutate = { position, _ in
            position == 1 ? .failed(.rejected(type: "Bad", message: "")) : .confirmed("remote \(position)")
        }
        world.goLive()
        #expect(world.outbox.isEmpty)
        #expect(world.core.entries.isEmpty)
    }

    @Test func aHandlerThatNeverAnswersBlocksOneRecordOnly() {
        var world = World()
        world.outbox = [
            entry(1, .update, "Post", "p"), entry(2, .update, "Post", "q"), entry(3, .update, "Post", "p"),
        ]
        world.mutate = { position, _ in
            position == 1
                ? .conflict(FoundRecord(isDeleted: false, content: "theirs")) : .confirmed("remote \(position)")
        }
        world.start()
        world.run(unless: Self.holdsDecisions)
        #expect(world.mutations == [1, 2])
        #expect(world.outbox.map(\.id.position) == [1, 3])
        world.run()
        #expect(world.resolutions(1) == [.dead(.overruled, remote: "theirs")])
        #expect(world.mutations == [1, 2, 3])
    }

    /// The handler may ask the user, who is not there.
    @Test func conflictsThatWaitForTheirHandlerLeaveTheirPlacesToOthers() {
        var world = World()
        world.outbox = (1...50).map { entry($0) }
        world.mutate = { position, _ in
            position > 40
                ? .confirmed("remote \(position)") : .conflict(FoundRecord(isDeleted: false, content: "theirs"))
        }
        world.start()
        world.run(unless: Self.holdsDecisions)
        #expect(world.mutations == Array(1...50))
        #expect(world.outbox.map(\.id.position) == Array(1...40))

        // A take of unknown outcome gets to know them again.
        world.outbox.append(entry(51))
        world.storeFailure = .failed("unknown")
        world.send(.outboxChanged)
        world.run(unless: Self.holdsDecisions)
        world.storeFailure = nil
        world.pass(.seconds(2), unless: Self.holdsDecisions)
        #expect(world.mutations.last == 51)
        #expect(world.outbox.map(\.id.position) == Array(1...40))
    }

    @Test func aWindowOfOneWaitsForTheHandler() {
        var settings = SyncSettings()
        settings.sendWindow = 1
        var world = World(settings: settings)
        world.outbox = [entry(1), entry(2)]
        world.mutate = { _, _ in .conflict(FoundRecord(isDeleted: false, content: "theirs")) }
        world.start()
        world.run(unless: Self.holdsDecisions)
        #expect(world.mutations == [1])
    }

    /// The earlier session ended with many conflicts that waited for their handler.
    @Test func whatAnEarlierSessionSentIsLookedUpWithinTheWindow() {
        var world = World()
        world.outbox = (1...50).map { entry($0) }
        world.sent = Set(world.outbox.map(\.id))
        world.check = { $0 > 40 ? .absent : .failed(.unknown(retryAfter: nil)) }
        world.start()
        while !world.pending.isEmpty {
            let inFlight = world.pending.count { effect in
                if case .check = effect { true } else { Self.holdsMutations(effect) }
            }
            #expect(inFlight <= 8)
            world.answer(at: 0)
        }
        #expect(world.outbox.map(\.id.position) == Array(1...40))
    }

    @Test func aRetryIsStoredBeforeItIsSent() {
        var world = World()
        world.outbox = [entry(1)]
        var isFirst = true
        world.decide = { _ in .retry("merged") }
        world.start()
        while let index = world.pending.indices.first {
            if case .sendMutation(let id, _, _) = world.pending[index], isFirst {
                isFirst = false
                world.pending.remove(at: index)
                world.send(.answered(id, .conflict(FoundRecord(isDeleted: false, content: "theirs"))))
                continue
            }
            world.answer(at: index)
        }
        #expect(
            world.resolutions(1) == [.resend(onto: "theirs", replacing: "merged"), .confirmed("remote 1")])
        #expect(world.mutations == [1, 1])
        let settle = world.log.firstIndex { if case .settle = $0 { true } else { false } } ?? .max
        let again = world.log.lastIndex(where: Self.holdsMutations) ?? .min
        #expect(settle < again)
    }

    @Test func aFailedConditionIsAnnouncedAfterItsCommit() {
        var world = World()
        let refused = entry(1, hasCondition: true)
        world.outbox = [refused]
        world.mutate = { _, _ in .conditionFailed }
        world.check = { _ in
            .found(FoundRecord(isDeleted: false, content: "theirs"), [.isAboveBase])
        }
        world.start()
        world.run { if case .settle = $0 { true } else { false } }
        #expect(!world.hub.contains(.conditionalSaveFailed(refused.id)))
        world.run()
        #expect(world.resolutions(1) == [.dead(.conditionFailed, remote: "theirs")])
        #expect(world.hub.contains(.conditionalSaveFailed(refused.id)))
        #expect(world.reports == [.dead(refused.id, .conditionFailed)])
    }

    @Test func aFailedSettleIsRepeatedWithEverything() {
        var world = World()
        world.outbox = [entry(1), entry(2)]
        world.start()
        world.run(unless: Self.holdsMutations)
        world.storeFailure = .failed("busy")
        world.run()
        #expect(world.outbox.count == 2)
        world.storeFailure = nil
        world.pass(.seconds(2))
        #expect(world.outbox.isEmpty)
        #expect(world.mutations == [1, 2])
    }

    /// The store may have it sent again already, and the repeated outcome must not end the new attempt.
    @Test func nothingIsTakenWhileAnOutcomeIsNotStored() {
        var world = World()
        world.outbox = [entry(1)]
        world.start()
        world.run(unless: Self.holdsMutations)
        world.storeFailure = .failed("outcome unknown")
        world.run()
        world.storeFailure = nil
        world.outbox.append(entry(2))
        world.send(.outboxChanged)
        world.run()
        #expect(world.mutations == [1])
        world.pass(.seconds(2))
        #expect(world.mutations == [1, 2] && world.outbox.isEmpty)
    }

    @Test func newEntriesAreTakenWhenTheyCome() {
        var world = World()
        world.goLive()
        world.outbox = [entry(5)]
        world.send(.outboxChanged)
        world.run()
        #expect(world.mutations == [5])
        #expect(
            world.hub == [
                .outboxStatus(isEmpty: false), .outboxMutationProcessed("remote 5"), .outboxStatus(isEmpty: true),
            ])
    }

    /// The commit is made, and no later session would say so.
    @Test func whatIsStoredWhileTheSessionEndsIsReported() {
        for isRefused in [false, true] {
            var world = World()
            world.goLive()
            world.outbox = [entry(5)]
            if isRefused { world.mutate = { _, _ in .failed(.rejected(type: "no", message: "")) } }
            world.send(.outboxChanged)
            world.run { if case .settle = $0 { true } else { false } }
            world.send(.command(CommandID(number: 2), .stop))
            world.run()
            #expect(world.core.session.state == .stopped && world.outbox.isEmpty)
            #expect(world.hub.last == .outboxStatus(isEmpty: true))
            #expect(world.hub.contains(.outboxMutationProcessed("remote 5")) != isRefused)
            let refusal = SyncReport.dead(entry(5).id, .rejected(type: "no", message: ""))
            #expect(world.reports == (isRefused ? [refusal] : []))
        }
    }

    /// The service may have made its record again during the gap, with the version that it builds on.
    @Test func aMutationThatWasTakenBeforeAGapIsLookedUpBeforeItIsSent() {
        var world = World()
        world.goLive()
        world.outbox = [entry(5), entry(6, .create)]
        world.send(.outboxChanged)
        world.send(.network(isUp: false))
        world.run()
        #expect(world.sent.count == 2 && world.mutations.isEmpty)
        world.send(.network(isUp: true))
        world.run()
        #expect(world.checks == [5] && world.mutations.sorted() == [5, 6])
    }

    @Test func newMutationsWaitUntilTheModelsWereReadAgain() {
        var world = World()
        world.goLive()
        world.send(.network(isUp: false))
        world.outbox = [entry(5)]
        world.send(.outboxChanged)
        world.send(.network(isUp: true))
        world.run { if case .fetch = $0 { true } else { false } }
        #expect(world.mutations.isEmpty)
        world.run()
        #expect(world.mutations == [5])
    }
}

import HoldfastStorage
import Testing

@testable import HoldfastSync

@Suite struct ModelTests {
    struct Choice: Sendable {
        var name: String
        var change: @Sendable (inout ModelPlan) -> Void
        var identity: String? = "ann"
        var full: SyncChoice.FullReason?
        var generation: Int64
        var resumes = false
    }

    static let choices: [Choice] = [
        Choice(name: "nothing changed", change: { _ in }, full: nil, generation: 4),
        Choice(name: "never read", change: { $0.stored = StoredState() }, full: .first, generation: 1),
        Choice(
            name: "no watermark", change: { $0.stored.lastSync = nil }, full: .first, generation: 5),
        Choice(name: "expression", change: { $0.expression = "x" }, full: .expression, generation: 5),
        Choice(name: "shape", change: { $0.shape = "t" }, full: .shape, generation: 5),
        Choice(name: "identity", change: { _ in }, identity: "bob", full: .identity, generation: 5),
        Choice(
            name: "groups", change: { _ in }, identity: "ann\ncognito:groups Editors", full: .identity, generation: 5),
        Choice(name: "signed out", change: { _ in }, identity: nil, full: .identity, generation: 5),
        Choice(
            name: "old", change: { $0.stored.fullSyncAt = 1_000_000_000 - 86_400_000 }, full: .interval, generation: 5),
        Choice(
            name: "not yet old", change: { $0.stored.fullSyncAt = 1_000_000_001 - 86_400_000 }, full: nil, generation: 4
        ),
        Choice(
            name: "errors",
            change: {
                $0.stored.fullSyncAt = 1_000_000_000 - 600_000
                $0.stored.hasErrors = true
            }, full: .interval, generation: 5),
        Choice(
            name: "errors not yet old",
            change: {
                $0.stored.fullSyncAt = 1_000_000_001 - 600_000
                $0.stored.hasErrors = true
            }, full: nil, generation: 4),
        Choice(
            name: "clock went back", change: { $0.stored.fullSyncAt = 1_000_000_001 }, full: .interval, generation: 5),
        Choice(name: "clock overflows", change: { $0.stored.fullSyncAt = .min }, full: .interval, generation: 5),
        Choice(name: "label in the future", change: { $0.stored.lastSync = .max }, full: nil, generation: 4),
        Choice(
            name: "unfinished base",
            change: {
                $0.stored.lastSync = nil
                $0.stored.resume = Resume(kind: .base, token: "t", label: 7)
            }, full: .first, generation: 4, resumes: true),
        Choice(
            name: "unfinished base of another shape",
            change: {
                $0.stored.resume = Resume(kind: .base, token: "t", label: 7)
                $0.shape = "t"
            }, full: .shape, generation: 5),
        Choice(
            name: "unfinished delta", change: { $0.stored.resume = Resume(kind: .delta, token: "t", label: 7) },
            full: nil, generation: 4, resumes: true),
        Choice(
            name: "unfinished delta of an old model",
            change: {
                $0.stored.resume = Resume(kind: .delta, token: "t", label: 7)
                $0.stored.fullSyncAt = 1
            }, full: .interval, generation: 5),
        Choice(
            name: "unfinished sweep", change: { $0.stored.resume = Resume(kind: .sweep) }, full: .first, generation: 4,
            resumes: true),
    ]

    @Test(arguments: choices) func theStoredStateDecidesBetweenBaseAndDelta(row: Choice) {
        var plan = synced()
        row.change(&plan)
        let choice = SyncChoice(plan, identity: row.identity, settings: SyncSettings(), wall: 1_000_000_000)
        #expect(choice.full == row.full, "\(row.name)")
        #expect(choice.generation == row.generation, "\(row.name)")
        #expect((choice.resume != nil) == row.resumes, "\(row.name)")
    }

    @Test func otherGroupsReadEverythingWithTheNextSocket() {
        var world = World([synced()])
        world.goLive()
        let socket = world.socket
        world.send(.identified(socket, identity: "ann\ncognito:groups Editors"))
        world.send(.socketLost(socket))
        // Was asked for a socket that is gone, perhaps in another session.
        world.send(.identified(socket, identity: "bob"))
        world.pass(.seconds(5))
        #expect(world.fetches.map(\.since) == [nil])
        #expect(world.swept == ["Post"])
        #expect(world.plan.models[0].stored.identity == "ann\ncognito:groups Editors")
    }

    @Test func aLongIntervalDoesNotOutliveTombstones() {
        var settings = SyncSettings()
        settings.syncInterval = .seconds(365 * 86_400)
        var plan = synced()
        plan.stored.fullSyncAt = 0
        let day: Int64 = 86_400_000
        #expect(SyncChoice(plan, identity: "ann", settings: settings, wall: 24 * day).full == nil)
        #expect(SyncChoice(plan, identity: "ann", settings: settings, wall: 25 * day).full == .interval)
    }

    @Test func aFullSyncStoresItsPlaceWithEachPageAndEverythingWithTheLast() {
        var world = World([ModelPlan(name: "Post", expression: "e", shape: "s")])
        world.fetch = { request in
            .success(
                request.token == nil
                    ? FetchedPage(count: 1, nextToken: "t", startedAt: 70, parts: ["a"])
                    : FetchedPage(count: 1, startedAt: 80, parts: ["b"]))
        }
        world.start()
        world.run()
        var state = StoredState(expression: "e", shape: "s", identity: "ann", generation: 1)
        state.resume = Resume(kind: .base, token: "t", label: 70, count: 1)
        state.fullSyncAt = world.now.wall
        #expect(world.applied[0].state == state)
        // The label of the first page, so that what changed between the pages is asked for again.
        state.lastSync = 70
        state.resume = Resume(kind: .sweep, token: nil, label: 70)
        #expect(world.applied[1].state == state)
        state.resume = nil
        #expect(world.applied[2].state == state)
        #expect(world.applied[2].page == nil)
        #expect(world.fetches.allSatisfy { $0.isFiltered && $0.since == nil })
    }

    @Test func aPageIsStoredInPartsAndItsPlaceWithTheLast() {
        var world = World()
        world.fetch = { request in
            .success(
                request.token == nil
                    ? FetchedPage(count: 3, nextToken: "t", startedAt: 70, parts: ["a", "b", "c"])
                    : FetchedPage(count: 2, startedAt: 80, parts: ["d", "e"]))
        }
        world.start()
        world.run { $0.isOfPage }
        // The next page is read while this one is stored.
        #expect(world.fetches.map(\.token) == [nil, "t"])
        world.run()
        #expect(world.applied.map(\.page) == ["a", "b", "c", "d", "e", nil])
        #expect(world.applied.map { $0.state?.resume?.kind } == [nil, nil, .base, nil, .sweep, nil])
        #expect(world.applied.map { $0.state == nil } == [true, true, false, true, false, false])
        #expect(world.core.models["Post"]?.state == .synced)
    }

    @Test func otherWorkOfTheStoreDoesNotWaitForAWholePage() {
        var world = World([ModelPlan(name: "Post"), ModelPlan(name: "Blog")])
        world.fetch = { request in
            .success(FetchedPage(count: 2, startedAt: 70, parts: ["\(request.model) 1", "\(request.model) 2"]))
        }
        world.start()
        world.run { $0.isOfPage }
        world.run()
        #expect(world.applied.compactMap(\.page) == ["Post 1", "Blog 1", "Post 2", "Blog 2"])
    }

    @Test func aPageOfWhichAPartWasNotStoredIsNotReadAgain() {
        var world = World()
        world.fetch = { _ in .success(FetchedPage(count: 2, startedAt: 70, parts: ["a", "b"])) }
        world.start()
        world.run { if case .apply(_, let work) = $0 { work.page == "b" } else { false } }
        world.storeFailure = .failed("full")
        world.run()
        #expect(world.core.models["Post"]?.state == .failed)
        #expect(world.core.models["Post"]?.plan.stored == StoredState(generation: 1))
        world.storeFailure = nil
        world.pass(.seconds(1))
        #expect(world.applied.compactMap(\.page) == ["a", "b", "b"])
        #expect(world.fetches.count == 1)
        #expect(world.core.models["Post"]?.state == .synced)
    }

    /// A service that was restored from a backup no longer has them.
    @Test func changesThatWaitedForAnEarlierSocketAreDropped() {
        var world = World()
        world.start()
        world.run { $0.isOfPage }
        world.deliver(change("a", 2, at: 5))
        world.send(.socketLost(world.socket))
        world.run()
        world.pass(.seconds(60))
        #expect(world.core.models["Post"]?.state == .synced)
        #expect(world.applied.flatMap(\.changes).isEmpty)
    }

    @Test func partsOfAPageThatASocketInterruptsAreDropped() {
        var world = World()
        world.fetch = { _ in .success(FetchedPage(count: 3, startedAt: 70, parts: ["a", "b", "c"])) }
        world.start()
        world.run { $0.isOfPage }
        world.send(.socketLost(world.socket))
        world.run()
        #expect(world.applied.compactMap(\.page) == ["a"])
        world.pass(.seconds(60))
        #expect(world.applied.compactMap(\.page).prefix(4) == ["a", "a", "b", "c"])
        #expect(world.core.models["Post"]?.state == .synced)
    }

    @Test func anInterruptedFirstSyncResumesAtItsPageAndQueriesLaterChanges() {
        var plan = ModelPlan(name: "Post", shape: "s")
        plan.stored = StoredState(
            shape: "s", identity: "ann", fullSyncAt: 999_999_000, generation: 3,
            resume: Resume(kind: .base, token: "p7", label: 400_000))
        var world = World([plan])
        world.start()
        world.run()
        #expect(world.fetches.map(\.token) == ["p7", nil])
        #expect(world.fetches.map(\.since) == [nil, 280_000])
        #expect(world.applied.allSatisfy { $0.generation == 3 })
        #expect(world.swept == ["Post"])
    }

    @Test func aResumedFullSyncCountsWhatItReadBefore() {
        var settings = SyncSettings()
        settings.syncMaxRecords = 10
        settings.syncPageSize = 4
        var plan = ModelPlan(name: "Post", shape: "s")
        plan.stored = StoredState(
            shape: "s", identity: "ann", fullSyncAt: 999_999_000, generation: 3,
            resume: Resume(kind: .base, token: "p2", label: 400_000, count: 5))
        var world = World([plan], settings: settings)
        world.fetch = { request in
            guard request.since == nil else { return .success(FetchedPage(count: 0, startedAt: 500_000, parts: ["d"])) }
            return .success(FetchedPage(count: request.limit, nextToken: "more", startedAt: 400_001, parts: ["p"]))
        }
        world.start()
        world.run()
        let full = world.fetches.filter { $0.since == nil }
        #expect(full.map(\.limit) == [4, 1])
        #expect(world.applied.first?.state?.resume?.count == 9)
        #expect(world.plan.models[0].stored.isTruncated)
        #expect(world.swept.isEmpty)
    }

    /// The service looks at as many records as it is asked for, and then selects.
    @Test(arguments: [true, false]) func theLastRecordsOfAnExpressionAreNotRequestedOneByOne(isSent: Bool) {
        var settings = SyncSettings()
        settings.syncMaxRecords = 10
        settings.syncPageSize = 4
        var plan = ModelPlan(name: "Post", expression: "e", shape: "s")
        plan.sendsExpression = isSent
        var world = World([plan], settings: settings)
        world.fetch = { request in
            .success(
                FetchedPage(count: 3, nextToken: request.since == nil ? "t" : nil, startedAt: 400_000, parts: ["p"]))
        }
        world.start()
        world.run()
        #expect(world.fetches.filter { $0.since == nil }.map(\.limit) == [4, 4, 4, 4])
        #expect(world.plan.models[0].stored.isTruncated)
        #expect(world.swept.isEmpty)
    }

    /// Records that the pages did not reach may have changed since the watermark; only a delta from there shows it.
    ///
    /// That also goes for a full sync that a repair or a migration asks for.
    @Test(
        arguments: [(300_000, true, 0), (300_000, true, nil), (200_000 + 40 * 86_400_000, false, 0)]
            as [(Int64, Bool, Int64?)])
    func aFullSyncThatStopsEarlyIsFollowedByADeltaWhileTombstonesLive(
        label: Int64, isFollowed: Bool, fullSyncAt: Int64?
    ) {
        var settings = SyncSettings()
        settings.syncMaxRecords = 10
        settings.syncPageSize = 5
        var plan = synced()
        plan.stored.fullSyncAt = fullSyncAt
        var world = World([plan], settings: settings)
        world.fetch = { request in
            guard request.since == nil else { return .success(FetchedPage(count: 0, startedAt: 400_000, parts: ["d"])) }
            return .success(FetchedPage(count: request.limit, nextToken: "more", startedAt: label, parts: ["p"]))
        }
        world.start()
        world.run()
        #expect(world.fetches.map(\.since) == [nil, nil] + (isFollowed ? [80_000] : []))
        #expect(
            world.applied.map { $0.state?.lastSync } == (isFollowed ? [200_000, 200_000, 400_000] : [200_000, label]))
        #expect(world.plan.models[0].stored.isTruncated)
    }

    /// The service then sends what the application does not want, too.
    @Test(arguments: [ModelPlan(name: "Post", expression: "e", shape: "s"), synced(expression: "e")])
    func theDeviceSelectsByAnExpressionThatIsNotSent(plan: ModelPlan) {
        var settings = SyncSettings()
        settings.syncMaxRecords = 10
        settings.syncPageSize = 4
        settings.deltaPageLimit = 2
        var plan = plan
        plan.sendsExpression = false
        var world = World([plan], settings: settings)
        world.fetch = { request in
            let number = request.token.flatMap(Int.init) ?? 0
            return .success(
                FetchedPage(
                    count: 4, outsideCount: 3, nextToken: number == 5 ? nil : "\(number + 1)", startedAt: 300_000,
                    parts: ["p"]))
        }
        world.start()
        world.run()
        #expect(world.fetches.map(\.token) == [nil, "1", "2", "3", "4", "5"])
        #expect(world.fetches.allSatisfy { !$0.isFiltered })
        #expect(!world.plan.models[0].stored.isTruncated)
    }

    /// Only the delta, or a reading of the whole, shows what became of the records that a full sync does not reach.
    @Test(arguments: [false, true]) func theWholeIsReadInsteadOfALongDeltaOfAPart(isTruncated: Bool) {
        var settings = SyncSettings()
        settings.syncMaxRecords = 10
        settings.syncPageSize = 5
        settings.deltaPageLimit = 1
        var plan = synced(expression: "e")
        plan.stored.isTruncated = isTruncated
        var world = World([plan], settings: settings)
        world.fetch = { request in
            let number = request.token.flatMap(Int.init) ?? 0
            // A full sync has four pages, a delta has no last one.
            let isLast = request.since == nil && number == 3
            return .success(
                FetchedPage(
                    count: request.limit, nextToken: isLast ? nil : "\(number + 1)", startedAt: 300_000, parts: ["p"]))
        }
        world.start()
        world.run()
        let part: [Int64?] = isTruncated ? [] : [80_000, nil, nil]
        #expect(world.fetches.map(\.since) == part + [80_000, nil, nil, nil, nil])
        #expect(world.swept == ["Post"])
        #expect(world.plan.models[0].stored.lastSync == 300_000)
        #expect(!world.plan.models[0].stored.isTruncated)
    }

    /// What the pages of a month ago had can have been deleted and forgotten since.
    @Test(arguments: [Resume.Kind.base, .whole, .sweep])
    func aFullSyncThatIsContinuedMuchLaterIsFollowedByANewOne(kind: Resume.Kind) {
        var plan = synced()
        plan.stored.resume = Resume(kind: kind, token: kind == .sweep ? nil : "t", label: 70)
        plan.stored.fullSyncAt = 999_999_000 - 30 * 86_400_000
        var world = World([plan])
        world.start()
        world.run()
        #expect(world.swept == ["Post", "Post"])
        #expect(world.plan.models[0].stored.generation == 5)
        #expect(world.plan.models[0].stored.fullSyncAt == world.now.wall)
        #expect(world.fetches.last?.since == nil)
    }

    @Test func anInterruptedSweepIsDoneAgain() {
        var plan = synced()
        plan.stored.resume = Resume(kind: .sweep)
        var world = World([plan])
        world.start()
        world.run()
        #expect(world.swept == ["Post"])
        #expect(world.plan.models[0].stored.fullSyncAt == world.now.wall)
        #expect(world.plan.models[0].stored.resume == nil)
    }

    /// A run that continues a full sync whose token the service has forgotten.
    private func continued(fullSyncAt: Int64) -> World {
        var plan = ModelPlan(name: "Post", shape: "s")
        plan.stored = StoredState(
            shape: "s", identity: "ann", fullSyncAt: fullSyncAt, generation: 3,
            resume: Resume(kind: .base, token: "old", label: 4))
        var world = World([plan])
        world.fetch = { request in
            request.token == "old"
                ? .failure(.rejected(type: "BadToken", message: ""))
                : .success(FetchedPage(count: 1, startedAt: 900_000, parts: ["x"]))
        }
        world.start()
        world.run()
        return world
    }

    @Test func anExpiredTokenStartsAtTheFirstPage() {
        let world = continued(fullSyncAt: 999_999_000)
        #expect(world.fetches.prefix(2).map(\.token) == ["old", nil])
        #expect(world.core.models["Post"]?.state == .synced)
        #expect(world.plan.models[0].stored.generation == 3)
    }

    /// All pages are new then, also those of a full sync that began long before.
    @Test(arguments: [25, 24 * 40]) func aFullSyncThatBeginsAgainIsReadOnce(hours: Int64) {
        let world = continued(fullSyncAt: World().now.wall - hours * 3_600_000)
        #expect(world.fetches.filter { $0.since == nil }.map(\.token) == ["old", nil])
        #expect(world.plan.models[0].stored.generation == 3)
        #expect(world.plan.models[0].stored.fullSyncAt == world.now.wall)
    }

    @Test func aDeltaThatIsTooLongBecomesAFilteredFullSync() {
        var settings = SyncSettings()
        settings.deltaPageLimit = 2
        var world = World([synced(expression: "e")], settings: settings)
        world.fetch = { request in
            let page = Int(request.token ?? "0") ?? 0
            return .success(
                FetchedPage(
                    count: 1, nextToken: request.since != nil && page < 9 ? "\(page + 1)" : nil, startedAt: 300_000,
                    parts: ["p"]))
        }
        world.start()
        world.run()
        #expect(world.fetches.map(\.isFiltered) == [false, false, true])
        #expect(world.fetches.last?.since == nil)
        #expect(world.swept == ["Post"])
        #expect(world.plan.models[0].stored.generation == 5)

        // Without an expression the base query would be no shorter.
        var other = World([synced()], settings: settings)
        other.fetch = world.fetch
        other.start()
        other.run()
        #expect(other.fetches.count == 10)
    }

    /// Only a full sync removes records that the service no longer has.
    @Test func aDeltaThatIsAnsweredAsABaseQueryBecomesAFullSync() {
        var world = World([synced()])
        world.fetch = { request in
            .success(FetchedPage(count: 1, startedAt: 300_000, isBase: request.since != nil, parts: ["p"]))
        }
        world.start()
        world.run()
        #expect(world.fetches.map(\.since) == [80_000, nil])
        #expect(world.applied.compactMap(\.page) == ["p"])
        #expect(world.swept == ["Post"])
        #expect(world.plan.models[0].stored.generation == 5)
        #expect(world.plan.models[0].stored.lastSync == 300_000)
    }

    /// A full sync that ends early would remove nothing.
    @Test func aPartOfTheRecordsIsReadAsAWholeIfTheServiceDoesNotKnowWhatHasChanged() {
        var settings = SyncSettings()
        settings.syncMaxRecords = 5
        settings.syncPageSize = 4
        var plan = synced()
        plan.stored.isTruncated = true
        var world = World([plan], settings: settings)
        world.fetch = { request in
            let number = request.token.flatMap(Int.init) ?? 0
            // The full sync has four pages, the delta after it one.
            return .success(
                FetchedPage(
                    count: 4, nextToken: request.since == nil && number < 3 ? "\(number + 1)" : nil,
                    startedAt: 300_000, isBase: request.since == 80_000, parts: ["p"]))
        }
        world.start()
        // Killed after the second page.
        world.run { if case .fetch(_, let request) = $0 { request.token == "2" } else { false } }
        #expect(world.plan.models[0].stored.resume?.kind == .whole)
        #expect(world.plan.models[0].stored.resume?.count == 8)
        var later = World([world.plan.models[0]], settings: settings)
        later.fetch = world.fetch
        later.start()
        later.run()
        #expect(later.fetches.map(\.token) == ["2", "3", nil])
        #expect(later.fetches.map(\.limit) == [4, 4, 4])
        #expect(later.swept == ["Post"])
        #expect(later.plan.models[0].stored.generation == 5)
        #expect(later.plan.models[0].stored.lastSync == 300_000)
        #expect(!later.plan.models[0].stored.isTruncated)
    }

    /// The answer to a delta would be the same again.
    @Test func aWholeReadingWithErrorsIsNotRepeatedAtOnce() {
        var plan = synced()
        plan.stored.isTruncated = true
        var world = World([plan])
        world.fetch = { _ in
            .success(FetchedPage(count: 1, startedAt: 300_000, hasErrors: true, isBase: true, parts: ["p"]))
        }
        world.start()
        world.run()
        #expect(world.fetches.map(\.since) == [80_000, nil])
        #expect(world.swept.isEmpty)
        #expect(world.plan.models[0].stored.lastSync == 300_000)
        #expect(world.plan.models[0].stored.isTruncated && world.plan.models[0].stored.hasErrors)
    }

    /// A service may say any number.
    @Test(arguments: [Int64.min, .max]) func aDeltaBeginsAtAnyWatermark(label: Int64) {
        var plan = synced()
        plan.stored.lastSync = label
        var world = World([plan])
        world.start()
        world.run()
        let since = max(0, label) - (label == .max ? 120_000 : 0)
        #expect(world.fetches.map(\.since) == [since])
    }

    @Test func aRefusedModelIsReportedAndTriedInEveryMode() {
        var plan = ModelPlan(name: "Post")
        plan.modeCount = 2
        var world = World([plan, ModelPlan(name: "Blog")])
        world.fetch = { request in
            request.model == "Post"
                ? .failure(.unauthorized(isSignedOut: false))
                : .success(FetchedPage(count: 1, startedAt: 1, parts: ["b"]))
        }
        world.start()
        world.run()
        #expect(world.fetches.filter { $0.model == "Post" }.map(\.mode) == [0, 1])
        #expect(world.core.models["Post"]?.state == .refused)
        #expect(world.reports == [.model("Post", .unauthorized(isSignedOut: false), retry: nil)])
        // Neither the hub nor the status hears of it as of a complete one.
        let announced: [String] = world.hub.compactMap { event in
            if case .modelSynced(let model, _, _, _, _) = event { model } else { nil }
        }
        #expect(announced == ["Blog"])
        #expect(!world.log.contains(.synced(model: "Post")) && world.log.contains(.synced(model: "Blog")))
        #expect(world.hub.last == .ready)
    }

    /// Something before the service may refuse one model in this way.
    @Test func onlyCredentialsThatNoModelIsReadWithEndTheSession() {
        for (isOther, subscribes) in [(false, false), (true, false), (false, true)] {
            var world = World([ModelPlan(name: "Post"), ModelPlan(name: "Blog")])
            world.plan.subscribes = subscribes
            world.fetch = { request in
                request.model == "Post" || !isOther
                    ? .failure(.unauthenticated) : .success(FetchedPage(count: 1, startedAt: 1, parts: ["b"]))
            }
            world.start()
            world.run()
            #expect(world.core.session.state == (isOther || subscribes ? .live : .refused(.unauthorized)))
            #expect(world.reports.contains(.model("Post", .unauthenticated, retry: nil)))
        }
    }

    /// The first mode may be allowed by now; the later ones may read less.
    @Test func eachReadingBeginsWithTheFirstMode() {
        var plan = ModelPlan(name: "Post")
        plan.modeCount = 2
        var world = World([plan])
        world.fetch = { request in
            .failure(request.mode == 0 ? .unauthorized(isSignedOut: false) : .unknown(retryAfter: nil))
        }
        world.start()
        world.run()
        world.pass(.seconds(1))
        #expect(world.fetches.map(\.mode).prefix(4) == [0, 1, 0, 1])
    }

    @Test(arguments: [ServiceFailure.rejected(type: "Unknown", message: ""), .schemaMismatch(message: "")])
    func aRejectedModelIsNotRequestedForever(failure: ServiceFailure) {
        var world = World()
        world.fetch = { _ in .failure(failure) }
        world.start()
        world.run()
        world.pass(.seconds(200))
        #expect(world.fetches.count == 3)
        #expect(world.core.models["Post"]?.state == .refused)
    }

    /// The service may refuse to read a model, even briefly, and keep its subscriptions.
    @Test func changesToARefusedModelAreApplied() {
        var world = World()
        world.start()
        world.run()
        world.fetch = { _ in .failure(.unauthorized(isSignedOut: false)) }
        world.pass(.seconds(31))
        #expect(world.core.models["Post"]?.state == .refused)
        let count = world.applied.count
        for number in Int64(1)...2 {
            world.deliver(change("a", number, at: number))
            world.run()
        }
        #expect(world.applied.dropFirst(count).flatMap(\.changes).map(\.version) == [1, 2])
    }

    @Test func aPageThatIsTooLongIsRequestedWithFewerRecords() {
        var world = World()
        world.fetch = { request in
            request.limit > 300
                ? .failure(.tooLong(reason: "raise the limit"))
                : .success(FetchedPage(count: 1, startedAt: 500, parts: ["p"]))
        }
        world.start()
        world.run()
        #expect(world.fetches.map(\.limit) == [1_000, 500, 250])
        #expect(world.core.session.state == .live)
        // Later pages are likely to be as long.
        world.log = []
        world.pass(.seconds(31))
        #expect(world.fetches.map(\.limit) == [250])
        #expect(world.reports.isEmpty)
    }

    /// Over a slow connection a page of the same length would be too late each time.
    @Test func aPageThatIsNotAnsweredTwiceIsRequestedWithFewerRecords() {
        var world = World()
        world.fetch = { request in
            request.limit > 400
                ? .failure(.unknown(retryAfter: nil))
                : .success(FetchedPage(count: 1, startedAt: 500, parts: ["p"]))
        }
        world.start()
        world.run()
        world.pass(.seconds(20))
        #expect(world.fetches.map(\.limit) == [1_000, 1_000, 500, 500, 250])
        #expect(world.core.models["Post"]?.state == .synced)
        world.log = []
        world.pass(.seconds(31))
        #expect(world.fetches.map(\.limit) == [312])
        // A service that says when to come again, or that it is busy, is not slow.
        for wait in [Duration.seconds(1), .zero] {
            var busy = World()
            busy.fetch = { _ in .failure(.unknown(retryAfter: wait)) }
            busy.start()
            busy.run()
            busy.pass(.seconds(20))
            #expect(busy.fetches.count > 2 && busy.fetches.allSatisfy { $0.limit == 1_000 })
        }
    }

    @Test func aRecordThatIsTooLongIsReported() {
        var settings = SyncSettings()
        settings.syncPageSize = 3
        var world = World(settings: settings)
        world.fetch = { _ in .failure(.tooLong(reason: "raise the limit")) }
        world.start()
        world.run()
        #expect(world.fetches.map(\.limit) == [3, 1])
        #expect(world.reports.map { SyncProblem($0).reason } == ["An answer was not read: raise the limit."])
        world.log = []
        world.pass(.seconds(1))
        #expect(world.fetches.map(\.limit).allSatisfy { $0 == 1 } && !world.fetches.isEmpty)
    }

    @Test func aFailingStoreIsTriedAgain() {
        var world = World()
        world.start()
        world.run { $0.isOfPage }
        world.storeFailure = .failed("busy")
        world.run()
        #expect(world.core.models["Post"]?.state == .failed)
        #expect(world.reports.contains(.store(.failed("busy"))))
        world.storeFailure = nil
        world.pass(.seconds(1))
        #expect(world.core.models["Post"]?.state == .synced)
    }

    @Test func aPageWithErrorsIsStoredAndNothingIsRemovedOnItsAccount() {
        var world = World()
        world.fetch = { _ in .success(FetchedPage(count: 1, startedAt: 5, hasErrors: true, parts: ["x"])) }
        world.start()
        world.run()
        #expect(world.swept.isEmpty)
        #expect(world.reports == [.incompletePage(model: "Post")])
        #expect(world.applied.map(\.page) == ["x"])
        #expect(world.plan.models[0].stored.isTruncated && world.plan.models[0].stored.hasErrors)

        // A delta with errors is asked for again from the same watermark.
        var delta = World([synced()])
        delta.fetch = world.fetch
        delta.start()
        delta.run()
        #expect(delta.plan.models[0].stored.lastSync == 200_000)
    }

    /// The store knows which records these are, so nothing is taken for forgotten on their account.
    @Test func recordsThatCannotBeReadHoldUpNoOthers() {
        var world = World()
        world.fetch = { _ in .success(FetchedPage(count: 1, startedAt: 5, hasFaults: true, parts: ["x"])) }
        world.start()
        world.run()
        #expect(world.swept == ["Post"])
        #expect(world.reports == [.incompletePage(model: "Post")])
        #expect(!world.plan.models[0].stored.isTruncated && world.plan.models[0].stored.hasErrors)

        // The next full sync is due soon, and the next delta begins later.
        var delta = World([synced()])
        delta.fetch = world.fetch
        delta.start()
        delta.run()
        #expect(delta.plan.models[0].stored.lastSync == 5 && delta.plan.models[0].stored.hasErrors)
        #expect(delta.plan.models[0].stored.resume == nil)
    }

    /// A query that continues after the page with errors does not know that records are missing.
    @Test func aDeltaWithErrorsIsNotContinued() {
        var delta = World([synced()])
        delta.fetch = { request in
            if request.token != nil { return .failure(.unknown(retryAfter: nil)) }
            return .success(FetchedPage(count: 1, nextToken: "t", startedAt: 5, hasErrors: true, parts: ["x"]))
        }
        delta.start()
        delta.run()
        #expect(delta.plan.models[0].stored.resume == nil)
        delta.fetch = { _ in .success(FetchedPage(count: 1, startedAt: 7, parts: ["x"])) }
        delta.pass(.seconds(100))
        #expect(delta.fetches.last?.token == nil)
        #expect(delta.plan.models[0].stored.lastSync == 7)
    }

    @Test func changesThatDoNotFitIntoMemoryAreLeftToADelta() {
        var settings = SyncSettings()
        settings.eventLimit = 2
        var world = World([synced()], settings: settings)
        world.start()
        world.run { if case .fetch = $0 { true } else { false } }
        for key in ["a", "b", "c"] { world.deliver(change(key, 1, at: 1)) }
        world.run()
        #expect(world.applied.flatMap(\.changes).map(\.content) == ["a@1", "b@1"])
        #expect(world.fetches.count == 2)
    }

    /// A limit of less than one record would leave every change out, also while nothing waits.
    @Test func aChangeAloneFitsIntoMemory() {
        var settings = SyncSettings()
        settings.eventLimit = 0
        var world = World([synced()], settings: settings)
        world.start()
        world.run()
        world.deliver(change("a", 1, at: 1))
        world.run()
        #expect(world.applied.flatMap(\.changes).map(\.content) == ["a@1"])
    }

    /// A save of the application waits for one commit.
    @Test func manyChangesAreStoredInSeveralCommits() {
        let limit = SyncContent.recordsPerCommit
        var settings = SyncSettings()
        settings.eventLimit = 2 * limit + 1
        var world = World([synced()], settings: settings)
        world.start()
        world.run { if case .fetch = $0 { true } else { false } }
        for number in 0..<3 * limit { world.deliver(change("\(number)", 1, at: 1)) }
        world.run { if case .fetch(_, let request) = $0 { request.since != 80_000 } else { false } }
        #expect(world.applied.map(\.changes.count) == [0, limit, limit, 1])
        world.run()
        #expect(world.fetches.count == 2)
        #expect(world.applied.count == 5)
    }

    /// A copy of those that wait for each change would cost the square of their number.
    @Test func changesThatWaitAreNotCopiedWithEachOther() {
        var world = World([synced()])
        world.start()
        world.run { if case .fetch = $0 { true } else { false } }
        var place: UnsafePointer<RecordKey>?
        var moveCount = 0
        for number in 0..<256 {
            world.deliver(change("\(number)", 1, at: 1))
            let keys = world.core.models["Post"]?.changes.keys ?? []
            let next = keys.withUnsafeBufferPointer { $0.baseAddress }
            if next != place { moveCount += 1 }
            place = next
        }
        // An array that grows moves whenever it has doubled.
        #expect(moveCount < 16)
        world.run()
        #expect(world.applied.flatMap(\.changes).count == 256)
    }

    @Test func changesWaitForTheModelAndAreFoldedAndThenGoOutTogether() {
        var world = World([synced()])
        world.start()
        world.run { if case .fetch = $0 { true } else { false } }
        world.deliver(change("a", 2, at: 20))
        world.deliver(change("a", 1, at: 10))
        world.deliver(change("b", 1, at: 15))
        #expect(world.applied.isEmpty)
        world.run()
        #expect(world.applied.map(\.page) == ["Post records", nil])
        #expect(world.applied[1].changes.map(\.content) == ["a@2", "b@1"])
        // While a commit is in progress, the next ones gather.
        world.log = []
        world.deliver(change("c", 1, at: 30))
        world.deliver(change("d", 1, at: 31))
        world.deliver(change("d", 2, at: 32))
        world.run()
        #expect(world.applied.map { $0.changes.map(\.content) } == [["c@1"], ["d@2"]])
    }
}

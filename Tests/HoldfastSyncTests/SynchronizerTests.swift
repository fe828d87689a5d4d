import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastSQLite
import HoldfastServer
import HoldfastStorage
import HoldfastSyncTestSupport
import HoldfastTestSupport
import HoldfastWire
import Testing

@testable import HoldfastSync

/// What an application without Amplify uses.
@Suite struct SynchronizerTests {
    let world = ManualSurroundings()

    private func open(_ adapter: any StorageAdapter = InMemoryAdapter()) async throws -> DataStore {
        try await DataStore.open(
            adapter, models: [Note.self, Remark.self], options: DataStoreOptions(surroundings: world.surroundings))
    }

    private func service(_ transport: any SyncTransport) -> SyncService {
        SyncService(
            transport: transport,
            authorization: SyncAuthorization(headers: { _, _ in
                .apiKey("key", host: "localhost", date: "20240229T120000Z")
            }))
    }

    /// Waits until the status is as wanted.
    private func reach(_ synchronizer: Synchronizer, _ isReached: (SyncStatus) -> Bool) async -> SyncStatus {
        for await status in synchronizer.statuses where isReached(status) { return status }
        Issue.record("the synchronizer ended")
        return synchronizer.status
    }

    private func end(_ synchronizers: Synchronizer...) async throws {
        for synchronizer in synchronizers {
            await synchronizer.close()
            try await synchronizer.store.close()
        }
    }

    @Test func theStatusShowsTheProgressOfAStore() async throws {
        let local = try await LocalService.open(.automerge, world.surroundings)
        let a = try Synchronizer(try await open(), with: service(local))
        #expect(a.status == SyncStatus())
        for number in 0..<3 { try await a.store.save(Note(id: "\(number)", title: "t")) }
        #expect(await reach(a) { $0.outboxCount == 3 }.state == .stopped)
        #expect(try await a.start() == .started)
        let live = await reach(a) { $0.isSynchronized }
        #expect(live.models.keys.sorted() == ["Note", "Remark"])
        #expect(live.models["Note"]?.isFull == true && live.models["Note"]?.pageCount == 1)

        let b = try Synchronizer(try await open(SQLiteAdapter(SQLiteConfiguration(.temporary))), with: service(local))
        try await b.start()
        let read = await reach(b) { $0.isSynchronized }
        #expect(read.models["Note"]?.rowCount == 3 && read.lastProblem == nil && read.nextRetryAt == nil)
        #expect(try await b.store.query(Note.self).count == 3)
        try await b.stop()
        #expect(b.status.state == .stopped && b.status.models.values.allSatisfy { !$0.isSynced })
        try await b.clear()
        #expect(try await b.store.query(Note.self).isEmpty)
        try await end(a, b)
        // The sequence of an ended synchronizer has its last status alone.
        var last: [SyncState] = []
        for await status in b.statuses { last.append(status.state) }
        #expect(last == [.stopped])
        await #expect(throws: SyncProblem.self) { try await b.start() }
    }

    @Test func aDeviceIsSynchronizedAfterItQueriedMissedChanges() async throws {
        var service = service(try await LocalService.open(.automerge, world.surroundings))
        (service.settings.trailingDelay, service.settings.watermarkOverlap) = (.seconds(7), .zero)
        let a = try Synchronizer(try await open(), with: service)
        try await a.start()
        try await a.waitUntilSynchronized()
        await world.waitForSleeper(of: .seconds(7))
        world.advance(.seconds(7))
        _ = await reach(a) { $0.models.values.allSatisfy { !$0.isFull && $0.pageCount == 1 } }
        try await a.waitUntilSynchronized()
        try await end(a)
    }

    /// They are not frozen either, as if they might have been sent.
    @Test func changesOfModelsThatAreNotSynchronizedStay() async throws {
        let local = try await LocalService.open(.automerge, world.surroundings)
        var notes = service(local)
        notes.models = ["Note"]
        let a = try Synchronizer(try await open(), with: notes)
        let note = Note(id: "n", title: "t")
        try await a.store.save(note)
        try await a.store.save(Remark(id: "r", text: "t", note: LazyReference(note)))
        _ = await reach(a) { $0.outboxCount == 1 }
        try await a.start()
        _ = await reach(a) { $0.isSynchronized }
        let entries = try await a.store.outboxEntries()
        #expect(entries.map(\.model) == ["Remark"] && entries.map(\.stage) == [.pending])
        try await end(a)
    }

    /// The first user could never send them.
    ///
    /// While the outbox counts as full, all of it is read after each change of the service.
    @Test func changesOfModelsThatAreNotSynchronizedKeepNoUserWaiting() async throws {
        let local = try await LocalService.open(.automerge, world.surroundings)
        let user = Mutex("ann")
        var notes = service(local)
        notes.models = ["Note"]
        notes.authorization.identity = { user.withLock { $0 } }
        let outbox = EventLog<Bool>()
        let a = try Synchronizer(try await open(), with: notes) { notification in
            if case .hub(.outboxStatus(let isEmpty)) = notification { outbox.add(isEmpty) }
        }
        try await a.start()
        _ = await reach(a) { $0.state == .live }
        try await a.store.save(Remark(id: "r", text: "t", note: LazyReference(nil)))
        try await a.store.save(Note(id: "n", title: "t"))
        try await a.waitUntilSynchronized()
        // The count of the last look at the outbox may come after the wait has ended.
        #expect(await reach(a) { $0.outboxCount == 0 }.outboxCount == 0)
        try await a.stop()
        user.withLock { $0 = "ben" }
        try await a.start()
        let status = await reach(a) { $0.state == .live || $0.state == .refused(.otherUser) }
        #expect(status.state == .live && outbox.events.last == true)
        #expect(try await a.store.outboxEntries().map(\.identity) == ["ann"])
        try await end(a)
    }

    /// A service that merges keeps its own title, and a record that was deleted there takes the change along.
    @Test(arguments: [false, true]) func aChangeThatIsGivenUpInAMergeIsReported(isDeleted: Bool) async throws {
        let local = try await LocalService.open(.automerge, world.surroundings)
        let problems = EventLog<SyncProblem>()
        var first = service(local)
        first.errorHandler = { problems.add($0) }
        let a = try Synchronizer(try await open(), with: first)
        let b = try Synchronizer(try await open(), with: service(local))
        try await a.start()
        _ = try await a.store.saveWithReceipt(Note(id: "n", title: "one")).settled()
        try await b.start()
        try await b.waitUntilSynchronized()
        try await a.stop()
        if isDeleted {
            _ = try await b.store.delete(Note.self, withId: "n")
            try await b.waitUntilSynchronized()
        } else {
            _ = try await b.store.saveWithReceipt(Note(id: "n", title: "from b")).settled()
        }

        let mine = try await a.store.saveWithReceipt(Note(id: "n", title: "from a"))
        try await a.start()
        guard case .rejected = try await mine.settled() else {
            Issue.record("the change should have been given up")
            return
        }
        try await problems.wait { problems.events.contains { $0.kind == .mutationRejected } }
        let rejected = problems.events.filter { $0.kind == .mutationRejected }
        #expect(rejected.map(\.errorType) == ["ConflictUnhandled"] && rejected.map(\.model) == ["Note"])
        #expect(try await a.store.query(Note.self).map(\.title) == (isDeleted ? [] : ["from b"]))
        try await end(a, b)
    }

    @Test func aRefusedChangeIsReportedAndItsReceiptIsRejected() async throws {
        let local = try await LocalService.open(.optimisticConcurrency, world.surroundings)
        let problems = EventLog<SyncProblem>()
        var first = service(local)
        first.errorHandler = { problems.add($0) }
        let a = try Synchronizer(try await open(SQLiteAdapter(SQLiteConfiguration(.temporary))), with: first)
        let b = try Synchronizer(try await open(), with: service(local))
        try await a.start()
        let created = try await a.store.saveWithReceipt(Note(id: "n", title: "one"))
        #expect(try await created.settled() == .confirmed(version: 1))
        try await b.start()
        _ = await reach(b) { $0.isSynchronized }
        try await a.stop()

        let theirs = try await b.store.saveWithReceipt(Note(id: "n", title: "from b"))
        #expect(try await theirs.settled() == .confirmed(version: 2))
        let mine = try await a.store.saveWithReceipt(Note(id: "n", title: "from a"))
        #expect(try await mine.state() == .stored)
        let unsent = try await a.store.explain(Note.self, "n")
        #expect(unsent.isStored && unsent.service?.version == 1 && unsent.unsent.map(\.changedFields) == [["title"]])
        // As an application does that was restarted meanwhile.
        let again = try #require(a.store.receipt(mine.id))
        try await a.start()
        guard case .rejected(let letter) = try await again.settled() else {
            Issue.record("the change should have been refused")
            return
        }
        #expect(letter.key == "n" && letter.errorType == "ConflictUnhandled")
        _ = await reach(a) { $0.deadLetterCount == 1 && $0.outboxCount == 0 }
        #expect(try await a.store.query(Note.self).map(\.title) == ["from b"])
        let explanation = try await a.store.explain(Note.self, "n")
        #expect(
            explanation.description == """
                The store has the 'Note'.
                The service has it at version 2.
                A local update was given up: ConflictUnhandled.
                """)
        #expect(try await a.store.explain(Note.self, "x").service == nil)
        // The engine reports it after the store has it.
        try await problems.wait { !problems.events.isEmpty }
        #expect(problems.events.map(\.kind) == [.mutationRejected])
        #expect(problems.events.first?.position == letter.position)
        try await end(a, b)
    }

    @Test func receiptsOfWhatNeedsNoServiceAreConfirmed() async throws {
        let store = try await open()
        let note = Note(id: "n", title: "one")
        let created = try await store.saveWithReceipt(note)
        #expect(try await created.state() == .stored)
        let unchanged = try await store.saveWithReceipt(note)
        #expect(try await unchanged.state() == .stored)
        let deleted = try await store.deleteWithReceipt(note)
        #expect(try await deleted.settled() == .confirmed(version: nil))
        #expect(try await created.settled() == .confirmed(version: nil))
        #expect(store.receipt("x") == nil && store.receipt("1#Other#n") == nil)
        await #expect(throws: ModelError.self) {
            _ = try await store.saveWithReceipt(note, where: Note.keys.title.eq("other"))
        }
        let awaited = try await store.saveWithReceipt(Note(id: "m", title: "one"))
        let end = Task { try await awaited.settled() }
        try await store.close()
        await #expect(throws: StorageError.self) { try await end.value }
    }

    @Test func aHandlerDecidesAboutModels() async throws {
        let local = try await LocalService.open(.optimisticConcurrency, world.surroundings)
        var first = service(local)
        first.conflictHandler = { conflict in
            guard let mine = conflict.local as? Note, var theirs = conflict.remote as? Note else { return .applyRemote }
            theirs.title = mine.title + " and " + theirs.title
            return .retry(Note(id: "another id", title: theirs.title, body: theirs.body))
        }
        let a = try Synchronizer(try await open(), with: first)
        let b = try Synchronizer(try await open(), with: service(local))
        try await b.start()
        _ = try await b.store.saveWithReceipt(Note(id: "n", title: "t")).settled()
        try await a.start()
        _ = await reach(a) { $0.isSynchronized }
        try await a.stop()
        _ = try await b.store.saveWithReceipt(Note(id: "n", title: "b", body: "b")).settled()
        let receipt = try await a.store.saveWithReceipt(Note(id: "n", title: "a"))
        try await a.start()
        #expect(try await receipt.settled() == .confirmed(version: 3))
        #expect(try await a.store.query(Note.self).map { "\($0.id) \($0.title) \($0.body ?? "")" } == ["n a and b b"])
        try await end(a, b)
    }

    /// The change is kept with the reason, and the changes after it are sent.
    @Test func aHandlersRecordThatCannotBeStoredIsADeadLetter() async throws {
        let local = try await LocalService.open(.optimisticConcurrency, world.surroundings)
        let problems = EventLog<SyncProblem>()
        var first = service(local)
        first.conflictHandler = { _ in .retry(Note(id: "n", title: "\u{0}")) }
        first.errorHandler = { problems.add($0) }
        let a = try Synchronizer(try await open(), with: first)
        let b = try Synchronizer(try await open(), with: service(local))
        try await b.start()
        _ = try await b.store.saveWithReceipt(Note(id: "n", title: "t")).settled()
        try await a.start()
        _ = await reach(a) { $0.isSynchronized }
        try await a.stop()
        _ = try await b.store.saveWithReceipt(Note(id: "n", title: "b")).settled()
        let receipt = try await a.store.saveWithReceipt(Note(id: "n", title: "a"))
        try await a.start()
        try await problems.wait { !problems.events.isEmpty }
        let problem = try #require(problems.events.first)
        try #require(problem.kind == .mutationRejected)
        #expect(problem.errorType == "storage.unrepresentable" && problem.reason.contains("title"))
        guard case .rejected(let letter) = try await receipt.settled() else {
            Issue.record("the change should have been given up")
            return
        }
        #expect(letter.payload == #"{"title":"a"}"# && letter.errorType == problem.errorType)
        #expect(try await a.store.query(Note.self).map(\.title) == ["b"])
        let later = try await a.store.saveWithReceipt(Note(id: "m", title: "m"))
        #expect(try await later.settled() == .confirmed(version: 1))
        try await end(a, b)
    }

    /// The handler decides, and not a store that cannot be read for a moment.
    @Test func aStoreThatFailsDecidesNoConflict() async throws {
        let local = try await LocalService.open(.optimisticConcurrency, world.surroundings)
        let isFailing = Mutex(false)
        let conflicts = Countdown()
        let transport = WatchedTransport(service: local) {
            if conflicts.takeOne() { isFailing.withLock { $0 = true } }
        }
        let adapter = InterceptedAdapter(
            InMemoryAdapter(),
            beforeSnapshot: { () async throws(StorageError) in
                if isFailing.withLock({ $0 }) { throw StorageError(.io, "The disk is gone.") }
            })
        var first = service(transport)
        first.conflictHandler = { _ in .retryLocal }
        let a = try Synchronizer(try await open(adapter), with: first)
        let b = try Synchronizer(try await open(), with: service(local))
        try await b.start()
        _ = try await b.store.saveWithReceipt(Note(id: "n", title: "t")).settled()
        try await a.start()
        _ = await reach(a) { $0.isSynchronized }
        try await a.stop()
        _ = try await b.store.saveWithReceipt(Note(id: "n", title: "b")).settled()
        let receipt = try await a.store.saveWithReceipt(Note(id: "n", title: "a"))
        conflicts.set(1)
        try await a.start()
        // The pause after the handler's reading, and not the shorter one after another that failed.
        await world.waitForSleeper(of: .seconds(1))
        isFailing.withLock { $0 = false }
        world.advance(.seconds(1))
        #expect(try await receipt.settled() == .confirmed(version: 3))
        #expect(try await a.store.query(Note.self).map(\.title) == ["a"])
        try await end(a, b)
    }

    @Test(arguments: ["address.city", "remarks.text"]) func aPathInAnExpressionFailsAStart(path: String) async throws {
        let local = try await LocalService.open(.automerge, world.surroundings)
        let isUsable = Mutex(false)
        var service = service(local)
        service.expressions = [
            SyncExpression(Note.self) { isUsable.withLock({ $0 }) ? Note.keys.rating.gt(2) : field(path).eq("x") }
        ]
        let a = try Synchronizer(try await open(), with: service)
        let problem = await #expect(throws: SyncProblem.self) { try await a.start() }
        #expect(problem?.kind == .commandFailed && problem?.reason.contains("Note") == true)
        #expect(a.status.state == .stopped)
        isUsable.withLock { $0 = true }
        #expect(try await a.start() == .started)
        _ = await reach(a) { $0.isSynchronized }
        try await end(a)
    }

    /// A count that fails is not the last one.
    @Test func theOutboxIsCountedAgainAfterAStoreThatFailed() async throws {
        let isFailing = Mutex(false)
        let adapter = InterceptedAdapter(
            InMemoryAdapter(),
            beforeSnapshot: { () async throws(StorageError) in
                if isFailing.withLock({ $0 }) { throw StorageError(.io, "The disk is gone.") }
            })
        let store = try await open(adapter)
        isFailing.withLock { $0 = true }
        let a = try Synchronizer(store, with: service(try await LocalService.open(.automerge, world.surroundings)))
        await world.waitForSleeper(of: .milliseconds(500))
        isFailing.withLock { $0 = false }
        try await store.save(Note(id: "n", title: "t"))
        world.advance(.milliseconds(500))
        _ = await reach(a) { $0.outboxCount == 1 }
        try await a.start()
        try await a.waitUntilSynchronized()
        try await end(a)
    }

    @Test func onlyTheWantedModelsAndRecordsCome() async throws {
        let local = try await LocalService.open(.automerge, world.surroundings)
        let a = try Synchronizer(try await open(), with: service(local))
        for rating in 1...4 { try await a.store.save(Note(id: "\(rating)", title: "t", rating: rating)) }
        try await a.store.save(Remark(id: "r", text: "so", note: LazyReference(nil)))
        try await a.start()
        try await a.waitUntilSynchronized()
        var wanted = service(local)
        wanted.models = ["Note"]
        wanted.expressions = [SyncExpression(Note.self) { Note.keys.rating.gt(2) }]
        let b = try Synchronizer(try await open(), with: wanted)
        try await b.start()
        let status = await reach(b) { $0.isSynchronized && !$0.models.isEmpty }
        #expect(status.models.keys.sorted() == ["Note"])
        #expect(try await b.store.query(Note.self).map(\.id) == ["3", "4"])
        #expect(try await b.store.query(Remark.self).isEmpty)
        wanted.models = ["Other"]
        #expect(throws: ModelError.self) { try Synchronizer(b.store, with: wanted) }
        try await end(a, b)
    }

    @Test func aRepairCorrectsWhatDiffers() async throws {
        let local = try await LocalService.open(.automerge, world.surroundings)
        let a = try Synchronizer(try await open(SQLiteAdapter(SQLiteConfiguration(.temporary))), with: service(local))
        try await a.start()
        for id in ["edited", "lost"] {
            _ = try await a.store.saveWithReceipt(Note(id: id, title: "t")).settled()
        }
        try await a.stop()
        try await a.store.save(Note(id: "edited", title: "here"))
        // The device loses what it had and what it knew of it.
        let now = world.microseconds
        let fence = try #require(try await a.store.claim("test", until: now + 1_000_000, now: now))
        _ = try await a.store.sweep("Note", 99, fence)
        try await a.store.release(fence)

        #expect(try await a.store.query(Note.self).map(\.id) == ["edited"])
        #expect(try await a.repair() == .started)
        _ = await reach(a) { $0.isSynchronized && $0.models["Note"]?.isFull == true }
        #expect(
            try await a.store.query(Note.self).map { "\($0.id) \($0.title)" } == ["edited here", "lost t"])
        try await end(a)
    }

    /// What the full sync does not read comes with the changes since the watermark of before.
    @Test func aRepairOfAPartMissesNoChange() async throws {
        let local = try await LocalService.open(.automerge, world.surroundings)
        var part = service(local)
        (part.settings.syncMaxRecords, part.settings.watermarkOverlap) = (1, .zero)
        let a = try Synchronizer(try await open(), with: part)
        try await a.start()
        for id in ["a", "b"] { try await a.store.save(Note(id: id, title: "t")) }
        try await a.waitUntilSynchronized()
        try await a.stop()
        let b = try Synchronizer(try await open(), with: service(local))
        try await b.start()
        try await b.waitUntilSynchronized()
        try await b.store.save(Note(id: "b", title: "newer"))
        try await b.waitUntilSynchronized()

        // The service gives out a label for up to a second.
        world.advance(.seconds(2))
        try await a.repair()
        try await a.waitUntilSynchronized()
        // The delta that follows a full sync may still be in progress; the one of a start is not.
        try await a.stop()
        try await a.start()
        try await a.waitUntilSynchronized()
        #expect(try await a.store.query(Note.self).map { "\($0.id) \($0.title)" } == ["a t", "b newer"])
        try await end(a, b)
    }

    @Test func aVerificationFindsWhatDiffersAndNothingElse() async throws {
        let local = try await LocalService.open(.automerge, world.surroundings)
        let a = try Synchronizer(try await open(SQLiteAdapter(SQLiteConfiguration(.temporary))), with: service(local))
        let b = try Synchronizer(try await open(), with: service(local))
        try await a.start()
        for id in ["same", "edited", "stale", "gone", "late"] { try await a.store.save(Note(id: id, title: "t")) }
        try await a.waitUntilSynchronized()
        #expect(try await a.verify().isEmpty)
        try await a.stop()
        try await a.store.save(Note(id: "edited", title: "unsent"))
        try await a.store.save(Note(id: "draft", title: "unsent"))
        #expect(try await a.verify().isEmpty)

        try await b.start()
        try await b.waitUntilSynchronized()
        try await b.store.save(Note(id: "stale", title: "newer"))
        try await b.store.delete(Note.self, withId: "gone")
        for id in ["missing", "odd", "held", "ghost", "late"] { try await b.store.save(Note(id: id, title: "t")) }
        try await b.waitUntilSynchronized()
        try await receive(
            [
                note("odd", "other", version: 1), note("ghost", "never sent", version: 9, after: 60_000),
                note("alone", "t", version: 1),
            ], heldVersion: 1, in: a.store)

        let differences = try await a.verify()
        let found = Dictionary(uniqueKeysWithValues: differences.map { ($0.key.outboxText, $0) })
        #expect(
            found.mapValues(\.kind) == [
                "stale": .outdated, "gone": .outdated, "missing": .missing, "odd": .different, "held": .waiting,
                "ghost": .ahead, "alone": .extra,
            ])
        #expect(found["odd"]?.fields == ["title"] && found["ghost"]?.serviceVersion == 1)
        #expect(found["stale"]?.deviceVersion == 1 && found["stale"]?.serviceVersion == 2)
        #expect(try await a.verify(limit: 3).count == 3)

        try await a.repair()
        try await a.waitUntilSynchronized()
        #expect(try await a.verify().map(\.key) == [RecordKey("ghost")])
        try await a.clear()
        try await a.start()
        try await a.waitUntilSynchronized()
        #expect(try await a.verify().isEmpty)
        #expect(try await a.store.query(Note.self, byId: "stale")?.title == "newer")
        try await end(a, b)
    }

    private func note(_ id: String, _ title: String, version: Int64, after milliseconds: Int64 = -60_000)
        -> RemoteRecord
    {
        RemoteRecord(
            key: RecordKey(id), row: [.text(id), .text(title), .null, .null], version: version,
            lastChangedAt: world.microseconds / 1_000 + milliseconds)
    }

    /// Makes a stopped device know what the service never said.
    private func receive(_ records: [RemoteRecord], heldVersion: Int64, in store: DataStore) async throws {
        let now = world.microseconds
        let fence = try #require(try await store.claim("test", until: now + 1_000_000, now: now))
        let held = ShelfItem(
            model: "Note", key: RecordKey("held").outboxText, version: heldVersion, lastChangedAt: now / 1_000,
            item: nil, reason: .notStorable)
        _ = try await store.apply(RemoteBatch(model: "Note", records: records, notStorable: [held]), fence)
        try await store.release(fence)
    }

    @Test func aDeviceFollowsAServiceThatLostItsLastChanges() async throws {
        let past = ManualSurroundings()
        world.advance(.seconds(30))
        let store = try await open(SQLiteAdapter(SQLiteConfiguration(.temporary)))
        let before = try Synchronizer(store, with: service(try await LocalService.open(.automerge, world.surroundings)))
        try await before.start()
        try await store.save(Note(id: "n", title: "one"))
        try await store.save(Note(id: "lost", title: "t"))
        try await before.waitUntilSynchronized()
        for title in ["two", "three"] {
            try await store.save(Note(id: "n", title: title))
            try await before.waitUntilSynchronized()
        }
        await before.close()

        // As restored from a backup: the record has an earlier version, and the other one was not there yet.
        world.advance(.seconds(120))
        let restored = try await LocalService.open(.automerge, past.surroundings)
        let writer = try Synchronizer(try await open(), with: service(restored))
        try await writer.start()
        try await writer.store.save(Note(id: "n", title: "restored"))
        try await writer.waitUntilSynchronized()
        let after = try Synchronizer(store, with: service(restored))
        try await after.repair()
        try await after.waitUntilSynchronized()
        #expect(try await after.verify().map(\.kind) == [.ahead])
        #expect(try await restored.server.renewVersions() == 1)
        try await after.repair()
        try await after.waitUntilSynchronized()
        #expect(try await after.verify().isEmpty)
        #expect(try await store.query(Note.self).map { "\($0.id) \($0.title)" } == ["n restored"])
        try await store.save(Note(id: "n", title: "later"))
        try await after.waitUntilSynchronized()
        try await end(after, writer)
    }

    @Test func aVerificationWithoutAServiceFails() async throws {
        let local = try await LocalService.open(.automerge, world.surroundings)
        let authorization = SyncAuthorization(headers: { _, _ in
            .apiKey("another key", host: "localhost", date: "20240229T120000Z")
        })
        let a = try Synchronizer(
            try await open(), with: SyncService(transport: local, authorization: authorization))
        let problem = await #expect(throws: SyncProblem.self) { try await a.verify() }
        #expect(problem?.kind == .modelFailed && problem?.errorType == "UnauthorizedException")
        #expect(problem?.model == "Note")
        try await end(a)
    }

    /// No socket shows that they are refused.
    @Test func credentialsThatAreRefusedGiveNothingUpWithoutSubscriptions() async throws {
        let local = try await LocalService.open(.automerge, world.surroundings)
        let key = Mutex("expired")
        var quiet = SyncService(
            transport: SocketlessTransport(service: local),
            authorization: SyncAuthorization(headers: { _, _ in
                .apiKey(key.withLock { $0 }, host: "localhost", date: "20240229T120000Z")
            }))
        quiet.subscribes = { false }
        let a = try Synchronizer(try await open(), with: quiet)
        try await a.store.save(Note(id: "n", title: "offline"))
        try await a.start()
        let refused = await reach(a) { $0.lastProblem?.kind == .refused(.unauthorized) }
        #expect(refused.state == .refused(.unauthorized))
        #expect(try await a.store.outboxCount() == 1)
        #expect(try await a.store.deadLetters().isEmpty)
        key.withLock { $0 = "key" }
        try await a.start()
        try await a.waitUntilSynchronized()
        #expect(try await a.store.outboxCount() == 0)
        #expect(try await a.store.query(Note.self).map(\.title) == ["offline"])
        try await end(a)
    }

    @Test func withoutSubscriptionsNoSocketIsOpened() async throws {
        let local = try await LocalService.open(.automerge, world.surroundings)
        let transport = SocketlessTransport(service: local)
        var quiet = service(transport)
        quiet.subscribes = { false }
        let a = try Synchronizer(try await open(), with: quiet)
        try await a.start()
        _ = await reach(a) { $0.state == .live }
        #expect(try await a.store.saveWithReceipt(Note(id: "n", title: "one")).settled() == .confirmed(version: 1))
        #expect(transport.connections.withLock { $0 } == 0)
        try await end(a)
    }

    @Test func aLostConnectionShowsInTheStatus() async throws {
        let local = try await LocalService.open(.automerge, world.surroundings)
        let transport = SocketlessTransport(service: local)
        let a = try Synchronizer(try await open(), with: service(transport))
        try await a.start()
        let waiting = await reach(a) { $0.state == .waiting && $0.lastProblem != nil }
        #expect(waiting.lastProblem?.kind == .disconnected && waiting.nextRetryAt != nil)
        #expect(waiting.lastProblem?.retryAfter != nil)
        a.setNetwork(isUp: false)
        _ = await reach(a) { $0.state == .offline }
        try await end(a)
    }
}

/// A service that says when it has answered a mutation.
private struct WatchedTransport: SyncTransport {
    let service: LocalService
    let onMutation: @Sendable () -> Void

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        let response = try await service.send(request)
        if String(decoding: request.body, as: UTF8.self).contains(#""query":"mutation"#) { onMutation() }
        return response
    }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        try await service.connect(request)
    }
}

/// A service to which no socket can be opened.
private final class SocketlessTransport: SyncTransport {
    let service: LocalService
    let connections = Mutex(0)

    init(service: LocalService) { self.service = service }

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse { try await service.send(request) }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        connections.withLock { $0 += 1 }
        throw TransportError(.unsent, "no sockets here")
    }
}

import HoldfastAdapterTestSupport
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

/// Devices on different adapters and the service, in one process.
@Suite struct EndToEndTests {
    let world = ManualSurroundings()
    private var surroundings: Surroundings { world.surroundings }

    /// Half of its lease is not the time of another sleeper, such as the keep-alive of a connection that a dead device had.
    private static let settings: SyncSettings = {
        var settings = SyncSettings()
        settings.leaseLife = .seconds(100)
        return settings
    }()

    private func sqlite() -> any StorageAdapter { SQLiteAdapter(SQLiteConfiguration(.temporary)) }

    @Test func aFirstStartDispatchesEventsInOrderAndReceivesTheRecords() async throws {
        let service = try await LocalService.open(.automerge, surroundings)
        let a = try await Device.open(InMemoryAdapter(), service, surroundings)
        #expect(await a.engine.start() == .done)
        try await a.waitUntilReady()
        for number in 0..<5 { try await a.store.save(Note(id: "\(number)", title: "t\(number)")) }
        try await a.waitUntilSent()

        let b = try await Device.open(sqlite(), service, surroundings)
        _ = await b.engine.start()
        try await b.waitUntilReady()
        #expect(try await b.content() == (try await a.content()))
        let hub = b.log.events.compactMap { if case .hub(let event) = $0 { event } else { nil } }.filter {
            if case .syncReceived = $0 { false } else { true }
        }
        #expect(
            hub == [
                .networkStatus(isActive: false), .outboxStatus(isEmpty: true), .networkStatus(isActive: true),
                .subscriptionsEstablished, .syncQueriesStarted(models: ["Note", "Remark"]),
                .modelSynced(model: "Note", isFull: true, added: 5, updated: 0, deleted: 0),
                .modelSynced(model: "Remark", isFull: true, added: 0, updated: 0, deleted: 0),
                .syncQueriesReady, .syncStarted, .ready,
            ])
        try await a.end()
        try await b.end()
    }

    @Test func aChangeOnOneDeviceReachesTheOther() async throws {
        let service = try await LocalService.open(.automerge, surroundings)
        let a = try await Device.open(InMemoryAdapter(), service, surroundings)
        let b = try await Device.open(sqlite(), service, surroundings)
        for device in [a, b] { _ = await device.engine.start() }
        for device in [a, b] { try await device.waitUntilReady() }
        let note = Note(id: "n", title: "one")
        try await a.store.save(note)
        try await a.store.save(Remark(id: "r", text: "so", note: LazyReference(note)))
        try await b.wait { try await b.content() == ["note n: one, -, -", "remark r: so"] }
        try await b.store.delete(Remark.self, withId: "r")
        try await a.wait { try await a.content() == ["note n: one, -, -"] }
        try await a.end()
        try await b.end()
    }

    @Test(arguments: [ConflictStrategy.optimisticConcurrency, .automerge, .handler])
    func devicesThatEditedOfflineConverge(strategy: ConflictStrategy) async throws {
        let service = try await LocalService.open(OfflineEdits.options(strategy), surroundings)
        let a = try await Device.open(InMemoryAdapter(), service, surroundings)
        let b = try await Device.open(sqlite(), service, surroundings)
        let content = try await OfflineEdits.meet(a, b) {
            try await Device.open(InMemoryAdapter(), service, surroundings)
        }
        #expect(content == OfflineEdits.outcome)
    }

    /// A device deletes a note that another one has renamed: the deletion is a conflict, and the remark stays, too.
    @Test(arguments: [ConflictStrategy.optimisticConcurrency, .automerge])
    func aRefusedDeletionLeavesWhatBelongsToTheRecord(strategy: ConflictStrategy) async throws {
        let service = try await LocalService.open(strategy, surroundings)
        let a = try await Device.open(InMemoryAdapter(), service, surroundings)
        let b = try await Device.open(sqlite(), service, surroundings)
        for device in [a, b] { _ = await device.engine.start() }
        for device in [a, b] { try await device.waitUntilReady() }
        let note = Note(id: "n", title: "one")
        try await a.store.save(note)
        try await a.store.save(Remark(id: "r", text: "so", note: LazyReference(note)))
        try await b.wait { try await b.content() == ["note n: one, -, -", "remark r: so"] }
        try await a.waitUntilSent()
        #expect(await a.engine.stop() == .done)
        try await a.store.delete(Note.self, withId: "n")
        #expect(try await a.content().isEmpty)
        try await edit(b, "n") { $0.title = "two" }
        try await b.waitUntilSent()
        #expect(await a.engine.start() == .done)
        try await a.waitUntilReady(2)
        try await a.waitUntilSent()
        let expected = ["note n: two, -, -", "remark r: so"]
        try await a.wait { try await a.content() == expected }
        #expect(try await a.store.deadLetters().map { "\($0.operation) \($0.key)" } == ["delete n"])
        #expect(try await b.content() == expected)
        let c = try await Device.open(InMemoryAdapter(), service, surroundings)
        _ = await c.engine.start()
        try await c.waitUntilReady()
        #expect(try await c.content() == expected)
        for device in [a, b, c] { try await device.end() }
    }

    @Test func aLostAnswerIsNotSentTwice() async throws {
        let service = try await LocalService.open(.optimisticConcurrency, surroundings)
        let a = try await Device.open(sqlite(), service, surroundings)
        _ = await a.engine.start()
        try await a.waitUntilReady()
        service.answersToLose.set(1)
        try await a.store.save(Note(id: "n", title: "one"))
        await world.waitForSleeper(within: .milliseconds(200))
        world.advance(.seconds(1))
        try await a.waitUntilSent()
        let metadata = try await a.store.recordMetadata([RecordKey("n").outboxText], of: "Note")
        #expect(metadata.first??.version == 1)
        #expect(try await a.content() == ["note n: one, -, -"])
        try await a.end()
    }

    @Test func aHandlerCanPreferTheLocalChange() async throws {
        let service = try await LocalService.open(.optimisticConcurrency, surroundings)
        let a = try await Device.open(InMemoryAdapter(), service, surroundings)
        let b = try await Device.open(sqlite(), service, surroundings, decide: { _ in .retryLocal })
        _ = await a.engine.start()
        try await a.waitUntilReady()
        try await a.store.save(Note(id: "n", title: "one"))
        try await a.waitUntilSent()
        _ = await b.engine.start()
        try await b.waitUntilReady()
        #expect(await b.engine.stop() == .done)
        try await edit(b, "n") { $0.title = "from b" }
        try await edit(a, "n") { $0.title = "from a" }
        try await a.waitUntilSent()
        #expect(await b.engine.start() == .done)
        try await b.waitUntilSent()
        try await a.wait { try await a.content() == ["note n: from b, -, -"] }
        #expect(try await b.content() == ["note n: from b, -, -"])
        try await a.end()
        try await b.end()
    }

    @Test func recordsThatLeaveTheExpressionLeaveTheDevice() async throws {
        let service = try await LocalService.open(.automerge, surroundings)
        let a = try await Device.open(InMemoryAdapter(), service, surroundings)
        let b = try await Device.open(
            sqlite(), service, surroundings, expression: { .compare("rating", .greaterOrEqual, .integer(3)) })
        _ = await a.engine.start()
        try await a.waitUntilReady()
        for rating in 1...5 { try await a.store.save(Note(id: "\(rating)", title: "t", rating: rating)) }
        try await a.waitUntilSent()
        _ = await b.engine.start()
        try await b.waitUntilReady()
        #expect(try await b.content() == ["note 3: t, -, 3", "note 4: t, -, 4", "note 5: t, -, 5"])
        try await edit(a, "4") { $0.rating = 1 }
        try await edit(a, "1") { $0.rating = 9 }
        try await b.wait { try await b.content() == ["note 1: t, -, 9", "note 3: t, -, 3", "note 5: t, -, 5"] }
        try await a.end()
        try await b.end()
    }

    @Test func aClearEmptiesTheStoreAndAStartFillsItAgain() async throws {
        let service = try await LocalService.open(.automerge, surroundings)
        let a = try await Device.open(sqlite(), service, surroundings)
        _ = await a.engine.start()
        try await a.waitUntilReady()
        try await a.store.save(Note(id: "n", title: "one"))
        try await a.waitUntilSent()
        #expect(await a.engine.clear() == .done)
        #expect(try await a.content().isEmpty)
        #expect(await a.engine.start() == .done)
        try await a.waitUntilReady(2)
        #expect(try await a.content() == ["note n: one, -, -"])
        try await a.end()
    }

    @Test func editsWithoutANetworkAreSentWhenItReturns() async throws {
        let service = try await LocalService.open(.automerge, surroundings)
        let a = try await Device.open(sqlite(), service, surroundings)
        _ = await a.engine.start()
        try await a.waitUntilReady()
        a.engine.setNetwork(isUp: false)
        let isOffline = SyncNotification.hub(.networkStatus(isActive: false))
        try await a.wait { a.log.events.count(where: { $0 == isOffline }) == 2 }
        let note = Note(id: "n", title: "one")
        try await a.store.save(note)
        try await a.store.save(Remark(id: "r", text: "so", note: LazyReference(note)))
        #expect(try await a.store.outboxCount() == 2)
        a.engine.setNetwork(isUp: true)
        try await a.waitUntilSent()
        let b = try await Device.open(InMemoryAdapter(), service, surroundings)
        _ = await b.engine.start()
        try await b.waitUntilReady()
        #expect(try await b.content() == ["note n: one, -, -", "remark r: so"])
        try await a.end()
        try await b.end()
    }

    /// With a key, the note would become one of no one.
    @Test func whatAUserChangedWaitsForTheUser() async throws {
        let schema = LocalService.schema.replacing(
            "type Note @model @auth(rules: [{ allow: public }])",
            with: "type Note @model @auth(rules: [{ allow: owner }, { allow: public, operations: [create, read] }])")
        let service = try await LocalService.open(.automerge, surroundings, schema: schema)
        let user = Mutex<String?>("ann")
        let authorization = SyncAuthorization(
            identity: { user.withLock { $0 } }, modeCount: 2,
            authorize: { mode, request in
                let name = user.withLock { $0 }
                if mode == 1, request.user == nil || request.user == name { return .headers(Device.headers("key")) }
                guard mode == 0, let name else { return .signedOut }
                return .headers(.token(#"{"sub":"\#(name)","username":"\#(name)"}"#, host: "localhost"))
            })
        let a = try await Device.open(sqlite(), service, surroundings, authorization: authorization)
        _ = await a.engine.start()
        try await a.waitUntilReady()

        func notes() async -> String {
            let body = #"{"query":"{ listNotes { items { title owner } } }"}"#
            let request = ServerRequest(headers: ["x-api-key": "key"], body: Array(body.utf8))
            return String(decoding: await service.server.respond(to: request).body, as: UTF8.self)
        }
        user.withLock { $0 = nil }
        try await a.store.save(Note(id: "n", title: "one"))
        try await a.wait { a.log.events.contains(.report(.refused(.signedOut))) }
        #expect(await notes() == #"{"data":{"listNotes":{"items":[]}}}"#)
        #expect(try await a.store.outboxCount() == 1)

        user.withLock { $0 = "ann" }
        _ = await a.engine.start()
        try await a.waitUntilSent()
        #expect(await notes().contains(#""title":"one","owner":"ann""#))
        try await a.end()
    }

    /// With the key of a guest's session, the note would become one of no one.
    @Test func whoSignsInSendsTheirOwnChanges() async throws {
        let schema = LocalService.schema.replacing(
            "type Note @model @auth(rules: [{ allow: public }])",
            with: "type Note @model @auth(rules: [{ allow: owner }, { allow: public }])")
        let service = try await LocalService.open(.automerge, surroundings, schema: schema)
        let user = Mutex<String?>(nil)
        let sessionUser = Mutex<String?>(nil)
        let authorization = SyncAuthorization(
            identity: {
                let name = user.load()
                sessionUser.store(name)
                return name
            },
            authorize: { _, _ in
                guard let name = user.load() else { return .headers(Device.headers("key")) }
                if sessionUser.load() == nil { return .userChanged }
                return .headers(.token(#"{"sub":"\#(name)","username":"\#(name)"}"#, host: "localhost"))
            })
        let a = try await Device.open(sqlite(), service, surroundings, authorization: authorization)
        _ = await a.engine.start()
        try await a.waitUntilReady()
        user.store("ann")
        try await a.store.save(Note(id: "n", title: "one"))
        try await a.waitUntilSent()
        let body = #"{"query":"{ listNotes { items { title owner } } }"}"#
        let request = ServerRequest(headers: ["x-api-key": "key"], body: Array(body.utf8))
        let answer = String(decoding: await service.server.respond(to: request).body, as: UTF8.self)
        #expect(answer.contains(#""title":"one","owner":"ann""#))
        #expect(!a.log.events.contains { if case .report(.refused) = $0 { true } else { false } })
        try await a.end()
    }

    /// Without a network there may be no token that names the user, although the store knows whose it is.
    @Test func whileItCannotBeSaidWhoIsSignedInTheLastUserMakesTheChanges() async throws {
        let service = try await LocalService.open(.automerge, surroundings)
        let user = Mutex<String?>("ann")
        let authorization = SyncAuthorization(
            identity: {
                guard let name = user.load() else { throw CancellationError() }
                return name
            }, authorize: { _, _ in .headers(Device.headers("key")) })
        let a = try await Device.open(sqlite(), service, surroundings, authorization: authorization)
        _ = await a.engine.start()
        try await a.waitUntilReady()
        _ = await a.engine.stop()

        user.store(nil)
        a.engine.setNetwork(isUp: false)
        _ = await a.engine.start()
        try await a.wait {
            a.log.events.contains { if case .report(.store(.failed)) = $0 { true } else { false } }
        }
        try await a.store.save(Note(id: "n", title: "one"))
        // Tried at once, and not after a pause.
        user.store("ben")
        a.engine.setNetwork(isUp: true)
        try await a.wait { a.log.events.contains(.report(.refused(.otherUser))) }
        let failures = a.log.events.count { if case .report(.store) = $0 { true } else { false } }
        #expect(failures == 1)
        try await a.end()
    }

    @Test func aModelThatTheServiceRefusesIsNotSynchronized() async throws {
        let service = try await LocalService.open(.automerge, surroundings)
        let authorization = SyncAuthorization(authorize: { _, request in
            request.model?.name == "Remark" ? .notOffered : .headers(Device.headers("key"))
        })
        let a = try await Device.open(InMemoryAdapter(), service, surroundings, authorization: authorization)
        _ = await a.engine.start()
        try await a.waitUntilReady()
        #expect(a.log.events.contains(.report(.model("Remark", .notOffered, retry: nil))))
        let synced: [String] = a.log.events.compactMap { event in
            if case .hub(.modelSynced(let model, _, _, _, _)) = event { model } else { nil }
        }
        #expect(synced == ["Note"])
        var notes = try a.store.observeQuery(Note.self).makeAsyncIterator()
        #expect(try await notes.next()?.isSynced == true)
        var remarks = try a.store.observeQuery(Remark.self).makeAsyncIterator()
        #expect(try await remarks.next()?.isSynced == false)
        try await a.end()
    }

    /// The other handle is like that of another process.
    @Test func whatAHandleWithoutASessionSavesWaitsForTheUserOfTheLastOne() async throws {
        let directory = TemporaryDirectory()
        let service = try await LocalService.open(.automerge, surroundings)
        let user = Mutex<String?>("ann")
        let authorization = SyncAuthorization(
            identity: { user.withLock { $0 } }, authorize: { _, _ in .headers(Device.headers("key")) })
        let a = try await Device.open(
            Self.adapter(in: directory), service, surroundings, authorization: authorization)
        let other = try await DataStore.open(
            Self.adapter(in: directory), models: [Note.self, Remark.self],
            options: DataStoreOptions(observesOtherHandles: false, surroundings: surroundings))
        _ = await a.engine.start()
        try await a.waitUntilReady()
        _ = await a.engine.stop()
        try await other.save(Note(id: "n", title: "ann's"))
        user.withLock { $0 = "ben" }
        _ = await a.engine.start()
        try await a.wait { a.log.events.contains(.report(.refused(.otherUser))) }
        #expect(try await other.outboxEntries().map(\.identity) == ["ann"])

        user.withLock { $0 = "ann" }
        _ = await a.engine.start()
        try await a.waitUntilReady(2)
        try await a.waitUntilSent()
        _ = await a.engine.stop()
        user.withLock { $0 = nil }
        _ = await a.engine.start()
        try await a.waitUntilReady(3)
        _ = await a.engine.stop()
        try await other.save(Note(id: "n", title: "no one's"))
        #expect(try await other.outboxEntries().map(\.identity) == [nil])
        try await other.close()
        try await a.end()
    }

    @Test func aRestartedDeviceFindsWhatItSent() async throws {
        let directory = TemporaryDirectory()
        let service = try await LocalService.open(.optimisticConcurrency, surroundings)
        let a = try await Device.open(
            Self.adapter(in: directory), service, surroundings, settings: Self.settings)
        _ = await a.engine.start()
        try await a.waitUntilReady()
        service.answersToLose.set(1)
        try await a.store.save(Note(id: "n", title: "one"))
        await world.waitForSleeper(within: .milliseconds(200))
        try await a.die()

        let again = try await Device.open(
            Self.adapter(in: directory), service, surroundings, settings: Self.settings)
        // The dead process still holds the lease.
        #expect(await again.engine.start() == .following)
        await world.waitForSleeper(of: Self.settings.leaseLife / 2)
        world.advance(.seconds(121))
        try await again.waitUntilReady()
        try await again.waitUntilSent()
        let metadata = try await again.store.recordMetadata([RecordKey("n").outboxText], of: "Note")
        #expect(metadata.first??.version == 1)
        #expect(try await again.content() == ["note n: one, -, -"])
        try await again.end()
    }

    @Test func aLeaseOfLessThanASecondKeepsOthersOut() async throws {
        let directory = TemporaryDirectory()
        let service = try await LocalService.open(.optimisticConcurrency, surroundings)
        var settings = Self.settings
        settings.leaseLife = .milliseconds(500)
        let a = try await Device.open(Self.adapter(in: directory), service, surroundings, settings: settings)
        #expect(await a.engine.start() == .done)
        try await a.waitUntilReady()
        try await a.die()

        let again = try await Device.open(Self.adapter(in: directory), service, surroundings, settings: settings)
        #expect(await again.engine.start() == .following)
        try await again.end()
    }

    /// Two pages are read and three mutations sent; the device dies at each of these requests.
    @Test(arguments: 1...5) func aDeviceThatDiesAtAnyRequestEndsEqualToTheService(request: Int) async throws {
        let directory = TemporaryDirectory()
        let service = try await LocalService.open(.optimisticConcurrency, surroundings)
        let a = try await Device.open(
            Self.adapter(in: directory), service, surroundings, settings: Self.settings)
        for id in ["x", "y"] { try await a.store.save(Note(id: id, title: id)) }
        let parent = try #require(try await a.store.query(Note.self, byId: "x"))
        try await a.store.save(Remark(id: "r", text: "so", note: LazyReference(parent)))
        _ = await a.engine.start()
        await service.requests.reach(request)
        try await a.die()

        let again = try await Device.open(
            Self.adapter(in: directory), service, surroundings, settings: Self.settings)
        #expect(await again.engine.start() == .following)
        await world.waitForSleeper(of: Self.settings.leaseLife / 2)
        world.advance(.seconds(121))
        try await again.waitUntilReady()
        try await again.waitUntilSent()
        let other = try await Device.open(InMemoryAdapter(), service, surroundings)
        _ = await other.engine.start()
        try await other.waitUntilReady()
        let expected = ["note x: x, -, -", "note y: y, -, -", "remark r: so"]
        #expect(try await other.content() == expected)
        #expect(try await again.content() == expected)
        for (id, model) in [("x", "Note"), ("y", "Note"), ("r", "Remark")] {
            let metadata = try await again.store.recordMetadata([RecordKey(id).outboxText], of: model)
            #expect(metadata.first??.version == 1)
        }
        try await again.end()
        try await other.end()
    }

    private static func adapter(in directory: TemporaryDirectory) -> any StorageAdapter {
        SQLiteAdapter(SQLiteConfiguration(.file(directory.file())))
    }

    private func edit(_ device: Device, _ id: String, _ change: (inout Note) -> Void) async throws {
        var note = try #require(try await device.store.query(Note.self, byId: id))
        change(&note)
        try await device.store.save(note)
    }
}

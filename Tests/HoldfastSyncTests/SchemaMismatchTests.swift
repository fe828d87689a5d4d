import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastSQLite
import HoldfastServer
import HoldfastStorage
import HoldfastSyncTestSupport
import HoldfastTestSupport
import Testing

@testable import HoldfastSync

/// Changes for which the service's schema is too old.
@Suite struct SchemaMismatchTests {
    private static let mismatch = ServiceFailure.schemaMismatch(message: "Validation error of type FieldUndefined")

    private static func isRequest(_ effect: SyncEffect<String>) -> Bool {
        switch effect {
        case .sendMutation, .check: true
        default: false
        }
    }

    /// A world whose service refuses the changes up to a position.
    private func world(
        _ count: Int64, mismatches: Int64, settings: SyncSettings = SyncSettings()
    ) -> World {
        var world = World(settings: settings)
        world.outbox = (1...count).map { entry($0) }
        world.mutate = { position, _ in
            position > mismatches ? .confirmed("remote \(position)") : .failed(Self.mismatch)
        }
        return world
    }

    @Test func aChangeWaitsAndIsReportedOnce() {
        var world = world(2, mismatches: 1)
        world.start()
        world.run()
        #expect(world.mutations == [1, 2] && world.outbox.map(\.id.position) == [1])
        #expect(world.resolutions(1).isEmpty)
        world.pass(.seconds(3_600))
        // After 15 seconds, 30 seconds, a minute, and so on.
        #expect((6...9).contains(world.mutations.count(where: { $0 == 1 })))
        #expect(world.outbox.map(\.id.position) == [1])
        let reports = world.reports.filter { if case .mutation = $0 { true } else { false } }
        guard case .mutation(let id, Self.mismatch, let retry)? = reports.first, reports.count == 1 else {
            Issue.record("It is reported in another way: \(reports)")
            return
        }
        #expect(id.position == 1 && retry >= .seconds(15))
    }

    /// The application may be used for days before the service is deployed.
    @Test func changesThatWaitLeaveTheirPlacesToOthers() {
        var world = world(50, mismatches: 40)
        world.start()
        world.run()
        #expect(Set(world.mutations) == Set(1...50))
        #expect(world.outbox.map(\.id.position) == Array(1...40))
        // A network that returns says nothing about the schema.
        let count = world.mutations.count
        world.send(.network(isUp: false))
        world.send(.network(isUp: true))
        world.run()
        #expect(world.mutations.count == count)
    }

    /// Each of very many changes would be a request at the same time, from each device.
    @Test func aFewOfTheChangesFindOutWhetherTheSchemaIsNew() {
        var world = world(50, mismatches: 50)
        world.start()
        world.run()
        let count = world.mutations.count
        world.pass(.seconds(20))
        #expect(world.mutations.count == count + 8)
        world.mutate = { position, _ in .confirmed("remote \(position)") }
        world.pass(.seconds(60))
        #expect(world.outbox.isEmpty)
    }

    @Test func aWindowOfOneWaits() {
        var settings = SyncSettings()
        settings.sendWindow = 1
        var world = world(2, mismatches: 1, settings: settings)
        world.start()
        world.run()
        world.pass(.seconds(600))
        #expect(Set(world.mutations) == [1])
    }

    @Test func aNewSchemaGetsNoMoreThanTheWindowAtOnce() {
        var world = world(40, mismatches: 40)
        world.start()
        world.run()
        world.mutate = { position, _ in .confirmed("remote \(position)") }
        world.pass(.seconds(16), unless: Self.isRequest)
        #expect(!world.pending.isEmpty)
        while !world.pending.isEmpty {
            #expect(world.pending.count(where: Self.isRequest) <= 8)
            world.answer(at: 0)
        }
        #expect(world.outbox.isEmpty)
    }

    /// The first one would be tried a quarter of an hour later.
    @Test func aProbeThatIsCarriedOutWakesTheOthers() {
        var world = world(1, mismatches: 2)
        world.start()
        world.run()
        world.pass(.seconds(1_000))
        world.outbox.append(entry(2))
        world.send(.outboxChanged)
        world.run()
        #expect(world.core.session.state == .live && world.core.entries.count == 2)
        world.mutate = { position, _ in .confirmed("remote \(position)") }
        world.pass(.seconds(20))
        #expect(world.outbox.isEmpty)
    }

    /// What never needed the new schema says nothing about it.
    @Test func otherChangesWakeNothing() {
        var world = world(1, mismatches: 1)
        world.start()
        world.run()
        world.outbox.append(entry(2))
        world.send(.outboxChanged)
        world.run()
        #expect(world.mutations == [1, 2])
    }

    @Test func theNextSessionTriesAtOnce() {
        var world = world(3, mismatches: 3)
        world.start()
        world.run()
        world.mutate = { position, _ in .confirmed("remote \(position)") }
        world.send(.command(CommandID(number: 2), .stop))
        world.send(.command(CommandID(number: 3), .start))
        world.run()
        #expect(world.checks == [1, 2, 3] && world.outbox.isEmpty)
    }

    /// An application that is released before its service.
    @Test func aModelThatTheServiceDoesNotHaveYetWaits() async throws {
        let clock = ManualSurroundings()
        let surroundings = clock.surroundings
        let directory = TemporaryDirectory()
        let makeAdapter: @Sendable () throws -> any StorageAdapter = {
            SQLiteAdapter(SQLiteConfiguration(.file(directory.file())))
        }
        let old = "type Note @model @auth(rules: [{ allow: public }]) { title: String! body: String rating: Int }"
        let early = try await LocalService.open(.automerge, surroundings, schema: old, makeAdapter: makeAdapter)
        let store = try await DataStore.open(
            InMemoryAdapter(), models: [Note.self, Remark.self], options: DataStoreOptions(surroundings: surroundings))
        let problems = EventLog<SyncProblem>()
        var service = SyncService(transport: early, authorization: Device.key)
        service.errorHandler = { problems.add($0) }
        let first = try Synchronizer(store, with: service)
        try await first.start()
        try await store.save(Remark(id: "r", text: "t", note: LazyReference(nil)))
        let note = try await store.saveWithReceipt(Note(id: "n", title: "t"))
        #expect(try await note.settled() == .confirmed(version: 1))
        try await problems.wait { problems.events.contains { $0.kind == .schemaMismatch } }
        let reported = problems.events.filter { $0.kind == .schemaMismatch }
        #expect(reported.map(\.model) == ["Remark"])
        #expect(try await store.deadLetters().isEmpty)
        #expect(try await store.query(Remark.self).map(\.text) == ["t"])
        await first.close()
        try await early.server.close()

        service.transport = try await LocalService.open(.automerge, surroundings, makeAdapter: makeAdapter)
        let second = try Synchronizer(store, with: service)
        try await second.start()
        try await second.waitUntilSynchronized()
        #expect(try await store.explain(Remark.self, "r").service?.version == 1)
        await second.close()
        try await store.close()
    }
}

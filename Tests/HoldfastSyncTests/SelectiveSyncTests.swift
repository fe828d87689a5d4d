import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastServer
import HoldfastStorage
import HoldfastSyncTestSupport
import HoldfastTestSupport
import HoldfastWire
import Testing

@testable import HoldfastSync

/// A sync expression on the fields of an index, from the model to the service.
@Suite struct SelectiveSyncTests {
    private static let schema = """
        type Note @model @auth(rules: [{ allow: public }]) {
          title: String! body: String rating: Int @index(name: "byRating", sortKeyFields: ["title"])
          remarks: [Remark] @hasMany(indexName: "byNote", fields: ["id"])
        }
        type Remark @model @auth(rules: [{ allow: public }]) {
          text: String! noteId: ID @index(name: "byNote") note: Note @belongsTo(fields: ["noteId"])
        }
        """

    @Test func theSameConditionInAnotherFormIsNoOtherExpression() throws {
        let note = try SyncedModel(Note.schema, among: ["Note": Note.schema, "Remark": Remark.schema])
        let (title, rating) = (Predicate.beginsWith("title", "t"), Predicate.compare("rating", .equal, .integer(3)))
        let text = try SyncScope(.and([title, rating]), of: note).text
        #expect(text == #"["and",[["beginsWith","title","t"],["eq","rating",3]]]"#)
        #expect(try SyncScope(.and([rating, .and([title, .all])]), of: note).text == text)
        #expect(try SyncScope(.or([title, rating]), of: note).text != text)
    }

    /// A service takes no filter of any size.
    @Test(arguments: [2_000, 2_001]) func anExpressionWithManyValuesIsDecidedHere(count: Int) throws {
        let note = try SyncedModel(Note.schema, among: ["Note": Note.schema, "Remark": Remark.schema])
        let scope = try SyncScope(.isIn("title", (1...count).map { .text("t\($0)") }), of: note)
        #expect((scope.filter == nil) == (count > 2_000))
        let row = try Note(id: "n", title: "t2").row()[0]
        #expect(scope.contains(Array(row)))
    }

    /// The service, which keeps the filters of its queries.
    private final class ListeningService: SyncTransport {
        let service: LocalService
        let filters = Mutex<[String: [String]]>([:])

        init(_ service: LocalService) { self.service = service }

        func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
            if let operation = try? WireOperation(parsing: request.body), operation.document.contains("syncNotes(") {
                let kind = operation.variables?["lastSync"] == nil ? "base" : "delta"
                let filter = operation.variables?["filter"]?.text ?? "none"
                filters.withLock { $0[kind, default: []].append(filter) }
            }
            return try await service.send(request)
        }

        func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
            try await service.connect(request)
        }
    }

    @Test func theBaseQueryHasTheFormThatAnIndexAnswers() async throws {
        let world = ManualSurroundings()
        let service = try await LocalService.open(.automerge, world.surroundings, schema: Self.schema)
        let a = try await Device.open(InMemoryAdapter(), service, world.surroundings)
        _ = await a.engine.start()
        try await a.waitUntilReady()
        for (id, title, rating) in [("1", "ta", 3), ("2", "tb", 3), ("3", "u", 3), ("4", "ta", 4)] {
            try await a.store.save(Note(id: id, title: title, rating: rating))
        }
        try await a.waitUntilSent()

        let keys = Note.keys
        let note = Note.defineSchema { model in
            model.pluralName = "Notes"
            model.attributes(
                .primaryKey(fields: [keys.id]), .index(fields: ["rating", "title"], name: "byRating"))
            model.fields(
                .field(keys.id), .field(keys.title), .field(keys.body, is: .optional),
                .field(keys.rating, is: .optional, ofType: .int))
        }
        let schemas = ["Note": note, "Remark": Remark.schema]
        let store = try await DataStore.open(
            InMemoryAdapter(), models: [Note.self, Remark.self],
            options: DataStoreOptions(surroundings: world.surroundings))
        let listening = ListeningService(service)
        let log = EventLog<SyncNotification>()
        let expression = Predicate.and([.beginsWith("title", "t"), .compare("rating", .equal, .integer(3))])
        let engine = SyncEngine(
            store: store, models: [try SyncedModel(note, among: schemas, expression: { expression })],
            transport: listening, authorization: Device.key, surroundings: world.surroundings, notify: { log.add($0) })
        let task = Task { await engine.run() }
        #expect(await engine.start() == .done)
        try await log.wait { log.events.contains { $0 == .hub(.ready) } }
        #expect(try await store.query(Note.self).map(\.id).sorted() == ["1", "2"])
        let sent = #"{"and":[{"rating":{"eq":3}},{"title":{"beginsWith":"t"}}]}"#
        #expect(listening.filters.withLock { $0 }["base"] == [sent])

        // What leaves the expression is seen to leave it: deltas and subscriptions are not filtered.
        try await edit(a, "1") { $0.rating = 5 }
        try await a.waitUntilSent()
        try await log.wait { try await store.query(Note.self).map(\.id) == ["2"] }
        #expect(await engine.stop() == .done)
        #expect(await engine.start() == .done)
        try await log.wait { log.events.count(where: { $0 == .hub(.ready) }) == 2 }
        // The service is younger than the overlap of deltas, so it answers with all records, and is asked for them.
        #expect(listening.filters.withLock { $0 } == ["base": [sent, sent], "delta": ["none"]])
        _ = await engine.stop()
        engine.close()
        await task.value
        try await store.close()
        try await a.end()
    }

    private func edit(_ device: Device, _ id: String, _ change: (inout Note) -> Void) async throws {
        var note = try #require(await device.store.query(Note.self, byId: id))
        change(&note)
        try await device.store.save(note)
    }
}

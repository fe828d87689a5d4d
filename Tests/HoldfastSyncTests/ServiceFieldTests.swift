import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastServer
import HoldfastSyncTestSupport
import HoldfastTestSupport
import HoldfastWire
import Testing

@testable import HoldfastSync

/// Models that hold fields which only the service sets.
///
/// A copy that the application made itself lacks what the service has set since.
@Suite struct ServiceFieldTests {
    let world = ManualSurroundings()

    private static let schema = """
        type Page @model @auth(rules: [{ allow: public }]) { title: String! body: String }
        """

    private func open(_ local: LocalService) async throws -> Synchronizer {
        var service = SyncService(
            transport: local, authorization: SyncAuthorization(headers: { _, _ in Device.headers("key") }))
        service.conflictHandler = { _ in
            Issue.record("edits of different fields should not conflict")
            return .applyRemote
        }
        return try Synchronizer(
            try await DataStore.open(
                InMemoryAdapter(), models: [Page.self], options: DataStoreOptions(surroundings: world.surroundings)),
            with: service)
    }

    @Test(arguments: [ConflictStrategy.optimisticConcurrency, .automerge])
    func editsOfDifferentFieldsAreBothKept(strategy: ConflictStrategy) async throws {
        let local = try await LocalService.open(strategy, world.surroundings, schema: Self.schema)
        let (a, b) = (try await open(local), try await open(local))
        try await a.start()
        var page = Page(id: "p", title: "one", body: "one")
        _ = try await a.store.saveWithReceipt(page).settled()
        let created = try #require(try await a.store.query(Page.self).first?.createdAt)
        try await b.start()
        try await b.waitUntilSynchronized()
        try await a.stop()

        world.advance(.seconds(5))
        var theirs = try #require(try await b.store.query(Page.self).first)
        theirs.body = "two"
        _ = try await b.store.saveWithReceipt(theirs).settled()
        page.title = "two"
        let mine = try await a.store.saveWithReceipt(page)
        #expect(try await a.store.explain(Page.self, "p").unsent.map(\.changedFields) == [["title"]])
        #expect(try await a.store.query(Page.self).map(\.createdAt) == [created])
        try await a.start()
        #expect(try await mine.settled() == .confirmed(version: 3))
        #expect(try await a.store.query(Page.self).map { "\($0.title) \($0.body ?? "")" } == ["two two"])
        for device in [a, b] {
            await device.close()
            try await device.store.close()
        }
    }
}

/// A page as the application has it; the service sets when it was created and updated.
private struct Page: Model {
    let id: String
    var title: String
    var body: String?
    var createdAt: Temporal.DateTime?
    var updatedAt: Temporal.DateTime?

    init(id: String, title: String, body: String? = nil) { (self.id, self.title, self.body) = (id, title, body) }

    enum CodingKeys: String, ModelKey { case id, title, body, createdAt, updatedAt }
    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.pluralName = "Pages"
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.title), .field(keys.body, is: .optional),
            .field(keys.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(keys.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime))
    }
}

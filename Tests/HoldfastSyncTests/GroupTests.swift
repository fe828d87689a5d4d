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

private struct Memo: Model {
    let id: String
    var title: String

    enum CodingKeys: String, ModelKey { case id, title }
    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.pluralName = "Memos"
        model.authRules = [rule(allow: .owner), rule(allow: .groups, groups: ["Editors"])]
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(.field(keys.id), .field(keys.title))
    }
}

/// A device whose user joins and leaves a group.
@Suite struct GroupTests {
    private let world = ManualSurroundings()
    private static let schema = """
        type Memo @model @auth(rules: [{ allow: owner }, { allow: groups, groups: ["Editors"] }]) { title: String! }
        """

    private static func token(_ user: String, _ groups: [String]) -> String {
        let list = groups.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"sub":"\#(user)","username":"\#(user)","cognito:groups":[\#(list)]}"#
    }

    private func addMemo(to local: LocalService, _ token: String) async {
        let body = #"{"query":"mutation { createMemo(input: { title: \"t\" }) { id } }"}"#
        let response = await local.server.respond(
            to: ServerRequest(headers: ["authorization": token], body: Array(body.utf8)))
        #expect(!String(decoding: response.body, as: UTF8.self).contains("errors"))
    }

    /// The records are older than what a delta query returns.
    @Test func recordsComeAndGoWithTheGroup() async throws {
        let local = try await LocalService.open(ServerOptions(), world.surroundings, schema: Self.schema)
        await addMemo(to: local, Self.token("ann", []))
        let groups = Mutex<[String]?>([])
        var service = SyncService(
            transport: local,
            authorization: SyncAuthorization(
                identity: { "eve" },
                authorize: { _, _ in
                    .headers(.token(Self.token("eve", groups.withLock { $0 ?? ["Editors"] }), host: "localhost"))
                },
                groups: { models in
                    guard let known = groups.withLock({ $0 }) else { throw CancellationError() }
                    return models.flatMap { model in model.readingGroups { _ in known } }
                }))
        service.settings.watermarkOverlap = .zero
        let store = try await DataStore.open(
            InMemoryAdapter(), models: [Memo.self], options: DataStoreOptions(surroundings: world.surroundings))
        let eve = try Synchronizer(store, with: service)
        try await eve.start()
        try await eve.waitUntilSynchronized()
        #expect(try await store.query(Memo.self).isEmpty)

        groups.withLock { $0 = ["Editors"] }
        eve.setNetwork(isUp: false)
        for await status in eve.statuses where status.state == .offline { break }
        eve.setNetwork(isUp: true)
        try await eve.waitUntilSynchronized()
        #expect(try await store.query(Memo.self).map(\.title) == ["t"])
        #expect(try await store.modelState(of: "Memo")?.identity == "eve\ncognito:groups Editors")

        // Without a token they are not known, and nothing is read again for that.
        groups.withLock { $0 = nil }
        try await eve.stop()
        try await eve.start()
        try await eve.waitUntilSynchronized()
        #expect(try await store.query(Memo.self).map(\.title) == ["t"])
        #expect(try await store.modelState(of: "Memo")?.identity == "eve\ncognito:groups Editors")

        groups.withLock { $0 = [] }
        try await eve.stop()
        try await eve.start()
        try await eve.waitUntilSynchronized()
        #expect(try await store.query(Memo.self).isEmpty)
        #expect(try await store.modelState(of: "Memo")?.identity == "eve")
        await eve.close()
        try await store.close()
    }
}

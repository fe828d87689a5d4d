import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastServer
import HoldfastSync
import HoldfastTesting
import Testing

struct TestDevice {
    let store: DataStore
    let synchronizer: Synchronizer

    init(_ service: SyncService) async throws {
        store = try await DataStore.open(InMemoryAdapter(), models: [Todo.self])
        synchronizer = try Synchronizer(store, with: service)
        try await synchronizer.start()
    }

    func goOffline() async {
        synchronizer.setNetwork(isUp: false)
        for await status in synchronizer.statuses where status.state == .offline { return }
    }

    func goOnline() async throws {
        synchronizer.setNetwork(isUp: true)
        try await synchronizer.waitUntilSynchronized()
    }
}

@Test func bothTitlesAreKept() async throws {
    let schema = "type Todo @model @auth(rules: [{ allow: public }]) { title: String! }"
    let service = try await InProcessService.open(
        schema: schema, options: ServerOptions(strategy: .optimisticConcurrency))
    var settings = service.syncService()
    settings.conflictHandler = { conflict in
        guard let local = conflict.local as? Todo, var both = conflict.remote as? Todo else { return .applyRemote }
        both.title += " or \(local.title)"
        return .retry(both)
    }
    let (phone, laptop) = (try await TestDevice(settings), try await TestDevice(settings))
    for device in [phone, laptop] { await device.goOffline() }
    try await phone.store.save(Todo(id: "1", title: "Bread"))
    try await laptop.store.save(Todo(id: "1", title: "Rolls"))
    try await phone.goOnline()
    try await laptop.goOnline()
    #expect(try await laptop.store.query(Todo.self).map(\.title) == ["Bread or Rolls"])
}

extension TestDevice {
    func close() async throws {
        await synchronizer.close()
        try await store.close()
    }
}

/// The other examples in docs/testing.md, docs/rights.md, and the comments of HoldfastTesting.
@Suite struct AppTestingExamples {
    @Test func theStoreAlone() async throws {
        let store = try await DataStore.open(InMemoryAdapter(), models: [Todo.self])
        try await store.save(Todo(title: "Bread"))
        #expect(try await store.count(Todo.self) == 1)
        try await store.close()
    }

    @Test func aUser() async throws {
        let service = try await InProcessService.open(
            schema: "type Todo @model @auth(rules: [{ allow: owner }]) { title: String! }")
        let phone = try await DataStore.open(InMemoryAdapter(), models: [Todo.self])
        let synchronizer = try Synchronizer(phone, with: service.syncService(as: "ann"))
        try await synchronizer.start()
        await synchronizer.close()
        try await phone.close()
        try await service.server.close()
    }

    @Test func rules() async throws {
        let schema = """
            type Post @model
              @auth(rules: [
                { allow: owner }                                          # who created it: everything
                { allow: groups, groups: ["Editors"], operations: [read, update] }
                { allow: private, operations: [read] }                    # everyone who is signed in
              ]) {
              title: String!
              notes: String @auth(rules: [{ allow: owner }])              # only the owner sees it
            }
            """
        let service = try await InProcessService.open(schema: schema)
        try await service.server.close()
    }
}

struct Todo: Model {
    let id: String
    var title: String

    init(id: String = "1", title: String) {
        self.id = id
        self.title = title
    }

    enum CodingKeys: String, ModelKey { case id, title }
    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.pluralName = "Todos"
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(.field(keys.id), .field(keys.title))
    }
}

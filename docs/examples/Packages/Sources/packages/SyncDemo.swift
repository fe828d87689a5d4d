import HoldfastEngine
import HoldfastInMemory
import HoldfastLevelDB
import HoldfastModel
import HoldfastSQLite
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting

/// Two devices on different adapters and their service, in one process: both edit offline and end with the same
/// records.
struct SyncDemo {
    /// The adapter of the first device.
    let adapter: AdapterChoice

    private static let schema = """
        type Errand @model @auth(rules: [{ allow: public }]) { title: String! note: String isDone: Boolean! }
        """

    func run() async throws {
        Terminal.line("\ntwo devices and a service")
        let service = try await InProcessService.open(
            schema: Self.schema, options: ServerOptions(strategy: .optimisticConcurrency))
        let phone = try await Device("phone", on: phoneAdapter, service)
        let laptop = try await Device("laptop", on: laptopAdapter, service)

        try await phone.store.save([
            Errand(title: "Buy bread", isDone: false), Errand(title: "Call Ann", isDone: false),
        ])
        for device in [phone, laptop] {
            try await device.synchronizer.start()
            try await device.synchronizer.waitUntilSynchronized()
        }
        try await laptop.show("after the first sync")

        for device in [phone, laptop] {
            device.synchronizer.setNetwork(isUp: false)
            await device.reach { $0.state == .offline }
        }
        try await phone.edit("Buy bread") { $0.title = "Buy rye bread" }
        try await phone.edit("Call Ann") { $0.isDone = true }
        try await laptop.edit("Buy bread") { $0.title = "Buy two loaves" }
        try await laptop.edit("Call Ann") { $0.note = "about Sunday" }
        try await phone.show("offline")
        try await laptop.show("offline")

        for device in [phone, laptop] {
            device.synchronizer.setNetwork(isUp: true)
            try await device.synchronizer.waitUntilSynchronized()
        }
        // The phone receives the laptop's changes through its subscriptions.
        let agreed = try await laptop.content()
        for try await snapshot in try phone.store.observeQuery(Errand.self)
        where Device.content(snapshot.items) == agreed { break }
        try await phone.show("again online")

        // A new device has what the service has.
        let witness = try await Device("service", on: InMemoryAdapter(), service)
        try await witness.synchronizer.start()
        try await witness.synchronizer.waitUntilSynchronized()
        let agrees = try await witness.content() == agreed
        Terminal.line("  phone, laptop, and service \(agrees ? "hold the same records" : "DIFFER")")
        for device in [phone, laptop, witness] { try await device.close() }
        try await service.server.close()
    }

    private var phoneAdapter: any StorageAdapter {
        switch adapter {
        case .memory: InMemoryAdapter()
        case .leveldb: LevelDBAdapter(.temporary)
        case .sqlite, .postgresql: SQLiteAdapter(SQLiteConfiguration(.temporary))
        }
    }

    private var laptopAdapter: any StorageAdapter {
        adapter == .memory ? SQLiteAdapter(SQLiteConfiguration(.temporary)) : InMemoryAdapter()
    }
}

/// A store that is synchronized with the service.
private struct Device {
    let name: String
    let store: DataStore
    let synchronizer: Synchronizer

    init(_ name: String, on adapter: any StorageAdapter, _ inProcess: InProcessService) async throws {
        self.name = name
        var service = inProcess.syncService()
        service.conflictHandler = { conflict in
            guard let local = conflict.local as? Errand, let remote = conflict.remote as? Errand else {
                return .applyRemote
            }
            Terminal.line(
                "  conflict on \(name): \"\(local.title)\" here, \"\(remote.title)\" at the service; both are kept")
            var both = remote
            both.title = "\(remote.title), or \(local.title)"
            return .retry(both)
        }
        store = try await DataStore.open(adapter, models: [Errand.self])
        synchronizer = try Synchronizer(store, with: service)
    }

    /// Waits until a condition on the status holds.
    func reach(_ holds: (SyncStatus) -> Bool) async {
        for await status in synchronizer.statuses where holds(status) { return }
    }

    func edit(_ title: String, _ change: (inout Errand) -> Void) async throws {
        guard var errand = try await store.query(Errand.self, where: Errand.keys.title == title).first else { return }
        change(&errand)
        try await store.save(errand)
    }

    func content() async throws -> [String] { Self.content(try await store.query(Errand.self)) }

    static func content(_ errands: [Errand]) -> [String] {
        errands.map { "\($0.title)\($0.note.map { " (\($0))" } ?? "")\($0.isDone ? ", done" : "")" }.sorted()
    }

    func show(_ moment: String) async throws {
        Terminal.line("  \(name), \(moment): \(try await content().joined(separator: "; "))")
    }

    func close() async throws {
        await synchronizer.close()
        try await store.close()
    }
}

package import HoldfastEngine
package import HoldfastStorage
package import HoldfastSync
package import HoldfastTestSupport
package import HoldfastWire

/// A device: a store on some adapter with its sync engine.
package struct Device: Sendable {
    package let store: DataStore
    package let engine: SyncEngine
    package let log: EventLog<SyncNotification>
    private let task: Task<Void, Never>

    /// Requests with the key that the service accepts.
    package static let key = SyncAuthorization(headers: { _, _ in headers("key") })

    package static func headers(_ key: String) -> AuthHeaders {
        .apiKey(key, host: "localhost", date: "20240229T120000Z")
    }

    package static func open(
        _ adapter: any StorageAdapter, _ service: any SyncTransport, _ surroundings: Surroundings,
        log: EventLog<SyncNotification> = EventLog(),
        settings: SyncSettings = SyncSettings(),
        authorization: SyncAuthorization = Device.key,
        expression: @escaping @Sendable () -> Predicate? = { nil },
        decide: @escaping @Sendable (SyncConflict) async -> SyncDecision = { _ in .applyRemote }
    ) async throws -> Device {
        let store = try await DataStore.open(
            adapter, models: [Note.self, Remark.self], options: DataStoreOptions(surroundings: surroundings))
        let schemas = ["Note": Note.schema, "Remark": Remark.schema]
        let engine = SyncEngine(
            store: store,
            models: [
                try SyncedModel(Remark.schema, among: schemas),
                try SyncedModel(Note.schema, among: schemas, expression: expression),
            ],
            transport: service,
            authorization: authorization,
            surroundings: surroundings, settings: settings, decide: decide, notify: { log.add($0) })
        return Device(store: store, engine: engine, log: log, task: Task { await engine.run() })
    }

    /// Waits until something holds; it is looked at again after each of the engine's news.
    package func wait(until holds: () async throws -> Bool) async throws { try await log.wait(until: holds) }

    /// Waits until the engine has notified the hub `count` times that it is ready.
    package func waitUntilReady(_ count: Int = 1) async throws {
        try await wait { log.events.count(where: { $0 == .hub(.ready) }) >= count }
    }

    package func waitUntilSent() async throws { try await wait { try await store.outboxCount() == 0 } }

    package func end() async throws {
        _ = await engine.stop()
        engine.close()
        await task.value
        try await store.close()
    }

    /// Ends at once and interrupts any work in progress.
    package func die() async throws {
        engine.close()
        await task.value
        try await store.close()
    }

    /// All records, as text.
    package func content() async throws -> [String] {
        let notes = try await store.query(Note.self).map {
            "note \($0.id): \($0.title), \($0.body ?? "-"), \($0.rating.map { "\($0)" } ?? "-")"
        }
        let remarks = try await store.query(Remark.self).map { "remark \($0.id): \($0.text)" }
        return (notes + remarks).sorted()
    }
}

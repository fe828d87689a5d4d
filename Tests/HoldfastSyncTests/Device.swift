import HoldfastEngine
import HoldfastGraphQL
import HoldfastInMemory
import HoldfastModel
import HoldfastSQLite
import HoldfastServer
import HoldfastStorage
import HoldfastWire
import Synchronization

@testable import HoldfastSync

/// A note of the tests.
struct Note: Model {
    let id: String
    var title: String
    var body: String?
    var rating: Int?

    enum CodingKeys: String, ModelKey { case id, title, body, rating }
    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.pluralName = "Notes"
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.title), .field(keys.body, is: .optional),
            .field(keys.rating, is: .optional, ofType: .int))
    }
}

/// A remark on a note.
struct Remark: Model {
    let id: String
    var text: String
    var note: LazyReference<Note>

    enum CodingKeys: String, ModelKey { case id, text, note }
    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.pluralName = "Remarks"
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.text),
            .belongsTo(keys.note, is: .optional, ofType: Note.self, targetNames: ["noteId"]))
    }
}

/// The service of the tests, in this process.
struct LocalService: SyncTransport {
    static let schema = """
        type Note @model @auth(rules: [{ allow: public }]) {
          title: String! body: String rating: Int
          remarks: [Remark] @hasMany(indexName: "byNote", fields: ["id"])
        }
        type Remark @model @auth(rules: [{ allow: public }]) {
          text: String! noteId: ID @index(name: "byNote") note: Note @belongsTo(fields: ["noteId"])
        }
        """

    let server: SyncServer
    /// How many answers to mutations are still to be lost on their way back.
    let answersToLose = Countdown()
    /// Counts the requests.
    let requests = RequestCount()

    static func open(_ strategy: ConflictStrategy, _ world: ManualSurroundings) async throws -> LocalService {
        let options = ServerOptions(apiKeys: ["key"], strategy: strategy)
        return LocalService(
            server: try await SyncServer.open(
                schema: [Source(schema)], options: options, surroundings: world.surroundings
            ) { InMemoryAdapter() })
    }

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        requests.add()
        let response = await server.respond(
            to: ServerRequest(headers: request.authorization.byLowerCaseName, body: request.body))
        let isMutation = String(decoding: request.body, as: UTF8.self).contains(#""query":"mutation"#)
        if isMutation, answersToLose.takeOne() { throw TransportError(.lost, "the connection was closed") }
        return WireResponse(status: response.status, body: response.body)
    }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        LocalSocket(
            connection: await server.connect(with: Credentials(headers: request.authorization.byLowerCaseName)))
    }
}

/// A number that goes down to zero.
final class Countdown: Sendable {
    private let number = Mutex(0)

    func set(_ number: Int) { self.number.withLock { $0 = number } }

    /// Whether it was above zero.
    func takeOne() -> Bool {
        number.withLock { number in
            guard number > 0 else { return false }
            number -= 1
            return true
        }
    }
}

/// Counts, and wakes who waits for a number.
final class RequestCount: Sendable {
    private struct State {
        var count = 0
        var waiter: (number: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())

    func add() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.count += 1
            guard let waiter = state.waiter, state.count >= waiter.number else { return nil }
            state.waiter = nil
            return waiter.continuation
        }
        waiter?.resume()
    }

    func reach(_ number: Int) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isReached = state.withLock { state in
                if state.count < number { state.waiter = (number, continuation) }
                return state.count >= number
            }
            if isReached { continuation.resume() }
        }
    }
}

private struct LocalSocket: RealtimeSocket {
    let connection: ServerConnection

    func send(_ text: [UInt8]) async throws(TransportError) { await connection.receive(text) }
    func next() async throws(TransportError) -> [UInt8]? { await connection.next() }
    func close() async { await connection.close() }
}

extension AuthHeaders {
    fileprivate var byLowerCaseName: [String: String] {
        Dictionary(headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

/// What an engine told, and a way to wait for more.
final class NewsLog: Sendable {
    private struct State {
        var news: [SyncNews] = []
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var news: [SyncNews] { state.withLock { $0.news } }

    func add(_ item: SyncNews) {
        let waiters = state.withLock { state in
            state.news.append(item)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until there are more than `count` news.
    func more(than count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.news.count <= count { state.waiters.append(continuation) }
                return state.news.count > count
            }
            if isThere { continuation.resume() }
        }
    }
}

/// A device: a store on some adapter with its sync engine.
struct Device: Sendable {
    let store: DataStore
    let engine: SyncEngine
    let log: NewsLog
    private let task: Task<Void, Never>

    static let key = SyncAuthorization(headers: { _, _ in headers("key") })

    static func headers(_ key: String) -> AuthHeaders { .apiKey(key, host: "localhost", date: "20240229T120000Z") }

    static func open(
        _ adapter: any StorageAdapter, _ service: LocalService, _ world: ManualSurroundings, log: NewsLog = NewsLog(),
        authorization: SyncAuthorization = Device.key,
        expression: @escaping @Sendable () -> Predicate? = { nil },
        decide: @escaping @Sendable (SyncConflict) async -> SyncDecision = { _ in .applyRemote }
    ) async throws -> Device {
        let store = try await DataStore.open(
            adapter, models: [Note.self, Remark.self], options: DataStoreOptions(surroundings: world.surroundings))
        let schemas = ["Note": Note.schema, "Remark": Remark.schema]
        let engine = SyncEngine(
            store: store,
            models: [
                try SyncedModel(Remark.schema, among: schemas),
                try SyncedModel(Note.schema, among: schemas, expression: expression),
            ],
            transport: service,
            authorization: authorization,
            surroundings: world.surroundings, decide: decide, tell: { log.add($0) })
        return Device(store: store, engine: engine, log: log, task: Task { await engine.run() })
    }

    /// Waits until something holds; it is looked at again after each of the engine's news.
    func wait(until holds: () async throws -> Bool) async throws {
        while true {
            let count = log.news.count
            if try await holds() { return }
            await log.more(than: count)
        }
    }

    /// Waits until the engine has told the hub `count` times that it is ready.
    func waitUntilReady(_ count: Int = 1) async throws {
        try await wait { log.news.count(where: { $0 == .hub(.ready) }) >= count }
    }

    func waitUntilSent() async throws { try await wait { try await store.outboxCount() == 0 } }

    func end() async throws {
        _ = await engine.stop()
        engine.close()
        await task.value
        try await store.close()
    }

    /// Ends at once, with whatever is under way.
    func die() async throws {
        engine.close()
        await task.value
        try await store.close()
    }

    /// All records, as text.
    func content() async throws -> [String] {
        let notes = try await store.query(Note.self).map {
            "note \($0.id): \($0.title), \($0.body ?? "-"), \($0.rating.map { "\($0)" } ?? "-")"
        }
        let remarks = try await store.query(Remark.self).map { "remark \($0.id): \($0.text)" }
        return (notes + remarks).sorted()
    }
}

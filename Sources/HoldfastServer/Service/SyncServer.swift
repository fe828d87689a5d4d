public import HoldfastGraphQL
import HoldfastSchema
public import HoldfastStorage

/// A service that speaks the dialect of AWS AppSync, on any adapter: bytes in and bytes out.
///
/// It knows nothing of sockets. What listens on the network hands each request to ``respond(to:)`` and each
/// connection's frames to what ``connect(with:)`` returns. A test does the same without a network.
///
/// ```swift
/// let server = try await SyncServer.open(
///     schema: [Source("type Post @model @auth(rules: [{ allow: public }]) { title: String! }")],
///     options: ServerOptions(apiKeys: ["da2-key"]), surroundings: surroundings
/// ) { SQLiteAdapter(path: path) }
/// let response = await server.respond(to: ServerRequest(headers: ["x-api-key": "da2-key"], body: body))
/// ```
public final class SyncServer: Sendable {
    let gate: ServiceGate
    let makeAdapter: @Sendable () throws -> any StorageAdapter

    private init(_ service: Service, _ makeAdapter: @escaping @Sendable () throws -> any StorageAdapter) {
        gate = ServiceGate(service)
        self.makeAdapter = makeAdapter
    }

    /// Opens the store and starts to serve a schema.
    ///
    /// Fields, models, and indexes that an earlier schema had and this one lacks stay in the store, unseen; see
    /// ``ServerOptions/dropsOldIndexes``.
    ///
    /// - Parameters:
    ///   - schema: The annotated schema; the indices of several texts must differ.
    ///   - options: How the service behaves.
    ///   - surroundings: Time, randomness, and identifiers.
    ///   - makeAdapter: Makes an adapter that is not yet open. Called a second time if the stored schema has more than
    ///     this one, and again when the schema changes.
    /// - Returns: The service, ready for requests.
    /// - Throws: `SchemaError` with every problem of the schema, or if the options name what it lacks;
    ///   ``/HoldfastStorage/StorageError`` as ``/HoldfastStorage/Store/open(_:schema:migration:)``, `.schemaMismatch`
    ///   if a field's type or a key changed.
    public static func open(
        schema: [Source], options: ServerOptions, surroundings: Surroundings,
        makeAdapter: @escaping @Sendable () throws -> any StorageAdapter
    ) async throws -> SyncServer {
        try await open(
            schemas: ServerSchemas(schema), options: options, surroundings: surroundings, makeAdapter: makeAdapter)
    }

    /// Opens the store and starts to serve a schema that other services may have read.
    ///
    /// - Parameters:
    ///   - schemas: The annotated schema.
    ///   - options: As for ``open(schema:options:surroundings:makeAdapter:)``.
    ///   - surroundings: Time, randomness, and identifiers.
    ///   - resetsLabels: Whether a copy of a store gets labels of its own, which is a commit. Pass `false` only if
    ///     records are read and no device is served.
    ///   - makeAdapter: As for ``open(schema:options:surroundings:makeAdapter:)``.
    /// - Returns: The service.
    /// - Throws: As ``open(schema:options:surroundings:makeAdapter:)``.
    package static func open(
        schemas: ServerSchemas, options: ServerOptions, surroundings: Surroundings, resetsLabels: Bool = true,
        makeAdapter: @escaping @Sendable () throws -> any StorageAdapter
    ) async throws -> SyncServer {
        SyncServer(
            try await service(schemas, options, surroundings, resetsLabels: resetsLabels, makeAdapter), makeAdapter)
    }

    /// Opens the store for a schema.
    static func service(
        _ schemas: ServerSchemas, _ options: ServerOptions, _ surroundings: Surroundings, resetsLabels: Bool = true,
        _ makeAdapter: @Sendable () throws -> any StorageAdapter
    ) async throws -> Service {
        let served = Mutex(try schemas.served(with: options, stored: nil))
        try check(options, with: served.withLock { $0.schema })
        let store = try await Store.open(makeAdapter) { stored in
            if let stored {
                let stays = options.dropsOldIndexes ? try stored.withoutIndexes : stored
                let whole = try schemas.served(with: options, stored: stays)
                served.withLock { $0 = whole }
            }
            return served.withLock { $0.schema.storage }
        }
        do {
            let served = served.withLock { $0 }
            if resetsLabels { try await LabelReset(store: store, now: surroundings.wallMicroseconds() / 1000).run() }
            let service = Service(
                served, sources: schemas.sources, store: store, options: options, surroundings: surroundings,
                secret: try await secret(in: store, surroundings))
            try await service.followChanges()
            return service
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// Refuses options that name models or fields that the schema lacks, which would have no effect.
    static func check(_ options: ServerOptions, with schema: ServerSchema) throws(SchemaError) {
        var problems: [SchemaProblem] = []
        for name in options.strategies.keys.sorted() where schema.model(name) == nil {
            problems.append(
                SchemaProblem(
                    message: "the options name the model \"\(name)\", which the schema lacks",
                    hint: "It has: \(schema.models.map(\.name).joined(separator: ", "))."))
        }
        let lists = schema.models.flatMap { model in
            model.columns.filter { $0.reference.isList }.map { "\(model.name).\($0.name)" }
        }
        for name in options.sets.sorted() where !lists.contains(name) {
            problems.append(
                SchemaProblem(
                    message: "the options name the list \"\(name)\", which the schema lacks",
                    hint: "Write \"Model.field\" for a field that is a list."))
        }
        guard problems.isEmpty else { throw SchemaError(problems: problems) }
    }

    /// What page tokens are signed with: made by the first process that opens the store.
    private static func secret(in store: Store, _ surroundings: Surroundings) async throws -> (UInt64, UInt64) {
        let entity = SystemEntity.setting.name
        let key = RecordKey("secret")
        while true {
            var rows = RowBuffer()
            try await store.get([key], of: entity, into: &rows)
            if rows.versions[0] != 0, case .bytes(let bytes) = rows[0, 1], bytes.count == 16 {
                let halves = [bytes.prefix(8), bytes.suffix(8)].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
                return (halves[0], halves[1])
            }
            let words = [surroundings.random(), surroundings.random()]
            let bytes = words.flatMap { word in (0..<8).reversed().map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
            let row = RowBuffer(row: [.text("secret"), .bytes(bytes)])
            do {
                let put = WriteOperation.put(entity: entity, rows: row, mode: .insert)
                _ = try await store.commit(CommitRequest(operations: [put]))
            } catch {
                // Another process was first.
                guard error.kind == .preconditionFailed else { throw error }
            }
        }
    }

    /// How much clients may ask for.
    public var limits: ServerLimits { gate.service.options.limits }

    /// Checks that the store answers.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` of the store.
    public func check() async throws(StorageError) {
        try await gate.use { service throws(StorageError) in
            var rows = RowBuffer()
            try await service.store.get([RecordKey("secret")], of: SystemEntity.setting.name, into: &rows)
        }
    }

    /// Answers a request.
    ///
    /// Never throws: what goes wrong is in the response.
    ///
    /// ```swift
    /// let body = #"{"query": "mutation { createPost(input: {title: \"Hold fast\"}) { title _version } }"}"#
    /// let request = ServerRequest(headers: ["x-api-key": "da2-key"], body: Array(body.utf8))
    /// let response = await server.respond(to: request)
    /// let text = String(decoding: response.body, as: UTF8.self)
    /// // {"data":{"createPost":{"title":"Hold fast","_version":1}}}
    /// ```
    ///
    /// - Parameter request: The headers and the body of a POST to the endpoint.
    /// - Returns: The status, the headers, and the body to send to the client.
    public func respond(to request: ServerRequest) async -> ServerResponse {
        await gate.use { await $0.respond(to: request) }
    }

    /// Begins a connection for changes.
    ///
    /// It lives until it is closed; close it when the client is gone.
    ///
    /// - Parameter credentials: What the client brought with the request that opened the connection, wherever it put
    ///   it; see ``Credentials/init(headers:parameters:)``.
    /// - Returns: The connection; one that is refused makes a frame that says why, and ends with the
    ///   first frame of the client.
    public func connect(with credentials: Credentials) async -> ServerConnection {
        await gate.use { await $0.connect(with: credentials) }
    }

    /// Takes tombstones out of the store whose time has come, and most of the labels older than an hour.
    ///
    /// Call it now and then, from one process of the service: it reads all records of each model. Clients that were
    /// away since before a purged deletion read everything at their next synchronization.
    ///
    /// If the task is cancelled, or the schema is to be changed meanwhile, the rest stays for the next call.
    ///
    /// - Parameter limit: How many are purged at most in one commit; 500 by default.
    /// - Returns: How many were purged.
    /// - Throws: ``/HoldfastStorage/StorageError`` of the store; what was purged before stays so.
    @discardableResult public func purgeTombstones(limit: Int = 500) async throws(StorageError) -> Int {
        try await gate.use { [gate] service throws(StorageError) in
            try await service.purgeTombstones(limit: limit) { gate.isOpen && !Task.isCancelled }
        }
    }

    /// Gives every record a version above all that devices may have of it, and makes every device read everything.
    ///
    /// Needed once after the store was restored from a backup, or continues on a replica that lacks the last commits;
    /// otherwise devices that have versions from the time that was lost ignore later changes. Call it before
    /// devices can reach the service.
    ///
    /// ```swift
    /// let count = try await server.renewVersions()
    /// ```
    ///
    /// Versions rise to the seconds since 2020, so that a backup can be restored again and again. That of a record
    /// which changes more than once a second rises by four for each second since its last change. A version has 32
    /// bits. The clock must show a later second than at the last renewal: if it has gone back since, wait.
    ///
    /// - Returns: How many records there are, tombstones included.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.limitExceeded` if a version would leave 32 bits; as the store's
    ///   commit. What was renewed before stays so, and the call can be repeated.
    /// - Complexity: O(records), in commits of 500.
    @discardableResult public func renewVersions() async throws(StorageError) -> Int {
        try await gate.use { service throws(StorageError) in try await service.renewVersions() }
    }

    /// Ends all connections, and closes the store; requests in progress fail.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.io` if the store cannot be closed in order.
    public func close() async throws(StorageError) { try await gate.service.close() }
}

extension StorageSchema {
    /// The schema without its indexes.
    fileprivate var withoutIndexes: Self {
        get throws {
            try StorageSchema(
                entities: entities.map { entity in
                    EntitySchema(
                        entity.name, fields: entity.fields, primaryKey: entity.primaryKey,
                        isOrderedByVersion: entity.isOrderedByVersion, isInChangeFeed: entity.isInChangeFeed)
                })
        }
    }
}

import HoldfastGraphQL
import HoldfastStorage
import HoldfastWire

/// What all requests and connections of a server share.
final class Service: Sendable {
    let schema: ServerSchema
    /// What the schema was read from.
    let sources: [Source]
    let store: Store
    let options: ServerOptions
    let surroundings: Surroundings
    let labels: Labels
    let documents: DocumentCache
    let hub: EventHub
    let lookup: RecordLookup
    let writer: RecordWriter
    /// What page tokens are signed and hidden with; the same in all processes of the service.
    let secret: (UInt64, UInt64)
    /// The connections that are open, to be ended with the service.
    private let connections = Mutex<[ObjectIdentifier: ServerConnection]>([:])
    private let follower = Mutex<Task<Void, Never>?>(nil)

    init(
        _ served: ServerSchemas.Served, sources: [Source], store: Store, options: ServerOptions,
        surroundings: Surroundings, secret: (UInt64, UInt64)
    ) {
        schema = served.schema
        documents = served.documents
        self.sources = sources
        self.store = store
        self.options = options
        self.surroundings = surroundings
        self.secret = secret
        labels = Labels(store: store, surroundings: surroundings)
        hub = EventHub(followsFeed: store.capabilities.support(for: .changeFeed) != .unsupported)
        lookup = RecordLookup(store: store)
        writer = RecordWriter(store: store, hub: hub)
    }

    /// Begins to report the commits of every process, if the store has a change feed.
    ///
    /// - Throws: ``StorageError`` if the feed cannot be opened.
    func followChanges() async throws(StorageError) {
        guard store.capabilities.support(for: .changeFeed) != .unsupported else { return }
        let feed = try await store.changes()
        let fanout = ChangeFanout(schema: schema, store: store, hub: hub, surroundings: surroundings)
        let task = Task { await fanout.follow(feed) }
        follower.withLock { $0 = task }
    }

    /// Notes a connection that is open.
    func add(_ connection: ServerConnection) { connections.withLock { $0[ObjectIdentifier(connection)] = connection } }

    /// Forgets a connection that has ended.
    func remove(_ connection: ServerConnection) {
        connections.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    /// Ends all connections, and closes the store.
    func close() async throws(StorageError) {
        follower.withLock { $0?.cancel() }
        for connection in connections.withLock({ Array($0.values) }) { await connection.close() }
        try await store.close()
    }

    /// Milliseconds since 1970.
    var now: Int64 { surroundings.wallMicroseconds() / 1000 }

    func strategy(of model: ServerModel) -> ConflictStrategy { options.strategies[model.name] ?? options.strategy }

    /// A record as it is stored, with the version that a commit that replaces it demands; `nil` if there is none.
    func record(_ key: RecordKey, of model: ServerModel) async throws -> StoredRecord? {
        try await lookup.record(key, of: model)
    }

    /// Records as they are stored, in the order of the keys.
    func records(_ keys: [RecordKey], of model: ServerModel) async throws(StorageError) -> [StoredRecord?] {
        try await store.records(keys, of: model.name)
    }

    /// Who sends a request.
    ///
    /// - Throws: ``Refusal`` if it is not proven.
    func identity(of credentials: Credentials) async throws(Refusal) -> Identity {
        if credentials.headers["authorization"] != nil {
            switch await options.verify(credentials) {
            case .verified(let identity):
                if let expiry = identity.expiry, expiry <= surroundings.wallMicroseconds() {
                    throw Refusal(message: "Token has expired.")
                }
                return identity
            case .refused(let message): throw Refusal(message: message)
            case .unavailable(let message): throw Refusal(message: message, isTemporary: true)
            }
        }
        guard let key = credentials.headers["x-api-key"] else {
            throw Refusal(message: "Valid authorization header not provided.")
        }
        // A variable that is not set may have become a key.
        guard !key.isEmpty, options.apiKeys.contains(key) else {
            throw Refusal(message: "You are not authorized to make this call.")
        }
        return .apiKey
    }

    /// The fault that a client receives for an error; reports errors that are not the client's.
    ///
    /// That a client has left, or that the service shuts down, is not reported.
    func fault(_ error: any Error) -> RequestFault {
        if let fault = RequestFault(ofClient: error) { return fault }
        var fault = RequestFault.internalFailure
        switch error {
        case let error as StorageError:
            if error.kind != .cancelled, error.kind != .closed { options.report(error.description) }
            fault.isTemporary = Self.temporaryErrors.contains(error.kind)
        case is CancellationError: fault.isTemporary = true
        // What it says may have values in it.
        default: options.report("A request failed with an error of the type \(type(of: error)).")
        }
        return fault
    }

    /// What happens to a store that can be used again later.
    private static let temporaryErrors: [StorageError.Kind] = [
        .busy, .locked, .connectionLost, .closed, .cancelled, .full, .readOnly,
    ]
}

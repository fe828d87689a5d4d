import HoldfastGraphQL
import HoldfastStorage
import HoldfastWire
import Synchronization

/// What all requests and connections of a server share.
final class Service: Sendable {
    let schema: ServerSchema
    let store: Store
    let options: ServerOptions
    let surroundings: Surroundings
    let labels: Labels
    let documents: DocumentCache
    let hub: EventHub
    /// What page tokens are signed with; the same in all processes of the service.
    let secret: (UInt64, UInt64)
    private let follower = Mutex<Task<Void, Never>?>(nil)

    init(
        schema: ServerSchema, store: Store, options: ServerOptions, surroundings: Surroundings,
        secret: (UInt64, UInt64)
    ) {
        self.schema = schema
        self.store = store
        self.options = options
        self.surroundings = surroundings
        self.secret = secret
        labels = Labels(store: store, surroundings: surroundings)
        documents = DocumentCache(api: schema.api, capacity: options.limits.cachedDocuments)
        hub = EventHub(followsFeed: store.capabilities.support(for: .changeFeed) != .unsupported)
    }

    /// Begins to tell of the commits of every process, if the store has a change feed.
    ///
    /// - Throws: ``StorageError`` if the feed cannot be opened.
    func followChanges() async throws(StorageError) {
        guard store.capabilities.support(for: .changeFeed) != .unsupported else { return }
        let feed = try await store.changes()
        let fanout = ChangeFanout(schema: schema, store: store, hub: hub, surroundings: surroundings)
        let task = Task { await fanout.follow(feed) }
        follower.withLock { $0 = task }
    }

    /// Ends all connections that listen, and closes the store.
    func close() async throws(StorageError) {
        follower.withLock { $0?.cancel() }
        hub.lose()
        try await store.close()
    }

    /// Milliseconds since 1970.
    var now: Int64 { surroundings.wallMicroseconds() / 1000 }

    func strategy(of model: ServerModel) -> ConflictStrategy { options.strategies[model.name] ?? options.strategy }

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
            }
        }
        guard let key = credentials.headers["x-api-key"] else {
            throw Refusal(message: "Valid authorization header not provided.")
        }
        guard options.apiKeys.contains(key) else {
            throw Refusal(message: "You are not authorized to make this call.")
        }
        return .apiKey
    }

    /// The fault that a client is told of for an error; reports what it cannot help.
    func fault(_ error: any Error) -> RequestFault {
        switch error {
        case let fault as RequestFault: return fault
        case let error as StorageError
        where [.limitExceeded, .unrepresentable].contains(error.kind):
            return RequestFault("BadRequest", error.message)
        case let error as StorageError:
            options.report(error.description)
            return .internalFailure
        default: return .internalFailure
        }
    }
}

/// Why a sender is not who the request says.
struct Refusal: Error {
    /// What the sender is told.
    var message: String
}

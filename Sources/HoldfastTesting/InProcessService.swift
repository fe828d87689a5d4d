public import HoldfastEngine
import HoldfastGraphQL
public import HoldfastInMemory
import HoldfastSchema
public import HoldfastServer
public import HoldfastStorage
public import HoldfastSync
import HoldfastWire

/// A service in the process of a test, without a network.
///
/// Stores of the test are synchronized with it as with any other service. It keeps its records in memory.
///
/// ```swift
/// let service = try await InProcessService.open(
///     schema: "type Todo @model @auth(rules: [{ allow: owner }]) { title: String! }")
/// let phone = try await DataStore.open(InMemoryAdapter(), models: [Todo.self])
/// let synchronizer = try Synchronizer(phone, with: service.syncService(as: "ann"))
/// try await synchronizer.start()
/// ```
///
/// Close synchronizers, then stores, then ``server``.
public struct InProcessService: SyncTransport {
    /// The service itself, for instance to send it GraphQL requests.
    public let server: SyncServer

    private static let key = "in-process"

    /// Opens a service.
    ///
    /// - Parameters:
    ///   - schema: The annotated schema.
    ///   - options: How the service behaves; it accepts the users of ``syncService(as:groups:)`` in addition.
    ///   - surroundings: Time, randomness, and identifiers; those of the system by default.
    ///   - makeAdapter: Makes the adapter that keeps the records, as ``SyncServer`` needs it; in memory by default.
    /// - Returns: The service, ready for requests.
    /// - Throws: As ``SyncServer/open(schema:options:surroundings:makeAdapter:)``.
    public static func open(
        schema: String, options: ServerOptions = ServerOptions(), surroundings: Surroundings = .system,
        makeAdapter: @escaping @Sendable () throws -> any StorageAdapter = { InMemoryAdapter() }
    ) async throws -> InProcessService {
        var options = options
        options.apiKeys.insert(key)
        options.verify = { [verify = options.verify] credentials in
            guard let token = credentials.headers["authorization"], let claims = claims(of: token) else {
                return await verify(credentials)
            }
            return .verified(Identity(.userPools, claims: claims))
        }
        return InProcessService(
            server: try await SyncServer.open(
                schema: [Source(schema)], options: options, surroundings: surroundings, makeAdapter: makeAdapter))
    }

    /// What a `Synchronizer` needs to reach the service.
    ///
    /// - Parameters:
    ///   - user: Who is signed in, as a user of the user pool; `nil`, the default, for an application with a key.
    ///   - groups: The groups of the user.
    /// - Returns: The value to create a `Synchronizer` with; its requests have the headers of the user or of the key.
    public func syncService(as user: String? = nil, groups: [String] = []) -> SyncService {
        let headers =
            user.map { AuthHeaders.token(Self.token(of: $0, groups), host: "localhost") }
            ?? .apiKey(Self.key, host: "localhost", date: "20260101T000000Z")
        var authorization = SyncAuthorization(identity: { user }, headers: { _, _ in headers })
        authorization.groups = { models in
            models.flatMap { model in model.readingGroups { $0 == "cognito:groups" ? groups : [] } }
        }
        return SyncService(transport: self, authorization: authorization)
    }

    /// Sends a request to the service.
    public func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        let response = await server.respond(
            to: ServerRequest(headers: request.authorization.byLowerCaseName, body: request.body))
        return WireResponse(status: response.status, body: response.body)
    }

    /// Opens a socket for events.
    public func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        InProcessSocket(
            connection: await server.connect(with: Credentials(headers: request.authorization.byLowerCaseName)))
    }

    /// The token of a user: the claims as JSON, so that a name can contain anything.
    private static func token(of user: String, _ groups: [String]) -> String {
        let claims: JSONObject = [
            "sub": .string(user), "username": .string(user), "cognito:groups": .array(groups.map { .string($0) }),
        ]
        return WireValue.object(claims).text
    }

    private static func claims(of token: String) -> JSONObject? {
        (try? WireValue(parsing: Array(token.utf8)))?.object
    }
}

private struct InProcessSocket: RealtimeSocket {
    let connection: ServerConnection

    func send(_ text: [UInt8]) async throws(TransportError) { await connection.receive(text) }
    func next() async throws(TransportError) -> [UInt8]? { await connection.next() }
    func close() async { await connection.close() }
}

public import HoldfastSchema
public import HoldfastWire

/// How a service behaves.
///
/// ```swift
/// var options = ServerOptions(apiKeys: ["da2-key"], strategy: .automerge)
/// options.strategies["Post"] = .optimisticConcurrency
/// options.allowsIntrospection = false
/// ```
public struct ServerOptions: Sendable {
    /// The mode of requests for everything in the schema that names no other; the API key by default.
    public var defaultMode: AuthMode
    /// The keys that are accepted; none by default.
    ///
    /// An empty one never is.
    public var apiKeys: Set<String>
    /// Checks a token or a signature; refuses all by default.
    ///
    /// Asked when a request has an `Authorization` header.
    public var verify: @Sendable (Credentials) async -> Verification
    /// How models deal with conflicts that ``strategies`` does not name; merging by default.
    public var strategy: ConflictStrategy
    /// How models deal with conflicts, by name.
    public var strategies: [String: ConflictStrategy]
    /// Decides the conflicts of models whose strategy says so; rejects by default.
    public var handler: @Sendable (ConflictRequest) async throws -> ConflictResolution
    /// The fields, as `Model.field`, whose lists are merged as sets.
    public var sets: Set<String>
    /// How long a tombstone is kept; 30 days by default.
    public var tombstoneLife: Duration
    /// Whether clients may ask for the schema; `true` by default.
    public var allowsIntrospection: Bool
    /// Whether indexes that an earlier schema had and this one lacks are removed from the store; `false` by default.
    ///
    /// They cost space and time, and one of a long text can be in the way of a record. A service that still has the
    /// earlier schema needs them.
    public var dropsOldIndexes: Bool
    /// How much clients may ask for.
    public var limits: ServerLimits
    /// Receives a description of each failure that is not the client's; it has names and no values.
    public var report: @Sendable (String) -> Void

    /// Creates options with the defaults that the properties name.
    public init(
        defaultMode: AuthMode = .apiKey, apiKeys: Set<String> = [],
        verify: @escaping @Sendable (Credentials) async -> Verification = { _ in
            .refused("You are not authorized to make this call.")
        },
        strategy: ConflictStrategy = .automerge, strategies: [String: ConflictStrategy] = [:],
        handler: @escaping @Sendable (ConflictRequest) async throws -> ConflictResolution = { _ in .reject },
        sets: Set<String> = [], tombstoneLife: Duration = .seconds(30 * 86_400), allowsIntrospection: Bool = true,
        dropsOldIndexes: Bool = false, limits: ServerLimits = ServerLimits(),
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.defaultMode = defaultMode
        self.apiKeys = apiKeys
        self.verify = verify
        self.strategy = strategy
        self.strategies = strategies
        self.handler = handler
        self.sets = sets
        self.tombstoneLife = tombstoneLife
        self.allowsIntrospection = allowsIntrospection
        self.dropsOldIndexes = dropsOldIndexes
        self.limits = limits
        self.report = report
    }

    /// ``tombstoneLife`` in seconds, within a thousand years, so that it can be added to any time.
    var tombstoneSeconds: Int64 { min(max(0, tombstoneLife.components.seconds), 1_000 * 366 * 86_400) }
}

/// What a request or a frame brings to prove who sends it.
public struct Credentials: Sendable {
    /// The headers, by their names in lower case.
    public var headers: [String: String]
    /// The bytes that a signature covers.
    public var body: [UInt8]

    /// Creates credentials.
    public init(headers: [String: String], body: [UInt8] = []) {
        self.headers = headers
        self.body = body
    }

    /// The credentials of a request that opens a connection, from each of the three places where clients put them.
    ///
    /// - Parameters:
    ///   - headers: The headers, by their names in lower case.
    ///   - parameters: The parameters of the address.
    public init(headers: [String: String], parameters: [String: String]) {
        self.init(headers: headers, body: Array("{}".utf8))
        let protocols = (headers["sec-websocket-protocol"] ?? "").split { $0 == "," || $0 == " " }
        let carried =
            protocols.first { $0.hasPrefix("header-") }.map { String($0.dropFirst(7)) } ?? parameters["header"]
        guard let carried, carried.utf8.count <= Self.maximumByteCount, let bytes = Base64.bytes(carried),
            let object = try? JSONValue(parsing: bytes).object
        else { return }
        for member in object.members { self.headers[member.name.lowercased()] = member.value.string }
    }

    private static let maximumByteCount = 64 << 10
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// The names of the headers; never what they say.
    public var description: String { "Credentials(\(headers.keys.sorted().joined(separator: ", ")))" }
    /// The names of the headers; never what they say.
    public var debugDescription: String { description }
}

/// The outcome of checking a token or a signature.
///
/// ```swift
/// let options = ServerOptions(
///     defaultMode: .userPools,
///     verify: { credentials in
///         guard let user = sessions[credentials.headers["authorization"] ?? ""] else {
///             return .refused("Sign in again.")
///         }
///         return .verified(Identity(.userPools, claims: ["sub": .string(user)]))
///     })
/// ```
public enum Verification: Sendable {
    /// It proves who sends the request.
    case verified(Identity)
    /// It does not, for a reason that the sender may know, such as `Token has expired.`
    case refused(String)
    /// It cannot be checked at the moment, for a reason that the sender may know; the sender tries again later.
    case unavailable(String)
}

/// A conflict that a handler decides.
///
/// ```swift
/// let options = ServerOptions(
///     apiKeys: ["da2-key"], strategy: .handler,
///     handler: { conflict in
///         var item = conflict.newItem
///         item["title"] = conflict.existingItem["title"]  // the first title stays
///         return .resolve(item)
///     })
/// ```
public struct ConflictRequest: Sendable {
    /// The model.
    public var model: String
    /// The field of the mutation, such as `updatePost`.
    public var field: String
    /// The record as it would be without the conflict, with version and times; its members are those of the API.
    ///
    /// A member is null where the mutation removes the value.
    public var newItem: JSONObject
    /// The record as it is stored.
    public var existingItem: JSONObject
    /// The arguments of the mutation.
    public var arguments: JSONObject
    /// Who sends the mutation.
    public var identity: Identity
}

/// What a handler decides.
public enum ConflictResolution: Sendable, Hashable {
    /// The record becomes this one; its key, version, and times count for nothing, and members it lacks stay.
    case resolve(JSONObject)
    /// The mutation fails as a conflict.
    case reject
    /// The record becomes a tombstone; only for deletions.
    case remove
}

public import HoldfastWire

/// How requests say who makes them.
///
/// ```swift
/// let authorization = SyncAuthorization(headers: { _, _ in
///     .apiKey(key, host: "api.example.com", date: "20261121T080000Z")
/// })
/// let service = SyncService(transport: transport, authorization: authorization)
/// ```
public struct SyncAuthorization: Sendable {
    /// Who is signed in, as a name that never changes; `nil` if no one is.
    ///
    /// Throws if that cannot be said now; the sync engine asks again later.
    public var identity: @Sendable () async throws -> String?
    /// In how many modes a request can be authorized; they are tried in order.
    public var modeCount: Int
    /// How a request is authorized in a mode.
    public var authorize: @Sendable (_ mode: Int, _ request: AuthorizedRequest) async -> Authorization
    /// Other headers in the place of those that the service has refused; `nil` if there are none, so that the refusal
    /// counts.
    ///
    /// Throws if that cannot be said now; the request is then sent later.
    public var renew:
        @Sendable (_ mode: Int, _ request: AuthorizedRequest, _ refused: AuthHeaders) async throws -> AuthHeaders?
    /// The arguments that subscriptions to a model's records need, in a mode.
    public var owners: @Sendable (_ mode: Int, _ model: WireModel) async -> [OwnerArgument]
    /// Those of the user's groups that decide what may be read of some models, in any order.
    ///
    /// When they are others than before, all models are read in full. `WireModel.readingGroups(for:claim:)` finds
    /// them.
    ///
    /// Throws if that cannot be said now; the sync engine asks again later.
    public var groups: @Sendable (_ models: [WireModel]) async throws -> [String]

    /// Creates an authorization; with one mode, without other headers, arguments of owners, and groups by default.
    public init(
        identity: @escaping @Sendable () async throws -> String? = { nil }, modeCount: Int = 1,
        authorize: @escaping @Sendable (_ mode: Int, _ request: AuthorizedRequest) async -> Authorization,
        renew:
            @escaping @Sendable (
                _ mode: Int, _ request: AuthorizedRequest, _ refused: AuthHeaders
            ) async throws -> AuthHeaders? = { _, _, _ in nil },
        owners: @escaping @Sendable (_ mode: Int, _ model: WireModel) async -> [OwnerArgument] = { _, _ in [] },
        groups: @escaping @Sendable (_ models: [WireModel]) async throws -> [String] = { _ in [] }
    ) {
        self.identity = identity
        self.modeCount = modeCount
        self.authorize = authorize
        self.renew = renew
        self.owners = owners
        self.groups = groups
    }

    /// Creates an authorization that needs only the body; `nil` headers say that no one is signed in.
    public init(
        identity: @escaping @Sendable () async throws -> String? = { nil }, modeCount: Int = 1,
        headers: @escaping @Sendable (_ mode: Int, _ body: [UInt8]) async -> AuthHeaders?,
        owners: @escaping @Sendable (WireModel) async -> [OwnerArgument] = { _ in [] }
    ) {
        self.init(
            identity: identity, modeCount: modeCount,
            authorize: { mode, request in await headers(mode, request.body).map { .headers($0) } ?? .signedOut },
            owners: { _, model in await owners(model) })
    }

    /// The headers of a request in a mode.
    ///
    /// - Throws: What the sync core makes of it that there are none.
    func headers(_ mode: Int, _ request: AuthorizedRequest) async throws(ServiceFailure) -> AuthHeaders {
        switch await authorize(mode, request) {
        case .headers(let headers): return headers
        case .notOffered: throw .notOffered
        case .signedOut: throw .unauthorized(isSignedOut: true)
        case .userChanged, .unavailable: throw .unsent
        }
    }

    /// The same authorization, which calls a function when a request finds that someone has signed in.
    func reportingChanges(_ report: @escaping @Sendable () -> Void) -> SyncAuthorization {
        var copy = self
        copy.authorize = { [authorize] mode, request in
            let answer = await authorize(mode, request)
            if answer == .userChanged { report() }
            return answer
        }
        return copy
    }

    /// For whom models are read: a user, with the groups that decide what the user may read.
    ///
    /// - Parameters:
    ///   - user: Who is signed in.
    ///   - models: The models that are read by groups.
    /// - Returns: The user, and after it the groups in order, each on a line; only the user if there are no groups.
    /// - Throws: What ``groups`` throws.
    func readIdentity(of user: String?, for models: [WireModel]) async throws -> String? {
        guard !models.isEmpty else { return user }
        let names = Set(try await groups(models)).sorted()
        return names.isEmpty ? user : ([user ?? ""] + names).joined(separator: "\n")
    }

    /// Other headers for a request that was refused; `nil` if there are none.
    ///
    /// - Throws: What the sync core makes of it that this cannot be said now.
    func headers(
        insteadOf refused: AuthHeaders, _ mode: Int, _ request: AuthorizedRequest
    ) async throws(ServiceFailure) -> AuthHeaders? {
        do {
            return try await renew(mode, request, refused)
        } catch {
            throw .unsent
        }
    }
}

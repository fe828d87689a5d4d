#if Sync
public import HoldfastEngine
internal import HoldfastModel
public import HoldfastStorage
public import HoldfastSync
public import HoldfastWire

/// In which order modes of authorization are tried.
public enum AuthModeOrder: Sendable, Hashable {
    /// In the order in which they are given; the next one is tried when the service refuses one.
    case given
    /// As the rules of each model say for each operation, from functions and owners to everyone.
    ///
    /// What no rule mentions, and sockets, use the modes in the order in which they are given.
    case rules
}

/// Says who makes requests to a service: an ordered list of modes, and the headers for each.
///
/// A user who signs out, or another who signs in, ends the authorization of tokens until `SyncAuthorization.identity`
/// is asked again, at the next start of the sync engine: nothing of one user is sent with the token of another. If no
/// one was signed in, it is asked again as soon as a request finds that someone is. What the user has changed is not
/// sent without the user, either, for instance with a key. Opaque tokens and AWS credentials name no user. They are
/// those of the user whom `identity` or another token names.
///
/// ```swift
/// let authorizer = try RequestAuthorizer(
///     endpoint: endpoint,
///     modes: [.userPools { isRefused in try await session.token(refreshing: isRefused) }, .apiKey(key)],
///     order: .rules)
/// let authorization = authorizer.authorization
/// ```
public final class RequestAuthorizer: Sendable {
    /// The groups of the session's user are not known, since another user is signed in, or no one.
    private struct OtherUser: Error {}

    /// For whom the sync engine works.
    private enum Session: Sendable {
        /// It was not started.
        case notBegun
        /// For a user; `nil` if no one was signed in. Issuers may name the user differently: `names` has what tokens
        /// call the user, by the positions of their modes.
        case begun(user: String?, names: [Int: String])

        /// Whether a name is that of the user; any is before a session.
        ///
        /// - Parameters:
        ///   - name: The name; `nil` for no one.
        ///   - mode: The position of the mode whose token has the name; `nil` if no token has it.
        /// - Returns: Whether it is.
        func has(_ name: String?, in mode: Int?) -> Bool {
            guard case .begun(let user, let names) = self, name != user else { return true }
            return name != nil && mode.flatMap { names[$0] } == name
        }
    }

    /// The modes, the default of the service first.
    public let modes: [AuthMode]
    /// In which order they are tried.
    public let order: AuthModeOrder
    private let endpoint: Endpoint
    private let surroundings: Surroundings
    private let identity: (@Sendable () async -> String?)?
    private let account: (@Sendable () async throws -> String?)?
    private let renewals: [Renewal]
    private let session = Mutex(Session.notBegun)

    /// Creates an authorizer.
    ///
    /// - Parameters:
    ///   - endpoint: The address for GraphQL requests, as ``HTTPSyncConfiguration/endpoint``.
    ///   - modes: The modes, the default of the service first; at least one.
    ///   - order: In which order they are tried.
    ///   - identity: Who is signed in, as a name that never changes. By default the claim `sub` of the first token
    ///     that there is. Give it if several users may sign in and all modes have opaque tokens or AWS credentials:
    ///     otherwise what one of them has changed can be sent as another.
    ///   - surroundings: The clock by which requests are dated.
    /// - Throws: ``HTTPSyncConfigurationError`` if the address cannot be read, no mode is given, or the region of a
    ///   signing mode is neither given nor in the address.
    public convenience init(
        endpoint: String, modes: [AuthMode], order: AuthModeOrder = .given,
        identity: (@Sendable () async -> String?)? = nil, surroundings: Surroundings = .system
    ) throws(HTTPSyncConfigurationError) {
        try self.init(
            endpoint: endpoint, modes: modes, order: order, identity: identity, account: nil, surroundings: surroundings
        )
    }

    /// Creates an authorizer, as above, that asks `account` for the user whom no token names.
    package init(
        endpoint: String, modes: [AuthMode], order: AuthModeOrder, identity: (@Sendable () async -> String?)? = nil,
        account: (@Sendable () async throws -> String?)?, surroundings: Surroundings = .system
    ) throws(HTTPSyncConfigurationError) {
        self.endpoint = try Endpoint(endpoint)
        guard !modes.isEmpty else { throw HTTPSyncConfigurationError("no mode of authorization; give one, or .none") }
        for case .iam(nil, _) in modes where self.endpoint.awsRegion == nil {
            throw HTTPSyncConfigurationError("the address names no region of AWS; give .iam its region")
        }
        self.modes = modes
        self.order = order
        self.identity = identity
        self.account = account
        self.surroundings = surroundings
        renewals = modes.map { _ in Renewal() }
    }

    /// The authorization for a sync engine.
    public var authorization: SyncAuthorization {
        SyncAuthorization(
            identity: { try await self.beginSession() },
            // One more than there are modes, so that it can report at the end that a user must sign in.
            modeCount: modes.contains(where: \.needsUser) ? modes.count + 1 : modes.count,
            authorize: { await self.authorize($1, attempt: $0) },
            renew: { attempt, request, refused in
                guard let mode = await self.candidates(for: request).element(attempt) else { return nil }
                return try await self.renew(request, in: mode, refused: refused)
            },
            owners: { attempt, model in
                let request = AuthorizedRequest(.subscription, body: [], model: model)
                guard let mode = await self.candidates(for: request).element(attempt) else { return [] }
                return await self.owners(of: model, in: mode)
            },
            groups: { try await self.groups(for: $0) })
    }

    /// The modes in which a request is tried, as positions in ``modes``, the first one first.
    ///
    /// - Parameter request: The request; with ``AuthModeOrder/rules`` its model and operation decide.
    /// - Returns: The positions, possibly none; all of them if the order is not ``AuthModeOrder/rules`` or the request
    ///   has no model.
    public func candidates(for request: AuthorizedRequest) async -> [Int] {
        guard order == .rules, let model = request.model else { return Array(modes.indices) }
        let providers = model.authModes(for: request.operation, isSignedIn: await isSignedIn())
        guard !providers.isEmpty || !model.authModes(for: request.operation, isSignedIn: true).isEmpty else {
            return [0]
        }
        return providers.compactMap { provider in modes.firstIndex { $0.provider == provider } }
    }

    private func authorize(_ request: AuthorizedRequest, attempt: Int) async -> Authorization {
        // With a key, the service would take a change of the user for one of no one.
        if await hasSignedIn() { return .userChanged }
        let candidates = await candidates(for: request)
        if let mode = candidates.element(attempt) { return await authorize(request, in: mode) }
        // All were refused. What a user has done or might do waits for the user, instead of being given up.
        let providers = request.model?.authModes(for: request.operation, isSignedIn: true)
        let needsUser = modes.contains { mode in
            mode.needsUser && providers?.contains { $0 == mode.provider } ?? true
        }
        guard needsUser || request.user != nil else { return .notOffered }
        return await canProve(request, in: candidates) ? .notOffered : .signedOut
    }

    /// Whether the user of the session is signed in, and has a token for some mode, not only one of the candidates: one
    /// whose session has expired is still signed in.
    private func canProve(_ request: AuthorizedRequest, in candidates: [Int]) async -> Bool {
        guard await isSignedIn() else { return false }
        if !candidates.contains(where: { modes[$0].needsUser }) { return true }
        for mode in modes.indices where modes[mode].needsUser {
            do {
                if try await headers(of: request, in: mode) != nil { return true }
            } catch {
                // There may be one later.
                return true
            }
        }
        return false
    }

    /// The headers of a request in a mode.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - mode: The mode's position in ``modes``.
    /// - Returns: The headers; `.signedOut` if no one is signed in, or another user than that of the session;
    ///   `.unavailable` if asking for the token or the credentials fails.
    public func authorize(_ request: AuthorizedRequest, in mode: Int) async -> Authorization {
        // With a key, the service would take a change of the user for one of no one.
        if request.user != nil, !(await isSignedIn()) { return .signedOut }
        do {
            return try await headers(of: request, in: mode).map { .headers($0) } ?? .signedOut
        } catch {
            return .unavailable
        }
    }

    /// The headers of a request in a mode; `nil` if no one is signed in, or another user than that of the session.
    ///
    /// - Throws: What a ``TokenProvider`` throws.
    private func headers(of request: AuthorizedRequest, in mode: Int) async throws -> AuthHeaders? {
        switch modes[mode] {
        case .none: return AuthHeaders([AuthHeaders.Header("host", endpoint.authority)])
        case .apiKey(let key): return .apiKey(key, host: endpoint.authority, date: date)
        case .userPools(let token), .oidc(let token), .function(let token):
            guard let token = try await token(false), try await isOfSession(token, in: mode) else { return nil }
            return .token(token, host: endpoint.authority)
        case .iam(let region, let credentials):
            guard let credentials = try await credentials(false), try await isOfSession(nil, in: mode) else {
                return nil
            }
            let region = region ?? endpoint.awsRegion ?? ""
            return .signed(request, endpoint, region: region, date: date, credentials)
        }
    }

    /// Other headers for a request that the service has refused, after another token was asked for.
    ///
    /// Of several requests that were refused at once, one asks. If there is another token already, it is used.
    ///
    /// - Parameters:
    ///   - request: The request that was refused.
    ///   - mode: The mode's position in ``modes``.
    ///   - refused: The headers that were refused.
    /// - Returns: `nil` if there are no others, so that the refusal counts.
    /// - Throws: What the ``TokenProvider`` throws, so that the refusal does not count: there may be others later.
    public func renew(
        _ request: AuthorizedRequest, in mode: Int, refused: AuthHeaders
    ) async throws -> AuthHeaders? {
        if case .apiKey = modes[mode] { return nil }
        if case .none = modes[mode] { return nil }
        if let headers = try await other(than: refused, for: request, in: mode) { return headers }
        try await renewals[mode].run { [modes] in
            switch modes[mode] {
            case .userPools(let token), .oidc(let token), .function(let token): _ = try await token(true)
            case .iam(_, let credentials): _ = try await credentials(true)
            case .apiKey, .none: break
            }
        }
        return try await other(than: refused, for: request, in: mode)
    }

    private func other(
        than refused: AuthHeaders, for request: AuthorizedRequest, in mode: Int
    ) async throws -> AuthHeaders? {
        let headers = try await headers(of: request, in: mode)
        return headers?.secret == refused.secret ? nil : headers
    }

    private var date: String { SignatureV4.date(wallMicroseconds: surroundings.wallMicroseconds()) }

    // MARK: - The user

    /// Who is signed in: from now on only requests of this user are authorized.
    ///
    /// - Throws: What a ``TokenProvider`` throws.
    private func beginSession() async throws -> String? {
        let (user, namingMode) = try await user()
        var names: [Int: String] = [:]
        if let namingMode { names[namingMode] = user }
        if identity == nil, user != nil {
            for (position, mode) in modes.enumerated() where position != namingMode {
                names[position] = (try? await mode.token()).flatMap { TokenClaims($0) }?["sub"]
            }
        }
        // A session that was ended meanwhile must not authorize requests of the next one.
        try Task.checkCancellation()
        session.withLock { $0 = .begun(user: user, names: names) }
        return user
    }

    /// Who is signed in.
    ///
    /// - Parameter known: The position of a mode whose token names no user; `nil` to ask for the tokens of all.
    /// - Returns: The user's name, `nil` if no one is signed in, and the position of the mode whose token has it.
    /// - Throws: What a ``TokenProvider`` throws.
    private func user(besides known: Int? = nil) async throws -> (name: String?, mode: Int?) {
        if let identity { return (await identity(), nil) }
        for (position, mode) in modes.enumerated() where position != known {
            if let token = try await mode.token(), let user = TokenClaims(token)?["sub"] { return (user, position) }
        }
        return (try await account?(), nil)
    }

    /// Whether a token, or credentials if it is `nil`, belongs to the user of the session.
    ///
    /// Those that name no user belong to the one who is signed in.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - mode: The position of its mode.
    /// - Returns: Whether it does; `true` before a session.
    /// - Throws: What a ``TokenProvider`` throws.
    private func isOfSession(_ token: String?, in mode: Int) async throws -> Bool {
        let session = session.withLock { $0 }
        if case .notBegun = session { return true }
        if identity == nil, let name = token.flatMap({ TokenClaims($0) })?["sub"] {
            return session.has(name, in: mode)
        }
        let user = try await user(besides: mode)
        return session.has(user.name, in: user.mode)
    }

    /// Whether someone has signed in since the session began with no one.
    private func hasSignedIn() async -> Bool {
        guard case .begun(user: nil, _) = session.withLock({ $0 }) else { return false }
        return (try? await user())?.name != nil
    }

    /// Whether the user of the session is signed in, or before a session anyone.
    private func isSignedIn() async -> Bool {
        do {
            let user = try await user()
            return user.name != nil && session.withLock { $0 }.has(user.name, in: user.mode)
        } catch {
            // A user who cannot get a token now is still signed in.
            return true
        }
    }

    /// The arguments with which a subscription says whose records it wants.
    ///
    /// - Parameters:
    ///   - model: The model of the subscription.
    ///   - mode: The mode's position in ``modes``.
    /// - Returns: The arguments by the model's rules; none if the mode needs no user or has no token.
    public func owners(of model: WireModel, in mode: Int) async -> [OwnerArgument] {
        guard modes[mode].needsUser, let token = try? await modes[mode].token() else { return [] }
        let claims = TokenClaims(token)
        return model.ownerArguments(
            for: modes[mode].provider, groups: claims?.groups(by: "cognito:groups") ?? [], claim: { claims?[$0] })
    }

    /// Those of the user's groups that decide what may be read of some models.
    ///
    /// - Throws: What a ``TokenProvider`` throws; an error if the user of the session is not signed in.
    private func groups(for models: [WireModel]) async throws -> [String] {
        var groups: [String] = []
        // Other modes are not asked: their tokens may not be there now.
        for (position, mode) in modes.enumerated()
        where mode.needsUser && models.contains(where: { $0.isReadByGroups(for: mode.provider) }) {
            let token = try await mode.token()
            guard try await isOfSession(token, in: position) else { throw OtherUser() }
            guard let claims = token.flatMap({ TokenClaims($0) }) else { continue }
            groups += models.flatMap { $0.readingGroups(for: mode.provider) { claims.groups(by: $0) } }
        }
        return groups
    }
}

extension AuthMode {
    /// The token of the mode; `nil` if it has none, or no one is signed in.
    fileprivate func token() async throws -> String? {
        switch self {
        case .userPools(let token), .oidc(let token), .function(let token): try await token(false)
        case .apiKey, .iam, .none: nil
        }
    }
}

extension [Int] {
    fileprivate func element(_ position: Int) -> Int? { indices.contains(position) ? self[position] : nil }
}
#endif

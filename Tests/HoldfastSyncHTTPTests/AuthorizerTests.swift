#if Sync
import Foundation
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastSync
import HoldfastSyncHTTP
import HoldfastWire
import Testing

@Suite struct AuthorizerTests {
    private static let aws = "https://abcdefghijklmnopqrstuvwxyz.appsync-api.eu-west-1.amazonaws.com/graphql"
    private static let surroundings = Surroundings.system(now: { 1_709_208_000_000_000 })

    private func authorizer(
        _ modes: [AuthMode], _ order: AuthModeOrder = .given, endpoint: String = "https://api.example.com/graphql",
        identity: (@Sendable () async -> String?)? = nil
    ) throws -> RequestAuthorizer {
        try RequestAuthorizer(
            endpoint: endpoint, modes: modes, order: order, identity: identity, surroundings: Self.surroundings)
    }

    private static let query = AuthorizedRequest(.query, body: Array(#"{"query":"{a}"}"#.utf8))

    /// A token of JSON, not signed.
    private static func token(_ claims: String, _ number: Int = 0) -> String {
        let parts = [#"{"alg":"none"}"#, claims].map { part in
            Data(part.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        }
        return parts.joined(separator: ".") + ".\(number)"
    }

    // MARK: - Headers

    @Test func eachModeHasItsHeaders() async throws {
        let modes: [AuthMode] = [
            .apiKey("key"), .userPools { _ in "a" }, .oidc { _ in "b" }, .function { _ in "c" }, .none,
        ]
        let authorizer = try authorizer(modes, endpoint: "https://API.example.com:8443/graphql")
        let host = "api.example.com:8443"
        var found: [Authorization] = []
        for mode in modes.indices { found.append(await authorizer.authorize(Self.query, in: mode)) }
        #expect(
            found == [
                .headers(.apiKey("key", host: host, date: "20240229T120000Z")), .headers(.token("a", host: host)),
                .headers(.token("b", host: host)), .headers(.token("c", host: host)),
                .headers(AuthHeaders([AuthHeaders.Header("host", host)])),
            ])
    }

    @Test(arguments: [
        (
            AuthorizedRequest.Kind.query,
            ["content-type", "host", "x-amz-date", "X-Amz-Security-Token", "Authorization"]
        ),
        (
            .socket,
            [
                "accept", "content-encoding", "content-type", "host", "x-amz-date", "X-Amz-Security-Token",
                "Authorization",
            ]
        ),
        (
            .subscription,
            [
                "accept", "content-encoding", "content-type", "host", "x-amz-date", "X-Amz-Security-Token",
                "Authorization",
            ]
        ),
    ])
    func signedRequestsHaveTheHeadersOfTheirKind(_ kind: AuthorizedRequest.Kind, _ names: [String]) async throws {
        let authorizer = try authorizer(
            [
                .iam(region: nil) { _ in
                    AWSCredentials(accessKeyID: "AKID", secretAccessKey: "s3cret", sessionToken: "session")
                }
            ], endpoint: Self.aws)
        let request = AuthorizedRequest(kind, body: kind == .socket ? Array("{}".utf8) : Self.query.body)
        guard case .headers(let headers) = await authorizer.authorize(request, in: 0) else {
            Issue.record("no headers")
            return
        }
        #expect(headers.headers.map(\.name) == names)
        #expect(headers["host"] == "abcdefghijklmnopqrstuvwxyz.appsync-api.eu-west-1.amazonaws.com")
        #expect(headers["x-amz-security-token"] == "session")
        let signed = names.dropLast().map { $0.lowercased() }.joined(separator: ";")
        #expect(
            headers["authorization"]?.hasPrefix(
                "AWS4-HMAC-SHA256 Credential=AKID/20240229/eu-west-1/appsync/aws4_request, SignedHeaders=\(signed), ")
                == true)
        #expect(headers["authorization"]?.contains("s3cret") == false)
    }

    @Test func unusableModesAreRefused() {
        #expect(throws: HTTPSyncConfigurationError.self) { try authorizer([]) }
        #expect(throws: HTTPSyncConfigurationError.self) { try authorizer([.iam(region: nil) { _ in nil }]) }
        #expect(throws: HTTPSyncConfigurationError.self) { try authorizer([.none], endpoint: "nowhere") }
    }

    // MARK: - Users

    @Test func noUserIsSignedIn() async throws {
        let authorizer = try authorizer([.userPools { _ in nil }, .iam(region: "r") { _ in nil }])
        #expect(try await authorizer.authorization.identity() == nil)
        for mode in 0..<2 { #expect(await authorizer.authorize(Self.query, in: mode) == .signedOut) }
    }

    /// Each issuer has a name of its own for the user.
    @Test func issuersNameTheUserDifferently() async throws {
        let names = Mutex<[String?]>(["ann", "a1"])
        let modes = (0..<2).map { position in
            { @Sendable (_: Bool) in
                names.withLock { $0[position] }.map { Self.token(#"{"sub":"\#($0)"}"#) }
            }
        }
        let keys = AWSCredentials(accessKeyID: "AKID", secretAccessKey: "s3cret", sessionToken: nil)
        let authorizer = try authorizer([.userPools(modes[0]), .oidc(modes[1]), .iam(region: "r") { _ in keys }])
        func authorized() async -> [Bool] {
            var found: [Bool] = []
            for mode in 0..<3 { found.append(await authorizer.authorize(Self.query, in: mode) != .signedOut) }
            return found
        }
        #expect(try await authorizer.authorization.identity() == "ann")
        #expect(await authorized() == [true, true, true])
        // The user has signed out at one of them.
        names.withLock { $0 = [nil, "a1"] }
        #expect(await authorized() == [false, true, true])
        // One of them has another user already.
        names.withLock { $0 = ["ann", "b1"] }
        #expect(await authorized() == [true, false, true])
        names.withLock { $0 = ["ben", "b1"] }
        #expect(await authorized() == [false, false, false])
        #expect(try await authorizer.authorization.identity() == "ben")
        #expect(await authorized() == [true, true, true])
    }

    /// A token that comes during the session may be that of the next user.
    @Test func issuersThatComeLaterMustNameTheUserAlike() async throws {
        let late = Mutex<String?>(nil)
        let authorizer = try authorizer([
            .userPools { _ in Self.token(#"{"sub":"ann"}"#) },
            .oidc { _ in late.withLock { $0 }.map { Self.token(#"{"sub":"\#($0)"}"#) } },
        ])
        #expect(try await authorizer.authorization.identity() == "ann")
        late.withLock { $0 = "ben" }
        #expect(await authorizer.authorize(Self.query, in: 1) == .signedOut)
        late.withLock { $0 = "ann" }
        #expect(await authorizer.authorize(Self.query, in: 1) != .signedOut)
    }

    @Test func tokenThatCannotBeHadNow() async throws {
        struct Offline: Error {}
        let authorizer = try authorizer([.userPools { _ in throw Offline() }])
        #expect(await authorizer.authorize(Self.query, in: 0) == .unavailable)
        await #expect(throws: Offline.self) { _ = try await authorizer.authorization.identity() }
    }

    @Test func sessionThatWasEndedLeavesTheNextOneAsItIs() async throws {
        let user = Mutex("ann")
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let authorizer = try authorizer([
            .userPools { _ in
                let name = user.withLock { $0 }
                if name == "ann" {
                    arrival.yield()
                    // Not ended by a cancellation.
                    await Task { for await _ in releases { break } }.value
                }
                return Self.token(#"{"sub":"\#(name)"}"#)
            }
        ])
        let authorization = authorizer.authorization
        let ended = Task { try await authorization.identity() }
        for await _ in arrivals { break }
        ended.cancel()
        user.withLock { $0 = "ben" }
        #expect(try await authorization.identity() == "ben")
        release.yield()
        await #expect(throws: CancellationError.self) { _ = try await ended.value }
        #expect(await authorization.authorize(0, Self.query) != .signedOut)
    }

    @Test func nothingIsSentWithTheTokenOfAnotherUser() async throws {
        let token = Mutex<String?>(Self.token(#"{"sub":"ann"}"#))
        let authorizer = try authorizer([.userPools { _ in token.withLock { $0 } }])
        let authorization = authorizer.authorization
        #expect(try await authorization.identity() == "ann")
        #expect(await authorization.authorize(0, Self.query) != .signedOut)
        token.withLock { $0 = Self.token(#"{"sub":"ben"}"#) }
        #expect(await authorization.authorize(0, Self.query) == .signedOut)
        #expect(try await authorization.renew(0, Self.query, .token("refused", host: "")) == nil)
        token.withLock { $0 = nil }
        #expect(await authorization.authorize(0, Self.query) == .signedOut)
        token.withLock { $0 = Self.token(#"{"sub":"ann"}"#, 2) }
        #expect(await authorization.authorize(0, Self.query) != .signedOut)
        token.withLock { $0 = Self.token(#"{"sub":"ben"}"#) }
        #expect(try await authorization.identity() == "ben")
        #expect(await authorization.authorize(0, Self.query) != .signedOut)
    }

    /// What names no user itself belongs to the one who is signed in.
    @Test func nothingIsSentWithTheCredentialsOfAnotherUser() async throws {
        let user = Mutex<String?>("ann")
        let authorizer = try authorizer([
            .userPools { _ in user.withLock { $0 }.map { Self.token(#"{"sub":"\#($0)"}"#) } },
            .iam(region: "r") { _ in AWSCredentials(accessKeyID: "AKID", secretAccessKey: "s3cret") },
            .function { _ in "opaque" }, .apiKey("key"),
        ])
        #expect(try await authorizer.authorization.identity() == "ann")
        func isRefused(_ mode: Int) async -> Bool { await authorizer.authorize(Self.query, in: mode) == .signedOut }
        let users: [(String?, Bool)] = [("ann", false), ("ben", true), (nil, true), ("ann", false)]
        for (name, isExpected) in users {
            user.withLock { $0 = name }
            for mode in 0..<3 { #expect(await isRefused(mode) == isExpected) }
            // The key is that of the application.
            #expect(await !isRefused(3))
        }
        user.withLock { $0 = "ben" }
        #expect(try await authorizer.authorization.identity() == "ben")
        for mode in 0..<3 { #expect(await !isRefused(mode)) }
    }

    /// The service would take it for a change of no one.
    @Test(arguments: [AuthModeOrder.given, .rules])
    func nothingThatAUserChangedIsSentWithoutTheUser(_ order: AuthModeOrder) async throws {
        let user = Mutex<String?>("ann")
        let authorization = try authorizer(
            [
                .userPools { _ in user.withLock { $0 }.map { Self.token(#"{"sub":"\#($0)"}"#) } }, .apiKey("key"),
            ], order
        ).authorization
        #expect(try await authorization.identity() == "ann")
        let key = Authorization.headers(.apiKey("key", host: "api.example.com", date: "20240229T120000Z"))
        let model = try Self.model([AuthRule(allow: .owner), AuthRule(allow: .public)])
        let ofKeys = try Self.model([AuthRule(allow: .public)])
        let changes = [model, ofKeys].map {
            AuthorizedRequest(.query, body: [], model: $0, operation: .create, user: "ann")
        }
        // The service has refused the token.
        #expect(await authorization.authorize(1, changes[0]) == key)
        for other in ["ben", nil] as [String?] {
            user.withLock { $0 = other }
            for attempt in 0..<authorization.modeCount {
                for change in changes { #expect(await authorization.authorize(attempt, change) == .signedOut) }
            }
            let reading = AuthorizedRequest(.query, body: [], model: model)
            #expect(await authorization.authorize(order == .given ? 1 : 0, reading) == key)
        }
    }

    @Test func ownIdentityCounts() async throws {
        let user = Mutex<String?>("ann")
        let authorizer = try authorizer(
            [.function { _ in "opaque" }], identity: { user.withLock { $0 } })
        #expect(try await authorizer.authorization.identity() == "ann")
        #expect(await authorizer.authorize(Self.query, in: 0) != .signedOut)
        user.withLock { $0 = "ben" }
        #expect(await authorizer.authorize(Self.query, in: 0) == .signedOut)
    }

    /// Who signed in is still known, and has no token any longer: the change waits, and is not given up.
    @Test(arguments: [AuthModeOrder.given, .rules]) func aUserWithoutATokenHasToSignInAgain(
        _ order: AuthModeOrder
    ) async throws {
        let token = Mutex<String?>("opaque")
        let authorization = try authorizer(
            [.userPools { _ in token.load() }, .apiKey("key")], order, identity: { "ann" }
        ).authorization
        #expect(try await authorization.identity() == "ann")
        let model = try Self.model([AuthRule(allow: .owner)])
        let change = AuthorizedRequest(.query, body: [], model: model, operation: .update, user: "ann")
        let last = order == .given ? 2 : 1
        #expect(await authorization.authorize(last, change) == .notOffered)
        token.store(nil)
        #expect(await authorization.authorize(0, change) == .signedOut)
        #expect(await authorization.authorize(last, change) == .signedOut)
    }

    /// Another kind of user may read the model; waiting for this one would end the session.
    @Test func aUserOfOneKindIsNotAskedToSignInAsAnother() async throws {
        let authorization = try authorizer(
            [.userPools { _ in "opaque" }, .oidc { _ in nil }], .rules, identity: { "ann" }
        ).authorization
        #expect(try await authorization.identity() == "ann")
        let model = try Self.model([AuthRule(allow: .private, provider: .oidc)])
        let reading = AuthorizedRequest(.query, body: [], model: model)
        #expect(await authorization.authorize(1, reading) == .notOffered)
    }

    /// Requests of a guest's session would be made with a key, also those of the user who has signed in meanwhile.
    @Test(arguments: [AuthModeOrder.given, .rules]) func aSessionOfAGuestEndsWhenSomeoneSignsIn(
        _ order: AuthModeOrder
    ) async throws {
        let user = Mutex<String?>(nil)
        let authorization = try authorizer(
            [.apiKey("key"), .userPools { _ in user.load().map { Self.token(#"{"sub":"\#($0)"}"#) } }], order
        ).authorization
        #expect(await authorization.authorize(0, Self.query) != .userChanged)
        #expect(try await authorization.identity() == nil)
        #expect(await authorization.authorize(0, Self.query) != .userChanged)
        user.store("ann")
        #expect(await authorization.authorize(0, Self.query) == .userChanged)
        #expect(try await authorization.identity() == "ann")
        #expect(await authorization.authorize(0, Self.query) != .userChanged)
        user.store("ben")
        #expect(await authorization.authorize(1, Self.query) == .signedOut)
    }

    // MARK: - Rules

    private static func model(_ rules: AuthRules) throws -> WireModel {
        let fields = [
            ModelField(name: "id", type: .string, isRequired: true), ModelField(name: "owner", type: .string),
        ]
        let schema = ModelSchema(
            name: "Note", authRules: rules, attributes: [.primaryKey(fields: ["id"])],
            fields: Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) }))
        return try WireModel(schema, among: ["Note": schema])
    }

    private static let ann = token(
        #"{"sub":"1-2","username":"ann","cognito:groups":["Staff"],"roles":"Chief","jobs":"[\"Cook\"]"}"#)

    /// A key, a pool with or without a user, and AWS credentials.
    private func modes(isSignedIn: Bool) -> [AuthMode] {
        [
            .apiKey("key"), .userPools { _ in isSignedIn ? Self.ann : nil },
            .iam(region: "r") { _ in AWSCredentials(accessKeyID: "AKID", secretAccessKey: "s3cret") },
        ]
    }

    @Test(arguments: [
        ([AuthRule(allow: .public), AuthRule(allow: .owner)], true, [1, 0]),
        ([AuthRule(allow: .public), AuthRule(allow: .owner)], false, [0]),
        ([AuthRule(allow: .public, provider: .iam), AuthRule(allow: .private)], true, [1, 2]),
        ([AuthRule(allow: .owner)], false, []), ([AuthRule(allow: .private, provider: .oidc)], true, []),
        ([AuthRule(allow: .owner, operations: [.create])], true, [0]), ([], true, [0]), ([], false, [0]),
    ])
    func rulesDecideTheOrder(_ rules: [AuthRule], _ isSignedIn: Bool, _ expected: [Int]) async throws {
        let authorizer = try authorizer(modes(isSignedIn: isSignedIn), .rules)
        let request = AuthorizedRequest(.query, body: [], model: try Self.model(rules))
        #expect(await authorizer.candidates(for: request) == expected)
        // What is about no model takes the modes as they are.
        #expect(await authorizer.candidates(for: AuthorizedRequest(.socket, body: [])) == [0, 1, 2])
    }

    /// What could be done by a user waits for one, instead of being given up.
    @Test(arguments: [
        ([AuthRule(allow: .owner)], false, Authorization.signedOut),
        ([AuthRule(allow: .owner), AuthRule(allow: .public)], false, .signedOut),
        ([AuthRule(allow: .owner)], true, .notOffered), ([AuthRule(allow: .public)], false, .notOffered),
    ])
    func theLastModeAnswersByTheRules(_ rules: [AuthRule], _ isSignedIn: Bool, _ expected: Authorization) async throws {
        let request = AuthorizedRequest(.query, body: [], model: try Self.model(rules), operation: .update)
        for order in [AuthModeOrder.rules, .given] {
            let authorization = try authorizer(modes(isSignedIn: isSignedIn), order).authorization
            #expect(authorization.modeCount == 4)
            #expect(await authorization.authorize(3, request) == expected)
        }
    }

    @Test func attemptsFollowTheRules() async throws {
        let authorization = try authorizer(modes(isSignedIn: true), .rules).authorization
        let request = AuthorizedRequest(
            .query, body: [], model: try Self.model([AuthRule(allow: .public), AuthRule(allow: .owner)]))
        #expect(await authorization.authorize(0, request) == .headers(.token(Self.ann, host: "api.example.com")))
        guard case .headers(let headers) = await authorization.authorize(1, request) else {
            Issue.record("no headers")
            return
        }
        #expect(headers["x-api-key"] == "key")
        #expect(await authorization.authorize(2, request) == .notOffered)
    }

    @Test(
        arguments: [
            ([AuthRule(allow: .owner)], 0, ["ann"]), ([AuthRule(allow: .owner, identityClaim: "sub")], 0, ["1-2"]),
            ([AuthRule(allow: .owner), AuthRule(allow: .groups, groups: ["Staff"])], 0, []),
            ([AuthRule(allow: .owner), AuthRule(allow: .private, operations: [.read])], 0, []),
            ([AuthRule(allow: .owner, identityClaim: "sub::username")], 0, []),
            ([AuthRule(allow: .owner, identityClaim: "email")], 0, []),
            ([AuthRule(allow: .owner), AuthRule(allow: .public)], 1, []), ([], 0, []),
        ] as [(AuthRules, Int, [String])])
    func subscriptionsNameTheOwnersThatTheirRuleNeeds(
        _ rules: [AuthRule], _ attempt: Int, _ expected: [String]
    ) async throws {
        let authorization = try authorizer(modes(isSignedIn: true), .rules).authorization
        let owners = await authorization.owners(attempt, try Self.model(rules))
        #expect(owners == expected.map { OwnerArgument(name: "owner", value: $0) })
    }

    @Test(
        arguments: [
            ([AuthRule(allow: .owner)], []), ([AuthRule(allow: .groups, groups: ["Other"])], []),
            ([AuthRule(allow: .groups, groups: ["Other", "Staff"])], ["cognito:groups Staff"]),
            ([AuthRule(allow: .groups, groupsField: "teams")], ["cognito:groups Staff"]),
            ([AuthRule(allow: .groups, groupClaim: "roles", groupsField: "teams")], ["roles Chief"]),
            ([AuthRule(allow: .groups, groupClaim: "jobs", groupsField: "teams")], ["jobs Cook"]),
            ([AuthRule(allow: .groups, groups: ["Staff"], operations: [.update])], []),
            ([AuthRule(allow: .groups, groups: ["Staff"], provider: .oidc)], []),
        ] as [(AuthRules, [String])])
    func groupsOfRulesAboutReadingAreNamed(_ rules: AuthRules, _ expected: [String]) async throws {
        let authorization = try authorizer(modes(isSignedIn: true), .rules).authorization
        #expect(try await authorization.groups([try Self.model(rules)]) == expected)
    }

    /// Of those who are not signed in, the groups are not known.
    @Test func groupsAreThoseOfTheSession() async throws {
        let token = Mutex<String?>(Self.ann)
        let authorizer = try authorizer([.userPools { _ in token.withLock { $0 } }])
        let authorization = authorizer.authorization
        let model = try Self.model([AuthRule(allow: .groups, groups: ["Staff"])])
        #expect(try await authorization.identity() == "1-2")
        #expect(try await authorization.groups([model]) == ["cognito:groups Staff"])
        for other in [Self.token(#"{"sub":"ben","cognito:groups":["Staff"]}"#), nil] {
            token.withLock { $0 = other }
            await #expect(throws: (any Error).self) { _ = try await authorization.groups([model]) }
        }
    }

    // MARK: - Renewal

    private final class Box<Value: Sendable>: Sendable {
        let value: Mutex<Value>

        init(_ value: Value) { self.value = Mutex(value) }
    }

    /// A user pool: a token stays the same until another is asked for.
    private final class Pool: Sendable {
        private let state = Mutex((number: 0, renewals: 0, canRenew: true))

        init(canRenew: Bool = true) { state.withLock { $0.canRenew = canRenew } }

        var renewals: Int { state.withLock { $0.renewals } }

        func token(_ isRefused: Bool) -> String {
            state.withLock { state in
                if isRefused {
                    state.renewals += 1
                    if state.canRenew { state.number += 1 }
                }
                return "token \(state.number)"
            }
        }
    }

    @Test func refusedTokenIsRenewedOnce() async throws {
        let pool = Pool()
        let authorizer = try authorizer([.oidc { pool.token($0) }])
        let first = AuthHeaders.token("token 0", host: "api.example.com")
        let second = AuthHeaders.token("token 1", host: "api.example.com")
        #expect(try await authorizer.renew(Self.query, in: 0, refused: first) == second)
        #expect(pool.renewals == 1)
        // Another request was refused with the same token, and hears of the refusal later.
        #expect(try await authorizer.renew(Self.query, in: 0, refused: first) == second)
        #expect(pool.renewals == 1)
    }

    /// A provider that has an expired token, and cannot get another one now.
    @Test func failedRenewalIsNotARefusal() async throws {
        struct Offline: Error {}
        let mode = AuthMode.userPools { isRefused in
            if isRefused { throw Offline() }
            return "expired"
        }
        let authorizer = try authorizer([mode])
        let refused = AuthHeaders.token("expired", host: "api.example.com")
        await #expect(throws: Offline.self) { try await authorizer.renew(Self.query, in: 0, refused: refused) }
        await #expect(throws: Offline.self) {
            try await authorizer.authorization.renew(0, Self.query, refused)
        }
    }

    @Test func tokenThatStaysTheSameIsNotSentAgain() async throws {
        let pool = Pool(canRenew: false)
        let authorizer = try authorizer([.userPools { pool.token($0) }])
        #expect(
            try await authorizer.renew(Self.query, in: 0, refused: .token("token 0", host: "api.example.com")) == nil)
        #expect(pool.renewals == 1)
    }

    @Test func requestsThatAreRefusedAtOnceShareOneRenewal() async throws {
        let (token, renewals) = (Box("old"), Box(0))
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let authorizer = try authorizer([
            .userPools { isRefused in
                guard isRefused else { return token.value.withLock { $0 } }
                renewals.value.withLock { $0 += 1 }
                arrival.yield()
                for await _ in releases { break }
                token.value.withLock { $0 = "new" }
                return "new"
            }
        ])
        let refused = AuthHeaders.token("old", host: "api.example.com")
        let found = try await withThrowingTaskGroup(of: AuthHeaders?.self) { group in
            for _ in 0..<8 { group.addTask { try await authorizer.renew(Self.query, in: 0, refused: refused) } }
            for await _ in arrivals { break }
            release.yield()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found == Array(repeating: .token("new", host: "api.example.com"), count: 8))
        #expect(renewals.value.withLock { $0 } == 1)
    }

    @Test func signaturesOfTheSameCredentialsAreNotAnotherSecret() async throws {
        let now = Mutex<Int64>(0)
        let authorizer = try RequestAuthorizer(
            endpoint: Self.aws,
            modes: [.iam(region: nil) { _ in AWSCredentials(accessKeyID: "AKID", secretAccessKey: "s3cret") }],
            surroundings: .system(now: { now.withLock { $0 } }))
        guard case .headers(let refused) = await authorizer.authorize(Self.query, in: 0) else {
            Issue.record("No headers were returned.")
            return
        }
        now.withLock { $0 += 1_000_000 }
        #expect(await authorizer.authorize(Self.query, in: 0) != .headers(refused))
        #expect(try await authorizer.renew(Self.query, in: 0, refused: refused) == nil)
    }

    @Test func modesWithoutUsersEndAtTheLast() throws {
        #expect(try authorizer([.apiKey("key"), .none]).authorization.modeCount == 2)
    }

    @Test func keysAreNotRenewed() async throws {
        let authorizer = try authorizer([.apiKey("key"), .none])
        for mode in 0..<2 {
            #expect(try await authorizer.renew(Self.query, in: mode, refused: AuthHeaders()) == nil)
        }
    }
}
#endif

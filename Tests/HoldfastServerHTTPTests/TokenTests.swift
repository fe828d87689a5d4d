#if Server
import HoldfastSchema
import HoldfastServer
@testable import HoldfastServerHTTP
import HoldfastStorage
import HoldfastWire
import NIOHTTP1
import JWTKit
import Testing

@Suite struct TokenTests {
    private static let issuer = "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Pool"
    private static let now: Int64 = 1_700_000_000

    /// An issuer whose keys the test changes, and a clock that it moves.
    private final class World: Sendable {
        private struct State {
            var set: [UInt8]?
            var readings = 0
            var microseconds = TokenTests.now * 1_000_000
        }
        private let state = Mutex(State())

        var readings: Int { state.withLock { $0.readings } }

        /// Publishes keys by their names; `nil` for an issuer that does not answer.
        func publish(_ keys: [String: ES256PrivateKey]?) {
            let set = keys.map { keys in
                let all = keys.map { name, key -> WireValue in
                    let point = key.parameters!
                    return [
                        "kty": "EC", "crv": "P-256", "kid": .string(name), "x": .string(point.x), "y": .string(point.y),
                    ]
                }
                // A key for another purpose, and one of a kind that is not known.
                let others: [WireValue] = [["kty": "RSA", "use": "enc", "kid": "enc"], ["kty": "new", "kid": "new"]]
                return (["keys": .array(others + all)] as WireValue).bytes
            }
            state.withLock { $0.set = set }
        }

        /// The key set that is published.
        func set() throws -> [UInt8] { try #require(state.withLock { $0.set }) }

        func advance(_ seconds: Int64) { state.withLock { $0.microseconds += seconds * 1_000_000 } }

        var keys: TokenKeys {
            .set {
                try self.state.withLock { state in
                    state.readings += 1
                    guard let set = state.set else { throw CancellationError() }
                    return set
                }
            }
        }

        var surroundings: Surroundings {
            Surroundings(
                wallMicroseconds: { self.state.withLock { $0.microseconds } },
                uptime: { .microseconds(self.state.withLock { $0.microseconds }) }, sleep: { _ in }, random: { 1 })
        }

        func verifier(clients: Set<String> = [], keys: TokenKeys? = nil) -> CredentialVerifier {
            CredentialVerifier(tokens: [
                TokenVerifier(
                    issuer: TokenTests.issuer, clients: clients, keys: keys ?? self.keys, surroundings: surroundings)
            ])
        }
    }

    private struct Claims: JWTPayload {
        var iss = TokenTests.issuer
        var sub = "alice"
        var exp = TokenTests.now + 3_600
        var nbf: Int64?
        var iat: Int64? = TokenTests.now
        var aud: [String]?
        var client_id: String?
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    private static func token(_ key: ES256PrivateKey, named name: String?) async throws -> String {
        try await token(Claims(), key, named: name)
    }

    private static func token(
        _ change: (inout Claims) -> Void, _ key: ES256PrivateKey, named name: String
    ) async throws -> String {
        var claims = Claims()
        change(&claims)
        return try await token(claims, key, named: name)
    }

    private static func token(_ claims: Claims, _ key: ES256PrivateKey, named name: String?) async throws
        -> String
    {
        let keys = await JWTKeyCollection().add(ecdsa: key, kid: name.map(JWKIdentifier.init(string:)))
        return try await keys.sign(claims, kid: name.map(JWKIdentifier.init(string:)))
    }

    private static func outcome(_ verifier: CredentialVerifier, _ token: String) async -> String {
        switch await verifier.verify(Credentials(headers: ["authorization": token])) {
        case .verified(let identity): "\(identity.mode.rawValue) \(identity.claims["sub"]?.string ?? "")"
        case .refused(let message): message
        case .unavailable(let message): message
        }
    }

    private static let accepted = "AMAZON_COGNITO_USER_POOLS alice"
    private static let unknown = "The keys of the issuer cannot be read at the moment."
    private static let unreadable = "Unable to parse JWT token."
    private static let unauthorized = "You are not authorized to make this call."

    /// A signature is checked once; the claims of the token each time.
    @Test func remembersTokensUntilTheKeysAreReadAgain() async throws {
        let world = World()
        let key = ES256PrivateKey()
        world.publish(["a": key])
        let keys = world.keys
        let verifier = world.verifier(keys: keys)
        var claims = Claims()
        claims.exp = Self.now + 10_000
        let token = try await Self.token(claims, key, named: "a")
        for _ in 0..<3 { #expect(await Self.outcome(verifier, token) == Self.accepted) }
        #expect(await keys.checkCount == 1)
        // Another signature under the same claims is another token.
        let forged = token.dropLast(4) + (token.hasSuffix("AAAA") ? "BBBB" : "AAAA")
        for _ in 0..<2 { #expect(await Self.outcome(verifier, String(forged)) == Self.unreadable) }
        #expect(await keys.checkCount == 3)
        world.advance(3_601)
        // No one waits for the keys that are read again.
        #expect(await Self.outcome(verifier, token) == Self.accepted)
        #expect(await keys.checkCount == 3)
        await keys.waitForReading()
        #expect(await Self.outcome(verifier, token) == Self.accepted)
        #expect(await keys.checkCount == 4)
        // A token that is remembered ends in its time.
        world.advance(10_000)
        #expect(await Self.outcome(verifier, token) == "Token has expired.")
        // A key that its issuer takes back ends the tokens that it signed.
        let other = try await Self.token({ $0.exp = Self.now + 100_000 }, key, named: "a")
        await keys.waitForReading()
        #expect(await Self.outcome(verifier, other) == Self.accepted)
        world.publish(["b": ES256PrivateKey()])
        world.advance(3_601)
        #expect(await Self.outcome(verifier, other) == Self.accepted)
        await keys.waitForReading()
        #expect(await Self.outcome(verifier, other) == Self.unreadable)
    }

    @Test func readsKeysThatAnIssuerDescribes() async throws {
        let world = World()
        let key = ES256PrivateKey()
        world.publish(["a": key])
        let set = try world.set()
        let token = try await Self.token(key, named: "a")
        let location = "https://keys.example.com/set"
        let descriptions: [(WireValue, String)] = [
            (["issuer": .string(Self.issuer), "jwks_uri": .string(location)], Self.accepted),
            // The description of another issuer, keys that can be changed on the way, and none.
            (["issuer": "https://other.example.com", "jwks_uri": .string(location)], Self.unknown),
            (["issuer": .string(Self.issuer), "jwks_uri": "http://keys.example.com/set"], Self.unknown),
            (["issuer": .string(Self.issuer)], Self.unknown),
        ]
        for (description, expected) in descriptions {
            let asked = Mutex<[String]>([])
            let keys = TokenKeys.issuer(Self.issuer) { address in
                asked.withLock { $0.append(address) }
                return address == location ? set : description.bytes
            }
            let verifier = CredentialVerifier(tokens: [
                TokenVerifier(issuer: Self.issuer, keys: keys, surroundings: world.surroundings)
            ])
            #expect(await Self.outcome(verifier, token) == expected)
            let addresses = asked.withLock { $0 }
            #expect(addresses.first == Self.issuer + "/.well-known/openid-configuration")
            #expect(addresses.count == (expected == Self.accepted ? 2 : 1))
        }
    }

    @Test func acceptsTokensOfTheIssuer() async throws {
        let world = World()
        let key = ES256PrivateKey()
        world.publish(["a": key])
        let verifier = world.verifier()
        for name in ["a", nil] {
            let token = try await Self.token(key, named: name)
            #expect(await Self.outcome(verifier, token) == Self.accepted)
            #expect(await Self.outcome(verifier, "Bearer " + token) == Self.accepted)
        }
        #expect(world.readings == 1)
    }

    @Test func refusesWhatTheIssuerHasNotSigned() async throws {
        let world = World()
        let key = ES256PrivateKey()
        world.publish(["a": key])
        let verifier = world.verifier()
        let token = try await Self.token(key, named: "a")
        let parts = token.split(separator: ".")
        let forged = try await Self.token(Claims(sub: "bob"), ES256PrivateKey(), named: "a")
        let others = forged.split(separator: ".")
        for wrong in [
            forged, "\(others[0]).\(others[1]).\(parts[2])", "\(parts[0]).\(others[1]).\(parts[2])",
            "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])", "eyJhbGciOiJub25lIn0.\(parts[1]).", "", "a.b.c",
            // The public key in the place of a shared secret.
            "eyJhbGciOiJIUzI1NiIsImtpZCI6ImEifQ.\(parts[1]).\(parts[2])",
            try await Self.token(ES256PrivateKey(), named: nil), try await Self.token(key, named: "enc"),
        ] {
            #expect(await Self.outcome(verifier, wrong) == Self.unreadable, "\(wrong)")
        }
        let stranger = try await Self.token(Claims(iss: "https://elsewhere.example"), key, named: "a")
        #expect(await Self.outcome(verifier, stranger) == Self.unauthorized)
    }

    @Test func looksAtTimesWithTheSkewOfClocks() async throws {
        let world = World()
        let key = ES256PrivateKey()
        world.publish(["a": key])
        let verifier = world.verifier()
        func outcome(_ claims: Claims) async throws -> String {
            await Self.outcome(verifier, try await Self.token(claims, key, named: "a"))
        }
        #expect(try await outcome(Claims(exp: Self.now - 59)) == Self.accepted)
        #expect(try await outcome(Claims(exp: Self.now - 60)) == "Token has expired.")
        #expect(try await outcome(Claims(nbf: Self.now + 60)) == Self.accepted)
        #expect(try await outcome(Claims(nbf: Self.now + 61)) == Self.unauthorized)
        #expect(try await outcome(Claims(iat: Self.now + 61)) == Self.unauthorized)
    }

    @Test func looksAtTheApplication() async throws {
        let world = World()
        let key = ES256PrivateKey()
        world.publish(["a": key])
        let verifier = world.verifier(clients: ["app"])
        func outcome(_ claims: Claims) async throws -> String {
            await Self.outcome(verifier, try await Self.token(claims, key, named: "a"))
        }
        #expect(try await outcome(Claims()) == Self.unauthorized)
        #expect(try await outcome(Claims(aud: ["other"])) == Self.unauthorized)
        #expect(try await outcome(Claims(aud: ["other", "app"])) == Self.accepted)
        #expect(try await outcome(Claims(client_id: "app")) == Self.accepted)
        #expect(try await outcome(Claims(aud: ["https://api"], client_id: "app")) == Self.accepted)
        #expect(try await outcome(Claims(aud: ["https://api"], client_id: "other")) == Self.unauthorized)
    }

    @Test func readsNewKeys() async throws {
        let world = World()
        let (old, new) = (ES256PrivateKey(), ES256PrivateKey())
        world.publish(["old": old])
        let verifier = world.verifier()
        let (oldToken, newToken) = (
            try await Self.token(old, named: "old"), try await Self.token(new, named: "new key")
        )
        #expect(await Self.outcome(verifier, oldToken) == Self.accepted)
        world.publish(["new key": new])
        // Not again at once: anyone can name keys that do not exist.
        #expect(await Self.outcome(verifier, newToken) == Self.unreadable)
        #expect(world.readings == 1)
        world.advance(30)
        #expect(await Self.outcome(verifier, newToken) == Self.accepted)
        #expect(await Self.outcome(verifier, oldToken) == Self.unreadable)
        #expect(world.readings == 2)
    }

    /// The issuer may have made a new key, with which the token was signed.
    @Test func refusesNoUnknownKeyWhileTheIssuerDoesNotAnswer() async throws {
        let world = World()
        let (old, new) = (ES256PrivateKey(), ES256PrivateKey())
        world.publish(["old": old])
        let verifier = world.verifier()
        #expect(await Self.outcome(verifier, try await Self.token(old, named: "old")) == Self.accepted)
        let token = try await Self.token(new, named: "new")
        world.publish(nil)
        world.advance(30)
        for _ in 0..<2 {
            #expect(await Self.outcome(verifier, token) == "The keys of the issuer cannot be read at the moment.")
        }
        #expect(world.readings == 2)
        world.publish(["new": new])
        world.advance(30)
        #expect(await Self.outcome(verifier, token) == Self.accepted)
    }

    @Test func keepsKeysWhileTheIssuerDoesNotAnswer() async throws {
        let world = World()
        let key = ES256PrivateKey()
        let token = try await Self.token(Claims(exp: Self.now + 100_000), key, named: "a")
        let keys = world.keys
        let verifier = world.verifier(keys: keys)
        // Not a refusal: a client would give up its changes.
        #expect(await Self.outcome(verifier, token) == "The keys of the issuer cannot be read at the moment.")
        world.publish(["a": key])
        // Anyone can send a token that names the issuer.
        #expect(await Self.outcome(verifier, token) != Self.accepted)
        #expect(world.readings == 1)
        world.advance(1)
        #expect(await Self.outcome(verifier, token) == Self.accepted)
        world.publish(nil)
        world.advance(4_000)
        // The next try comes after a pause.
        for (pause, readings) in [(0, 3), (29, 3), (1, 4)] as [(Int64, Int)] {
            world.advance(pause)
            #expect(await Self.outcome(verifier, token) == Self.accepted)
            await keys.waitForReading()
            #expect(world.readings == readings)
        }
        world.publish([:])
        world.advance(4_000)
        #expect(await Self.outcome(verifier, token) == Self.accepted)
        await keys.waitForReading()
        #expect(await Self.outcome(verifier, token) == Self.accepted)
        // Keys that the issuer has taken back must end at some time.
        world.advance(80_000)
        #expect(await Self.outcome(verifier, token) == Self.unknown)
        world.publish(["a": key])
        // Nor is the issuer asked without a pause then.
        #expect(await Self.outcome(verifier, token) != Self.accepted)
        world.advance(30)
        #expect(await Self.outcome(verifier, token) == Self.accepted)
    }

    @Test func makesTokensForDevelopment() async throws {
        let world = World()
        let tokens = DevelopmentTokens(secret: "0123456789abcdef0123456789abcdef", surroundings: world.surroundings)
        let options = ServerOptions(apiKeys: ["key"], verify: CredentialVerifier(tokens: [tokens.verifier]).verify)
        try await RunningServer.use(options: options) { server in
            let list = "query Q { listPosts { items { title } } }"
            let token = tokens.token(for: "alice", groups: ["Admin"])
            #expect(try await server.query(list, headers: [("Authorization", token)]).status == .ok)
            let other = DevelopmentTokens(secret: "fedcba9876543210fedcba9876543210", surroundings: world.surroundings)
            let forged = other.token(for: "alice")
            let refusal = try await server.query(list, headers: [("Authorization", forged)])
            #expect(refusal.status == .unauthorized)
            #expect(!refusal.text.contains(forged))
            try await TestSocket.use(
                server.port, headers: [("Sec-WebSocket-Protocol", "graphql-ws"), ("Authorization", token)]
            ) { socket in
                try await socket.initialize()
                try await socket.start("1", authorization: ["Authorization": .string(token)])
                try await server.create("first")
                #expect(try await socket.next()["payload"]?["data"]?["onCreatePost"]?["title"] == "first")
            }
        }
    }

    @Test func reportsThatAnIssuerIsUnreachable() async throws {
        let world = World()
        let options = ServerOptions(verify: world.verifier().verify)
        try await RunningServer.use(options: options) { server in
            let token = try await Self.token(ES256PrivateKey(), named: "a")
            let answer = try await server.query("query Q { __typename }", headers: [("Authorization", token)])
            #expect(answer.status == .serviceUnavailable)
            #expect(try answer.json["errors"]?[0]?["errorType"] == "ServiceUnavailableException")
        }
    }

    @Test func readsKeysFromAnAddressAndFromAFile() async throws {
        let world = World()
        let key = ES256PrivateKey()
        let token = try await Self.token(key, named: "a")
        try await RunningServer.use { server in
            // The address answers, but with no key set.
            let keys = TokenKeys.url("http://127.0.0.1:\(server.port)/health")
            let verifier = CredentialVerifier(tokens: [
                TokenVerifier(issuer: Self.issuer, keys: keys, surroundings: world.surroundings)
            ])
            #expect(await Self.outcome(verifier, token) == "The keys of the issuer cannot be read at the moment.")
        }
        let point = try #require(key.parameters)
        let json = #"{"keys":[{"kty":"EC","crv":"P-256","kid":"a","x":"\#(point.x)","y":"\#(point.y)"}]}"#
        try await TemporaryFile.use(json) { path in
            let verifier = CredentialVerifier(tokens: [
                TokenVerifier(issuer: Self.issuer, keys: .file(path), surroundings: world.surroundings)
            ])
            #expect(await Self.outcome(verifier, token) == Self.accepted)
        }
    }
}
#endif

#if Server
import HoldfastSchema
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage
import HoldfastWire
import NIOHTTP1
import Testing

/// The signatures were made by botocore 1.44.5, with the keys that the documentation of AWS has as an example.
@Suite struct SignatureTests {
    private static let key = SignatureVerifier.Key(
        identifier: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", claims: ["name": "robot"])
    private static let madeAt: Int64 = 1_700_000_000

    private static func verifier(_ key: SignatureVerifier.Key = key, at seconds: Int64 = madeAt) -> CredentialVerifier {
        CredentialVerifier(
            signatures: SignatureVerifier(keys: [key], surroundings: .still(at: seconds * 1_000_000)))
    }

    private static let scope = "Credential=AKIDEXAMPLE/20231114/us-east-1/appsync/aws4_request"

    private static let request = Credentials(
        headers: [
            "content-type": "application/json", "host": "127.0.0.1:8080", "x-amz-date": "20231114T221320Z",
            "authorization": "AWS4-HMAC-SHA256 \(scope), SignedHeaders=content-type;host;x-amz-date, "
                + "Signature=4e3baa94d795e1ce6b3efe1a93f9b9b97a9f7a85d85e0d99859b02861d0f854c",
        ],
        body: Array(#"{"query":"query Q { listPosts { items { title } } }"}"#.utf8))

    private static let connection = Credentials(
        headers: [
            "accept": "application/json, text/javascript", "content-encoding": "amz-1.0",
            "content-type": "application/json; charset=UTF-8", "host": "127.0.0.1:8080",
            "x-amz-date": "20231114T221320Z",
            "authorization": "AWS4-HMAC-SHA256 \(scope), "
                + "SignedHeaders=accept;content-encoding;content-type;host;x-amz-date, "
                + "Signature=348ef73693eef5ded072a827a3d7d826c40852c75a59253cc0b35c2803d10403",
        ],
        body: Array("{}".utf8))

    private static func outcome(_ verifier: CredentialVerifier, _ credentials: Credentials) async -> String {
        switch await verifier.verify(credentials) {
        case .verified(let identity): "\(identity.mode.rawValue) \(identity.claims["name"]?.string ?? "")"
        case .refused(let message): message
        case .unavailable(let message): message
        }
    }

    private static let unauthorized = "You are not authorized to make this call."

    @Test func acceptsSignaturesOfRequestsAndConnections() async {
        #expect(await Self.outcome(Self.verifier(), Self.request) == "AWS_IAM robot")
        #expect(await Self.outcome(Self.verifier(), Self.connection) == "AWS_IAM robot")
    }

    @Test(arguments: [false, true]) func aKeyMayBeThatOfAGuest(isGuest: Bool) async {
        var key = Self.key
        key.isGuest = isGuest
        guard case .verified(let identity) = await Self.verifier(key).verify(Self.request) else {
            Issue.record("The signature was refused.")
            return
        }
        #expect(identity.isGuest == isGuest)
    }

    @Test func refusesWhatTheSignatureDoesNotCover() async {
        var credentials = Self.request
        credentials.body.append(0x20)
        #expect(await Self.outcome(Self.verifier(), credentials) == Self.unauthorized)
        for name in ["content-type", "host", "x-amz-date"] {
            credentials = Self.request
            credentials.headers[name] = name == "x-amz-date" ? "20231114T221321Z" : "other"
            #expect(await Self.outcome(Self.verifier(), credentials) == Self.unauthorized, "\(name)")
            credentials.headers[name] = nil
            #expect(await Self.outcome(Self.verifier(), credentials) == Self.unauthorized, "\(name)")
        }
        for (old, new) in [
            ("us-east-1", "us-east-2"), ("AKIDEXAMPLE", "AKIDOTHER"), ("854c", "854d"), ("854c", "854"),
            ("854c", "85zz"),
            ("/appsync/", "/s3/"), ("20231114/", "20231115/"), ("content-type;host;", "host;"),
            ("content-type;host;x-amz-date", "content-type;x-amz-date"), ("Signature", "Sign"),
        ] {
            credentials = Self.request
            credentials.headers["authorization"] = Self.request.headers["authorization"]?.replacing(old, with: new)
            #expect(await Self.outcome(Self.verifier(), credentials) == Self.unauthorized, "\(old)")
        }
        let other = SignatureVerifier.Key(identifier: "AKIDEXAMPLE", secret: "other")
        #expect(await Self.outcome(Self.verifier(other), Self.request) == Self.unauthorized)
        #expect(await Self.outcome(CredentialVerifier(), Self.request) == Self.unauthorized)
    }

    @Test(arguments: [
        (-301, false), (-300, true), (300, true), (301, false),
    ]) func refusesSignaturesOfAnotherTime(offset: Int64, isAccepted: Bool) async {
        let outcome = await Self.outcome(Self.verifier(at: Self.madeAt + offset), Self.request)
        #expect((outcome == "AWS_IAM robot") == isAccepted)
        if !isAccepted { #expect(outcome.hasPrefix("Signature expired")) }
    }

    @Test func acceptsSignedRequestsOverHTTP() async throws {
        let options = ServerOptions(verify: Self.verifier().verify)
        try await RunningServer.use(options: options, surroundings: .still(at: Self.madeAt * 1_000_000)) { server in
            // The host is that of the signature, not that of the test's port.
            let headers = Self.request.headers.map { ($0.key, $0.value) }
            let answer = try await server.send(.POST, "/graphql", headers: headers, body: Self.request.body)
            #expect(answer.status == .ok)
            let changed = Self.request.body + [0x20]
            let refusal = try await server.send(.POST, "/graphql", headers: headers, body: changed)
            #expect(refusal.status == .unauthorized)
        }
    }

    @Test func keepsSecretsOutOfDescriptions() {
        var text = "\(Self.key) \(String(reflecting: Self.key))"
        dump(Self.key, to: &text)
        #expect(!text.contains(Self.key.secret))
    }
}
#endif

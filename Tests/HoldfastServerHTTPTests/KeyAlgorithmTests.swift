#if Server
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage
import HoldfastWire
import JWTKit
import Testing

/// Keys that do not say for which algorithm they are, as those of Microsoft Entra.
@Suite struct KeyAlgorithmTests {
    private struct Claims: JWTPayload {
        var iss = KeyAlgorithmTests.issuer
        var sub = "alice"
        var exp: Int64 = 1_700_003_600
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    private static let issuer = "https://login.example.com"

    /// A verifier of an issuer with an RSA key `a` and a key `b` on a curve.
    private static func verifier(_ curve: ES256PrivateKey) throws -> CredentialVerifier {
        let point = try #require(curve.parameters)
        let set: WireValue = [
            "keys": [
                ["kty": "RSA", "kid": "a", "n": .string(modulus), "e": "AQAB"],
                ["kty": "EC", "crv": "P-256", "kid": "b", "x": .string(point.x), "y": .string(point.y)],
            ]
        ]
        return CredentialVerifier(tokens: [
            TokenVerifier(issuer: issuer, keys: .set { set.bytes }, surroundings: .still())
        ])
    }

    private static func accepts(_ verifier: CredentialVerifier, _ token: String) async -> Bool {
        let verification = await verifier.verify(Credentials(headers: ["authorization": token]))
        return if case .verified = verification { true } else { false }
    }

    /// A token that the RSA key has signed.
    private static func token(_ algorithm: JWK.Algorithm, named name: String? = "a") async throws -> String {
        let key = JWK.rsa(
            algorithm, identifier: "a", modulus: modulus, exponent: "AQAB", privateExponent: privateExponent)
        var header = JWTHeader()
        header.kid = name
        return try await JWTKeyCollection().add(jwk: key).sign(Claims(), header: header)
    }

    @Test func acceptsEachAlgorithmOfAKeyThatNamesNone() async throws {
        let curve = ES256PrivateKey()
        let verifier = try Self.verifier(curve)
        let claims: WireValue = ["iss": .string(Self.issuer), "exp": 1_700_003_600]
        for algorithm in ["RS384", "PS512", "ES256", "HS256", "none"] {
            let header: WireValue = ["alg": .string(algorithm), "kid": "a"]
            let parts = [header, claims].map { Base64.text($0.bytes, isForURLs: true) }
            let isAccepted = await Self.accepts(verifier, parts.joined(separator: ".") + ".AAAA")
            #expect(!isAccepted)
        }
        // A token without a signature does not decide for which algorithm a key is.
        for algorithm in [JWK.Algorithm.rs256, .rs512, .ps256, .rs384] {
            let token = try await Self.token(algorithm)
            #expect(await Self.accepts(verifier, token), "\(algorithm.rawValue)")
        }
    }

    @Test func triesAllKeysForATokenThatNamesNone() async throws {
        let curve = ES256PrivateKey()
        let verifier = try Self.verifier(curve)
        let first = try await Self.token(.rs256, named: nil)
        #expect(await Self.accepts(verifier, first))
        let second = try await JWTKeyCollection().add(ecdsa: curve).sign(Claims())
        #expect(await Self.accepts(verifier, second))
        let other = try await JWTKeyCollection().add(ecdsa: ES256PrivateKey()).sign(Claims())
        let isAccepted = await Self.accepts(verifier, other)
        #expect(!isAccepted)
    }

    // For this test only.
    private static let modulus =
        "-AElXVJPbNmRco2FZHJvYLPzBk5IjJxmNvI6GtA8JE_SQtfErimqnuTEKRX9vZPu6huFeQKvmYBPDRxNi5eWZ19iAE_A_u_qWKtZ"
        + "g5-enD5PfhpppkLVzUVRAPl7iRuaGH1vKKvzOz53OO3FaGl67hA1J3_0MeCPlHxp5m39G2p4wP4pa5MYQJoD5sb8HED1INIE-gsk"
        + "krBbOaI7MkjyZdtrDyawnKzgYuUyqrOVnDAYIucVJ56pcdIOWr0mrKZ0W767iEDZvPLNuGDaZM0o2OceZSOIHu5t6A-mJ7lttXOz"
        + "AlqkOYZi37q0HQM3oyDLKOLBAhmxrxnS213b4HMFJQ"
    private static let privateExponent =
        "QwC8QYw9XSEixJorkcnBAZVccTWxMBwJGYsz246q0Pynx9tXjd4_9JHF1XvVg-R1xdYNp3XsT0J1GQuuf6pCvkbsyTzC3Z2f6LjS"
        + "hFcZmQjUnTMxm_Ouo7i4e9TrZU2JwlgRMiHSowzrVPwYO29UAQFr-vH83YTYBbvfOJw6p68CKkgV3yhwFIhgTn2CmKd2NLVNMNFH"
        + "jMizWME5Ibzms40Tr2h_zXzx7cGdYpL4P3X6B32NVk1kXL9mZzDp3x8V9t7FLnfGLGVzraUvZlpADhvbopAzTvl7C6Vgz9FhjyeH"
        + "L84USP9vSq2B9m_yyH2LX5ehntXL7UiNZycR8s3buQ"
}
#endif

#if Server
import Crypto
import HoldfastServer
public import HoldfastStorage
public import HoldfastWire

/// Makes and checks tokens for development, signed with a secret that only the developer has.
///
/// They look like those of a user pool.
public struct DevelopmentTokens: Sendable {
    /// The claim `iss` of the tokens.
    public static let issuer = "holdfast-development"

    private let secret: [UInt8]
    private let surroundings: Surroundings

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - secret: With it anyone can create tokens of any user; at least 32 random letters.
    ///   - surroundings: The clock.
    public init(secret: String, surroundings: Surroundings) {
        self.secret = Array(secret.utf8)
        self.surroundings = surroundings
    }

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - subject: The claim `sub`; also the name of the user if `claims` has no `username`.
    ///   - groups: The claim `cognito:groups`; none by default.
    ///   - claims: More claims, which replace others of their names.
    ///   - life: How long the token is good; a day by default.
    /// - Returns: A JSON Web Token, signed with the secret.
    public func token(
        for subject: String, groups: [String] = [], claims: JSONObject = JSONObject(), life: Duration = .seconds(86_400)
    ) -> String {
        let now = surroundings.wallMicroseconds() / 1_000_000
        var all: JSONObject = [
            "iss": .string(Self.issuer), "sub": .string(subject), "username": .string(subject), "token_use": "access",
            "iat": .integer(now), "exp": .integer(now + life.components.seconds),
        ]
        if !groups.isEmpty { all["cognito:groups"] = .array(groups.map(WireValue.string)) }
        for member in claims.members { all[member.name] = member.value }
        let header: WireValue = ["alg": "HS256", "typ": "JWT"]
        let text = [header.bytes, WireValue.object(all).bytes].map { Base64.text($0, isForURLs: true) }
            .joined(separator: ".")
        let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: secret))
        return text + "." + Base64.text(Array(code), isForURLs: true)
    }

    /// Checks the tokens.
    public var verifier: TokenVerifier {
        TokenVerifier(issuer: Self.issuer, isUserPool: true, keys: .secret(secret), surroundings: surroundings)
    }
}
#endif

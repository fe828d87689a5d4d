#if Server
import HoldfastSchema
import HoldfastServer
public import HoldfastStorage
import HoldfastWire
import JWTKit

/// Checks the tokens of one issuer: a user pool, or any other that speaks OpenID Connect.
public struct TokenVerifier: Sendable {
    /// The issuer, as the claim `iss` of its tokens has it.
    public let issuer: String
    private let mode: AuthMode
    private let clients: Set<String>
    private let clockSkew: Duration
    private let keys: TokenKeys
    private let surroundings: Surroundings

    /// Creates a verifier that has read no keys yet.
    ///
    /// - Parameters:
    ///   - issuer: The claim `iss` of its tokens.
    ///   - isUserPool: Whether its tokens count as those of a user pool; by default if the issuer is one of Amazon
    ///     Cognito. Others count as those of OpenID Connect.
    ///   - clients: The applications whose tokens are accepted, by the claims `aud` and `client_id`; all by default.
    ///   - keys: The keys of the issuer.
    ///   - clockSkew: How far its clock and this one may differ; a minute by default.
    ///   - surroundings: The clock.
    public init(
        issuer: String, isUserPool: Bool? = nil, clients: Set<String> = [], keys: TokenKeys,
        clockSkew: Duration = .seconds(60), surroundings: Surroundings
    ) {
        self.issuer = issuer
        self.clients = clients
        self.keys = keys
        self.clockSkew = clockSkew
        self.surroundings = surroundings
        mode = isUserPool ?? issuer.hasPrefix("https://cognito-idp.") ? .userPools : .oidc
    }

    /// Checks a token of the issuer.
    func verify(_ token: Token) async -> Verification {
        do {
            guard try await keys.verify(token, surroundings) else { return .refused("Unable to parse JWT token.") }
        } catch {
            return .unavailable("The keys of the issuer cannot be read at the moment.")
        }
        let now = Double(surroundings.wallMicroseconds()) / 1_000_000
        let skew = Double(clockSkew.components.seconds)
        // Also excludes what no clock shows.
        guard let expiry = token.claims["exp"]?.double, (0...1e11).contains(expiry) else {
            return .refused("Unable to parse JWT token.")
        }
        guard expiry + skew > now else { return .refused("Token has expired.") }
        for claim in ["nbf", "iat"] {
            if let moment = token.claims[claim]?.double, moment - skew > now { return .unauthorized }
        }
        guard isForClient(token.claims) else { return .unauthorized }
        return .verified(
            Identity(mode, claims: token.claims, expiry: Int64((expiry + skew) * 1_000_000)))
    }

    private func isForClient(_ claims: JSONObject) -> Bool {
        if clients.isEmpty { return true }
        var audience = claims["aud"]?.array ?? [claims["aud"]].compactMap(\.self)
        if let client = claims["client_id"] { audience.append(client) }
        return audience.contains { $0.string.map(clients.contains) ?? false }
    }
}
#endif

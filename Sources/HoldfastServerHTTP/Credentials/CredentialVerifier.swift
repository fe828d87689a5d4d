#if Server
public import HoldfastServer
import HoldfastWire

/// Checks what a request has in its `Authorization` header: a token of one of several issuers, or a signature.
///
/// ```swift
/// let verifier = CredentialVerifier(
///     tokens: [TokenVerifier(issuer: issuer, keys: .url(issuer + "/.well-known/jwks.json"), surroundings: surroundings)])
/// let options = ServerOptions(verify: verifier.verify)
/// ```
public struct CredentialVerifier: Sendable {
    private let tokens: [TokenVerifier]
    private let signatures: SignatureVerifier?

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - tokens: One for each issuer of tokens; none by default.
    ///   - signatures: Checks signatures of AWS; `nil` by default, which refuses them.
    public init(tokens: [TokenVerifier] = [], signatures: SignatureVerifier? = nil) {
        self.tokens = tokens
        self.signatures = signatures
    }

    /// Checks credentials; for `ServerOptions.verify`.
    public func verify(_ credentials: Credentials) async -> Verification {
        let header = credentials.headers["authorization"] ?? ""
        if header.hasPrefix(SignatureVerifier.algorithm) {
            return signatures?.verify(credentials) ?? .unauthorized
        }
        guard !tokens.isEmpty else { return .unauthorized }
        guard let token = Token(header.hasPrefix("Bearer ") ? header.dropFirst(7) : header[...]) else {
            return .refused("Unable to parse JWT token.")
        }
        let issuer = token.claims["iss"]?.string
        guard let verifier = tokens.first(where: { $0.issuer == issuer }) else { return .unauthorized }
        return await verifier.verify(token)
    }
}

extension Verification {
    /// A refusal that says nothing of its reason.
    static let unauthorized = Verification.refused("You are not authorized to make this call.")
}
#endif

#if Server
public import HoldfastServer
import HoldfastWire

/// Checks what a request has in its `Authorization` header: a token of one of several issuers, a signature, or what a
/// function of the application accepts.
///
/// ```swift
/// let keys = TokenKeys.url(issuer + "/.well-known/jwks.json")
/// let verifier = CredentialVerifier(
///     tokens: [TokenVerifier(issuer: issuer, keys: keys, surroundings: surroundings)])
/// let options = ServerOptions(verify: verifier.verify)
/// ```
public struct CredentialVerifier: Sendable {
    private let tokens: [TokenVerifier]
    private let signatures: SignatureVerifier?
    private let function: FunctionVerifier?

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - tokens: One for each issuer of tokens; none by default.
    ///   - signatures: Checks signatures of AWS; `nil` by default, which refuses them.
    ///   - function: Checks what is neither a signature nor a token of one of the issuers; `nil` by default, which
    ///     refuses it.
    public init(
        tokens: [TokenVerifier] = [], signatures: SignatureVerifier? = nil, function: FunctionVerifier? = nil
    ) {
        self.tokens = tokens
        self.signatures = signatures
        self.function = function
    }

    /// Checks credentials; for `ServerOptions.verify`.
    public func verify(_ credentials: Credentials) async -> Verification {
        let header = credentials.headers["authorization"] ?? ""
        if header.hasPrefix(SignatureVerifier.algorithm) {
            return signatures?.verify(credentials) ?? .unauthorized
        }
        let token = Token(header.hasPrefix("Bearer ") ? header.dropFirst(7) : header[...])
        if let token, let verifier = tokens.first(where: { $0.issuer == token.claims["iss"]?.string }) {
            return await verifier.verify(token)
        }
        if let function { return await function.verify(header, credentials) }
        return token == nil && !tokens.isEmpty ? .refused("Unable to parse JWT token.") : .unauthorized
    }
}

extension Verification {
    /// A refusal that says nothing of its reason.
    static let unauthorized = Verification.refused("You are not authorized to make this call.")
}
#endif

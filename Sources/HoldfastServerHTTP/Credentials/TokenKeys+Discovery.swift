#if Server
import AsyncHTTPClient
import HoldfastWire
import NIOCore

extension TokenKeys {
    /// The key set that an issuer names in its own description, as OpenID Connect Discovery has it.
    ///
    /// The description is at `/.well-known/openid-configuration` of the issuer. It is read whenever the key set is.
    ///
    /// - Parameters:
    ///   - issuer: The issuer, as the claim `iss` has it: an address.
    ///   - fetch: Reads what is at an address; by HTTP by default.
    /// - Returns: The key set; nothing is read yet.
    public static func issuer(
        _ issuer: String, fetch: @escaping @Sendable (String) async throws -> [UInt8] = TokenKeys.fetch
    ) -> TokenKeys {
        .set {
            let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
            let document = try WireValue(
                parsing: try await fetch(base + "/.well-known/openid-configuration"), limits: limits)
            // Another issuer's description must not lend its keys, and keys must not come over a worse connection.
            guard document["issuer"]?.string == issuer, let address = document["jwks_uri"]?.string,
                address.hasPrefix("https://") || issuer.hasPrefix("http://")
            else { throw UnreadableKeys() }
            return try await fetch(address)
        }
    }

    /// Reads what is at an address, by HTTP.
    ///
    /// - Throws: Any error if it does not answer within ten seconds, with another status than 200, or with more than
    ///   1 MiB.
    @Sendable public static func fetch(_ address: String) async throws -> [UInt8] {
        let request = HTTPClientRequest(url: address)
        guard let body = try await HTTPClient.body(for: request, within: .seconds(10), upTo: maximumByteCount) else {
            throw UnreadableKeys()
        }
        return Array(body.readableBytesView)
    }
}
#endif

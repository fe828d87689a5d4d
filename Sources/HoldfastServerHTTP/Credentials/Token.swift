#if Server
import HoldfastServer
import HoldfastWire

/// A JSON Web Token, taken apart; its signature is not checked.
struct Token: Sendable {
    /// The whole text.
    let text: String
    /// The identifier of the key that signed it, if it names one.
    let key: String?
    /// What it says of its owner.
    let claims: JSONObject

    /// The bytes of a token that is read at most.
    private static let limit = 64 << 10
    private static let limits = JSONLimits(bytes: limit, depth: 16, values: 10_000)

    /// Reads a token; `nil` if it has another form.
    init?(_ text: Substring) {
        guard text.utf8.count <= Self.limit else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]) else {
            return nil
        }
        self.text = String(text)
        key = header["kid"]?.string
        self.claims = claims
    }

    private static func object(_ part: Substring) -> JSONObject? {
        Base64.bytes(String(part)).flatMap { try? WireValue(parsing: $0, limits: limits).object }
    }
}
#endif

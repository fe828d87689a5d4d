#if Sync
internal import HoldfastWire

/// What a token says of its user, for the arguments of subscriptions, and for what is read again.
///
/// It is read, not verified: only the service can do that, and only it decides by it.
struct TokenClaims: Sendable {
    private let members: JSONObject

    /// Reads a token.
    ///
    /// - Returns: `nil` if it is not a signed token of JSON, as those of functions need not be.
    init?(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let members = try? WireValue(
                base64: String(parts[1]), limits: JSONLimits(bytes: 64 << 10, depth: 16, values: 4_096)
            ).object
        else { return nil }
        self.members = members
    }

    /// The value of a claim; `nil` if it is missing or not a text.
    subscript(_ name: String) -> String? {
        // Identity tokens have the prefix, access tokens do not.
        members[name]?.string ?? (name == "username" ? members["cognito:username"]?.string : nil)
    }

    /// The groups of which the user is a member, by a claim that lists them or names one.
    func groups(by claim: String) -> [String] { members[claim]?.groupNames ?? [] }
}
#endif

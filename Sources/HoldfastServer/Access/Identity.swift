public import HoldfastSchema
public import HoldfastWire

/// Who sends a request, as far as it was proven.
///
/// Made by the code that checks keys, signatures, and tokens; the server trusts it.
public struct Identity: Sendable, Hashable {
    /// How the sender proved it.
    public var mode: AuthMode
    /// What the token says of the sender; empty for a key.
    public var claims: JSONObject
    /// When the proof ends, in microseconds since 1970; `nil` if it does not.
    public var expiry: Int64?
    /// What the sender may not read whatever the rules say, as `Type.field`.
    ///
    /// A field that is denied is null in responses, with an error; a field of a root type is not carried out.
    public var deniedFields: Set<String>
    /// Whether the sender is not signed in although the mode is also that of users who are, as with credentials of AWS.
    public var isGuest: Bool

    /// Creates an identity; without claims, without an end, with nothing denied, and not of a guest by default.
    public init(
        _ mode: AuthMode, claims: JSONObject = JSONObject(), expiry: Int64? = nil, deniedFields: Set<String> = [],
        isGuest: Bool = false
    ) {
        self.mode = mode
        self.claims = claims
        self.expiry = expiry
        self.deniedFields = deniedFields
        self.isGuest = isGuest
    }

    /// The sender of an API key.
    public static let apiKey = Identity(.apiKey)
}

extension Identity {
    /// Whether a field is denied to the sender.
    func denies(_ field: String, of type: String) -> Bool {
        !deniedFields.isEmpty && deniedFields.contains("\(type).\(field)")
    }

    /// The name of an owner, in each form in which records may have it; the form to be stored comes first.
    ///
    /// - Parameter claim: The claim that names the owner, or several with `::` between them, whose values are joined
    ///   in the same way and accepted one by one, too.
    /// - Returns: The names; empty if the sender has none of the claims.
    func names(by claim: String) -> [String] {
        let parts = OwnerName.parts(claim)
        let values = parts.compactMap { text($0) }
        if parts.count == 1 { return values }
        // Alone, a value with colons of its own could be the joined name of another user.
        let single = values.filter { !$0.contains("::") }
        return values.count == parts.count ? [values.joined(separator: "::")] + single : single
    }

    /// The groups of the sender.
    func groups(by claim: String) -> [String] { claims[claim]?.groupNames ?? [] }

    private func text(_ claim: String) -> String? {
        // The tokens for access and for identity name the user differently.
        if claim == "username" { return claims["username"]?.string ?? claims["cognito:username"]?.string }
        return claims[claim]?.string
    }
}

/// The outcome of checking a token or a signature.
///
/// ```swift
/// let options = ServerOptions(
///     defaultMode: .userPools,
///     verify: { credentials in
///         guard let user = sessions[credentials.headers["authorization"] ?? ""] else {
///             return .refused("Sign in again.")
///         }
///         return .verified(Identity(.userPools, claims: ["sub": .string(user)]))
///     })
/// ```
public enum Verification: Sendable {
    /// It proves who sends the request.
    case verified(Identity)
    /// It does not, for a reason that the sender may know, such as `Token has expired.`
    case refused(String)
    /// It cannot be checked at the moment, for a reason that the sender may know; the sender tries again later.
    case unavailable(String)
}

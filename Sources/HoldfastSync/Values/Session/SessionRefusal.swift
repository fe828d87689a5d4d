/// Why a session ended.
public enum SessionRefusal: String, Sendable, Hashable {
    /// The outbox has entries of another user.
    case otherUser
    /// No one is signed in any longer.
    case signedOut
    /// The service accepts the credentials of no mode of authorization.
    case unauthorized
}

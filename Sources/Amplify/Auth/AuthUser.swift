/// A user.
public protocol AuthUser: Sendable {
    /// The name under which the user signs in.
    var username: String { get }
    /// What identifies the user and never changes.
    var userId: String { get }
}

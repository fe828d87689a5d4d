/// Whom an ``AuthRule`` allows.
public enum AuthStrategy: String, Sendable, Hashable, Codable {
    /// The user that the record names as its owner.
    case owner
    /// The members of groups.
    case groups
    /// Every user that has signed in.
    case `private`
    /// Everyone with the application's key.
    case `public`
    /// Whom a function of the service allows.
    case custom
}

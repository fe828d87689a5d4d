/// What is known of the user at the moment; plug-ins add the tokens.
public protocol AuthSession: Sendable {
    /// Whether a user is signed in.
    var isSignedIn: Bool { get }
}

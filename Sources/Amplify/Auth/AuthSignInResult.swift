/// How far a sign-in is.
public struct AuthSignInResult: Sendable {
    /// What to do next.
    public let nextStep: AuthSignInStep

    /// Creates a result.
    public init(nextStep: AuthSignInStep) { self.nextStep = nextStep }

    /// Whether the user is signed in.
    public var isSignedIn: Bool { if case .done = nextStep { true } else { false } }
}

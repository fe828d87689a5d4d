/// What a sign-in needs next.
public enum AuthSignInStep: Sendable {
    /// What else a plug-in says of a step.
    public typealias AdditionalInfo = [String: String]

    /// The answer to a question of the provider's own.
    case confirmSignInWithCustomChallenge(AdditionalInfo?)
    /// A new password.
    case confirmSignInWithNewPassword(AdditionalInfo?)
    /// A code of the user's generator.
    case confirmSignInWithTOTPCode
    /// A reset of the password.
    case resetPassword(AdditionalInfo?)
    /// A confirmation of the registration.
    case confirmSignUp(AdditionalInfo?)
    /// Nothing: the user is signed in.
    case done
}

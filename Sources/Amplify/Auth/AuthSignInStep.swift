/// The ways to confirm a sign-in that the user may choose from.
public typealias AllowedMFATypes = Set<MFAType>
/// The ways to sign in that the user may choose from.
public typealias AvailableAuthFactorTypes = Set<AuthFactorType>
/// What else a plug-in says of a step.
public typealias AdditionalInfo = [String: String]

/// What a sign-in needs next.
public enum AuthSignInStep: Sendable, Equatable {
    /// The code of a text message.
    case confirmSignInWithSMSMFACode(AuthCodeDeliveryDetails, AdditionalInfo?)
    /// The answer to a question of the provider's own.
    case confirmSignInWithCustomChallenge(AdditionalInfo?)
    /// A new password.
    case confirmSignInWithNewPassword(AdditionalInfo?)
    /// The password.
    case confirmSignInWithPassword
    /// A code of the user's generator.
    case confirmSignInWithTOTPCode
    /// A generator of codes, set up with these details.
    case continueSignInWithTOTPSetup(TOTPSetupDetails)
    /// A choice of how to confirm the sign-in.
    case continueSignInWithMFASelection(AllowedMFATypes)
    /// An email address for codes.
    case continueSignInWithEmailMFASetup
    /// A choice of how sign-ins will be confirmed, to be set up next.
    case continueSignInWithMFASetupSelection(AllowedMFATypes)
    /// A code that was sent for this sign-in only.
    case confirmSignInWithOTP(AuthCodeDeliveryDetails)
    /// A choice of how to sign in.
    case continueSignInWithFirstFactorSelection(AvailableAuthFactorTypes)
    /// A reset of the password.
    case resetPassword(AdditionalInfo?)
    /// A confirmation of the registration.
    case confirmSignUp(AdditionalInfo?)
    /// Nothing: the user is signed in.
    case done
}

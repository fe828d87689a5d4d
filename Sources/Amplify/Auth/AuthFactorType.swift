/// A way to sign in.
public enum AuthFactorType: String, Sendable {
    /// By the password.
    case password
    /// By the password, which is not sent.
    case passwordSRP
    /// By a code in a text message.
    case smsOTP
    /// By a code in an email.
    case emailOTP
    #if os(iOS) || os(macOS) || os(visionOS)
    /// By a passkey.
    @available(iOS 17.4, macOS 13.5, visionOS 1.0, *)
    case webAuthn
    #endif
}

/// A way to confirm a sign-in.
public enum MFAType: String, Sendable {
    /// By a code in a text message.
    case sms
    /// By a code of the user's generator.
    case totp
    /// By a code in an email.
    case email
}

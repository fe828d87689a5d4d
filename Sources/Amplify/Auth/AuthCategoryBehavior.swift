/// What an Auth plug-in does.
public protocol AuthCategoryBehavior {
    /// Signs a user in.
    ///
    /// - Throws: ``AuthError``.
    func signIn(
        username: String?, password: String?, options: AuthSignInRequest.Options?
    ) async throws -> AuthSignInResult

    /// Signs the user out.
    func signOut(options: AuthSignOutRequest.Options?) async -> any AuthSignOutResult

    /// Whether a user is signed in, and the tokens, as far as the plug-in has them.
    ///
    /// - Throws: ``AuthError``.
    func fetchAuthSession(options: AuthFetchSessionRequest.Options?) async throws -> any AuthSession

    /// The user who is signed in.
    ///
    /// - Throws: ``AuthError`` `.signedOut` if there is none.
    func getCurrentUser() async throws -> any AuthUser
}

/// What the Auth category runs on.
public protocol AuthCategoryPlugin: Plugin, AuthCategoryBehavior {}

extension AuthCategoryPlugin {
    /// Who the user is.
    public var categoryType: CategoryType { .auth }
}

/// A user.
public protocol AuthUser: Sendable {
    /// The name under which the user signs in.
    var username: String { get }
    /// What identifies the user and never changes.
    var userId: String { get }
}

/// What is known of the user at the moment; plug-ins add the tokens.
public protocol AuthSession: Sendable {
    /// Whether a user is signed in.
    var isSignedIn: Bool { get }
}

/// How a sign-out went; a plug-in says more.
public protocol AuthSignOutResult: Sendable {}

/// A sign-in.
public struct AuthSignInRequest: Sendable {
    // Immutable; what is inside is the plug-in's.
    /// What a plug-in wants to know beside.
    public struct Options: @unchecked Sendable {
        /// For the plug-in alone.
        public let pluginOptions: Any?

        /// Creates options.
        public init(pluginOptions: Any? = nil) { self.pluginOptions = pluginOptions }
    }
}

/// A sign-out.
public struct AuthSignOutRequest: Sendable {
    // Immutable; what is inside is the plug-in's.
    /// What a plug-in wants to know beside.
    public struct Options: @unchecked Sendable {
        /// Whether the user is signed out on all devices.
        public let globalSignOut: Bool
        /// For the plug-in alone.
        public let pluginOptions: Any?

        /// Creates options.
        public init(globalSignOut: Bool = false, pluginOptions: Any? = nil) {
            self.globalSignOut = globalSignOut
            self.pluginOptions = pluginOptions
        }
    }
}

/// A question for the session.
public struct AuthFetchSessionRequest: Sendable {
    // Immutable; what is inside is the plug-in's.
    /// What a plug-in wants to know beside.
    public struct Options: @unchecked Sendable {
        /// Whether new tokens are fetched although the current ones are valid.
        public let forceRefresh: Bool
        /// For the plug-in alone.
        public let pluginOptions: Any?

        /// Creates options.
        public init(forceRefresh: Bool = false, pluginOptions: Any? = nil) {
            self.forceRefresh = forceRefresh
            self.pluginOptions = pluginOptions
        }

        /// New tokens are fetched although the current ones are valid.
        public static func forceRefresh() -> Options { Options(forceRefresh: true) }
    }
}

/// How far a sign-in is.
public struct AuthSignInResult: Sendable {
    /// What to do next.
    public let nextStep: AuthSignInStep

    /// Creates a result.
    public init(nextStep: AuthSignInStep) { self.nextStep = nextStep }

    /// Whether the user is signed in.
    public var isSignedIn: Bool { if case .done = nextStep { true } else { false } }
}

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

/// What an Auth plug-in does.
public protocol AuthCategoryBehavior {
    /// Signs a user in.
    ///
    /// - Throws: ``AuthError``.
    func signIn(
        username: String?, password: String?, options: AuthSignInRequest.Options?
    ) async throws -> AuthSignInResult

    /// Answers the step that a sign-in needs next.
    ///
    /// - Parameters:
    ///   - challengeResponse: The answer, such as a code.
    ///   - options: What the plug-in wants to know beside.
    /// - Returns: How far the sign-in is.
    /// - Throws: ``AuthError``; `.invalidState` from a plug-in that has no such steps.
    func confirmSignIn(
        challengeResponse: String, options: AuthConfirmSignInRequest.Options?
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

extension AuthCategoryBehavior {
    /// For plug-ins whose sign-ins have one step.
    ///
    /// - Throws: ``AuthError`` `.invalidState`.
    public func confirmSignIn(
        challengeResponse: String, options: AuthConfirmSignInRequest.Options?
    ) async throws -> AuthSignInResult {
        throw AuthError.invalidState(
            "The Auth plug-in has no steps of a sign-in to confirm.", "Implement 'confirmSignIn' in the plug-in.")
    }
}

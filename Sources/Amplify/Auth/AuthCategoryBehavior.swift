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

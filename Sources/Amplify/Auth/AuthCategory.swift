/// Who the user is.
///
/// There is no plug-in for it here: an application adds one that asks its identity provider. Requests that need a token
/// of a user pool take it from there.
public final class AuthCategory: CategoryTypeable, Sendable {
    private let registry = PluginRegistry<any AuthCategoryPlugin> { AuthError.configuration($0, $1) }

    init() {}

    /// Who the user is.
    public var categoryType: CategoryType { .auth }

    /// Adds a plug-in; one of the same key is replaced.
    ///
    /// - Throws: ``AuthError`` `.configuration` for an empty key; ``ConfigurationError`` `.amplifyAlreadyConfigured`
    ///   once configured.
    public func add(plugin: any AuthCategoryPlugin) throws { try registry.add(plugin, as: plugin) }

    /// The plug-in of a key.
    ///
    /// - Throws: ``AuthError`` `.configuration` if there is none.
    public func getPlugin(for key: PluginKey) throws -> any AuthCategoryPlugin { try registry.plugin(for: key) }

    /// Forgets the plug-in of a key, if there is one.
    public func removePlugin(for key: PluginKey) { registry.remove(key) }

    /// Resets and forgets all plug-ins.
    public func reset() async { await registry.reset() }

    /// Whether there is a configured plug-in.
    package var isConfigured: Bool { !(registry.configured ?? []).isEmpty }

    func configure(_ settings: (PluginKey) -> Any?) throws { try registry.configure(settings) }

    private func plugin() throws -> any AuthCategoryPlugin { try registry.only(of: "Auth") }
}

extension AuthCategory: AuthCategoryBehavior {
    /// Signs a user in.
    ///
    /// - Throws: ``AuthError``.
    public func signIn(
        username: String? = nil, password: String? = nil, options: AuthSignInRequest.Options? = nil
    ) async throws -> AuthSignInResult {
        try await plugin().signIn(username: username, password: password, options: options)
    }

    /// Answers the step that a sign-in needs next.
    ///
    /// - Parameters:
    ///   - challengeResponse: The answer, such as a code.
    ///   - options: What the plug-in wants to know beside.
    /// - Returns: How far the sign-in is.
    /// - Throws: ``AuthError``; `.invalidState` from a plug-in that has no such steps.
    public func confirmSignIn(
        challengeResponse: String, options: AuthConfirmSignInRequest.Options? = nil
    ) async throws -> AuthSignInResult {
        try await plugin().confirmSignIn(challengeResponse: challengeResponse, options: options)
    }

    /// Signs the user out; without a plug-in there is nothing to do.
    public func signOut(options: AuthSignOutRequest.Options? = nil) async -> any AuthSignOutResult {
        do {
            return try await plugin().signOut(options: options)
        } catch {
            return NothingToSignOut()
        }
    }

    /// Whether a user is signed in, and the tokens, as far as the plug-in has them.
    ///
    /// - Throws: ``AuthError``.
    public func fetchAuthSession(options: AuthFetchSessionRequest.Options? = nil) async throws -> any AuthSession {
        try await plugin().fetchAuthSession(options: options)
    }

    /// The user who is signed in.
    ///
    /// - Throws: ``AuthError`` `.signedOut` if there is none.
    public func getCurrentUser() async throws -> any AuthUser { try await plugin().getCurrentUser() }
}

private struct NothingToSignOut: AuthSignOutResult {}

/// How a sign-out went; a plug-in says more.
public protocol AuthSignOutResult: Sendable {}

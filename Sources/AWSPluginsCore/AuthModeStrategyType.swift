/// How the kind of authorisation of each request is chosen.
public enum AuthModeStrategyType: Sendable, Hashable {
    /// The one kind that the service is configured with.
    case `default`
    /// The kinds that the models' rules allow, one after the other until one is accepted.
    case multiAuth
}

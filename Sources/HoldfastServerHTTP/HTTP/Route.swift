#if Server

/// What an address is for.
enum Route: Sendable {
    case graphQL, realtime, health, ready, metrics, unknown

    /// Reads the path of an address, without what follows `?`.
    init(path: some StringProtocol) {
        self =
            switch path {
            case "/graphql": .graphQL
            case "/graphql/realtime": .realtime
            case "/health": .health
            case "/ready": .ready
            case "/metrics": .metrics
            default: .unknown
            }
    }

    /// The name in metrics and logs, which has nothing of what the client sent.
    var name: String {
        switch self {
        case .graphQL: "graphql"
        case .realtime: "realtime"
        case .health: "health"
        case .ready: "ready"
        case .metrics: "metrics"
        case .unknown: "unknown"
        }
    }
}
#endif

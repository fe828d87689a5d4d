import HoldfastSync

/// When the records of a model may count as synchronized: from the end of their reading to the end of the session.
///
/// There is one for each life of an application.
struct ReadingOrder: Sendable {
    /// How many readings of each model had ended when the queries of this connection began.
    private var readBefore: [String: Int] = [:]
    /// The models of which the hub has heard in this session that they were read.
    private var synced: Set<String> = []
    /// When the last session ended, in microseconds.
    private var endedAt: Int64?

    /// How long a live query may take that began in the session before, in microseconds.
    private static let slowestQuery: Int64 = 60_000_000

    /// Records an event of the hub.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - readings: How many readings of each model have ended.
    /// - Returns: What is wrong with it.
    mutating func note<Content>(_ event: HubEvent<Content>, readings: [String: Int]) -> String? {
        switch event {
        case .syncQueriesStarted: readBefore = readings
        case .modelSynced(let model, _, _, _, _):
            synced.insert(model)
            if readings[model] ?? 0 <= readBefore[model] ?? 0 {
                return "the hub heard that model \(model) was read before its last page was stored"
            }
        default: break
        }
        return nil
    }

    /// The application has ended the session.
    mutating func noteEnd(at microseconds: Int64) { (synced, endedAt) = ([], microseconds) }

    /// What is wrong if a live query says now that the records of its model are synchronized.
    func problem(ofSynced model: String, at microseconds: Int64) -> String? {
        if synced.contains(model) { return nil }
        if let endedAt, microseconds < endedAt + Self.slowestQuery { return nil }
        return "the live query of \(model) calls its records synchronized, which were not read in this session"
    }
}

/// A set of clauses that an adapter claims as a whole.
public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
    /// Values, keys, writes, preconditions, snapshots, errors and reopening.
    case core = "Core"
    /// Predicates, order, pages and aggregates.
    case query = "Query"
    /// Atomicity, isolation and conflicts with concurrent sessions.
    case transactional = "Transactional"
    /// The change feed.
    case feed = "Feed"
    /// Acknowledged commits survive a crash of the process.
    case durableProcessCrash = "Durable-ProcessCrash"
    /// Acknowledged commits survive a power loss.
    case durablePowerLoss = "Durable-PowerLoss"
    /// Several processes work on one store.
    case multiProcess = "MultiProcess"
    /// The storage engine above the adapter behaves as documented.
    case engine = "Engine"
}

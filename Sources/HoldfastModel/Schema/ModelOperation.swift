/// What an ``AuthRule`` allows.
public enum ModelOperation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Creating records.
    case create
    /// Changing records.
    case update
    /// Deleting records.
    case delete
    /// Reading records.
    case read
}

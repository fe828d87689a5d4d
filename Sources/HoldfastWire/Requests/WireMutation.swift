import HoldfastSchema

/// What a mutation does to a record.
public enum WireMutation: String, Sendable, Hashable, CaseIterable {
    /// Creates it.
    case create
    /// Changes some of its fields.
    case update
    /// Deletes it.
    case delete

    /// The subscription that delivers such mutations.
    var event: String { "on" + Names.upperFirst(rawValue) }
}

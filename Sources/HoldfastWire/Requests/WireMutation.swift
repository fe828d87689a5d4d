/// What a mutation does to a record.
public enum WireMutation: String, Sendable, Hashable, CaseIterable {
    /// Creates it.
    case create
    /// Changes some of its fields.
    case update
    /// Deletes it.
    case delete

    /// The subscription that tells of such mutations.
    var event: String { "on" + rawValue.startingUppercase }
}

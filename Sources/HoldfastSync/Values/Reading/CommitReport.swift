import HoldfastEngine

/// What a commit of remote changes did.
struct CommitReport<Content: Sendable>: Sendable {
    /// How many records it created.
    var added = 0
    /// How many it changed.
    var updated = 0
    /// How many it deleted.
    var deleted = 0
    /// How many it left out because the store cannot keep their keys.
    var unkept = 0
    /// Whether an event left less of a record than there was.
    var mayLackValues = false
    /// The local changes that were given up, and why.
    var deadLetters: [OutgoingMutation.ID: DeadReason] = [:]
    /// The changes for the hub; `nil` if there are none.
    var received: Content?
}

extension CommitReport: Equatable where Content: Equatable {}

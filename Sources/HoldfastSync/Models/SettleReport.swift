import HoldfastEngine

/// What a commit of answers to mutations did.
struct SettleReport<Content: Sendable>: Sendable {
    /// The confirmed mutations for the hub.
    var processed: [Content] = []
    /// The entries that left the outbox beside those that were settled.
    var removed: [OutgoingMutation.ID] = []
    /// Whether the outbox has no entry.
    var isOutboxEmpty: Bool
    /// Remote changes that the commit applied, by model.
    var received: [Content] = []
}

extension SettleReport: Equatable where Content: Equatable {}

import HoldfastEngine

/// What a commit of answers to mutations did.
struct SettleReport<Content: Sendable>: Sendable {
    /// The confirmed mutations for the hub.
    var processed: [Content] = []
    /// The changes that were given up, also in part, and why: a mutation takes the later ones of its record along.
    var deadLetters: [OutgoingMutation.ID: DeadReason] = [:]
    /// Whether the outbox has no entry of the models that are sent.
    var isOutboxEmpty: Bool
    /// Remote changes that the commit applied, by model.
    var received: [Content] = []
}

extension SettleReport: Equatable where Content: Equatable {}

import HoldfastEngine

/// What a mutation does.
enum MutationKind: String, Sendable, Hashable {
    case create, update, delete
}

/// An entry of the outbox whose payload is frozen: it was sent or may be sent.
struct TakenEntry: Sendable, Hashable {
    /// Its name: the record that it changes, and its position, which another record's entry can have, too.
    var id: OutgoingMutation.ID
    /// What it does.
    var kind: MutationKind
    /// Whether the application saved it under a condition.
    var hasCondition = false
    /// In how many ways it can be authorized.
    var modeCount = 1
    /// How often it was put back to be sent again; each counts as a round of the conflict handler.
    var attempts = 0
    /// Whether it may have been sent before.
    var isUncertain = false
}

/// What a commit took from the outbox.
struct Taken<Content: Sendable>: Sendable {
    /// The entries, by position.
    var entries: [TakenEntry]
    /// Whether the outbox may have more to take.
    var hasMore: Bool
    /// Whether nothing is left in the outbox of the models that are sent: what was there has been taken back, or the
    /// service made it pointless.
    var isOutboxEmpty = false
    /// Whether nothing could be taken, and another user made some of the changes.
    ///
    /// A change that was being saved when the session began may come into the outbox after the session looked at it.
    var hasChangesOfOthers = false
    /// Remote changes that the commit applied, by model.
    var received: [Content] = []
    /// What kept the outbox from being looked at once nothing could be taken; `nil` if that was possible.
    var failure: StoreFailure?
}

extension TakenEntry {
    /// Whether this entry must wait until an earlier one is settled.
    ///
    /// The entries of a record go one after the other. The order along relations is the store's: it takes only what
    /// waits for nothing in flight.
    func waits(for earlier: TakenEntry) -> Bool {
        earlier.id.position < id.position && earlier.id.key == id.key && earlier.id.model == id.model
    }
}

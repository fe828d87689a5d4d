import HoldfastStorage

/// A record of a model.
struct RecordName: Sendable, Hashable {
    /// The model's name.
    var model: String
    /// The record's key.
    var key: RecordKey
}

/// What a mutation does.
enum MutationKind: String, Sendable, Hashable {
    case create, update, delete
}

/// An entry of the outbox whose payload is frozen: it was sent or may be sent.
struct Outgoing: Sendable, Hashable {
    /// Its position in the outbox, which names it.
    var position: Int64
    /// The record that it changes.
    var record: RecordName
    /// What it does.
    var kind: MutationKind
    /// The records that the record's foreign keys name, before and after the change.
    var references: Set<RecordName> = []
    /// Whether the application saved it under a condition.
    var hasCondition = false
    /// In how many ways it can be authorized.
    var modeCount = 1
    /// Whether it may have been sent before.
    var isUncertain = false
}

/// What a commit took from the outbox.
struct Taken: Sendable, Hashable {
    /// The entries, by position.
    var entries: [Outgoing]
    /// Whether the outbox may have more to take.
    var hasMore: Bool
}

extension Outgoing {
    /// Whether this entry must wait until an earlier one is settled.
    ///
    /// The entries of a record go one after the other. A record is sent after those that its foreign keys name, and
    /// deleted after those that name it.
    func waits(for earlier: Outgoing) -> Bool {
        guard earlier.position < position else { return false }
        return earlier.record == record || references.contains(earlier.record)
            || (kind == .delete && earlier.references.contains(record))
    }
}

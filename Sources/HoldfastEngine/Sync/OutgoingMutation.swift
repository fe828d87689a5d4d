package import HoldfastStorage

/// A mutation to be sent.
package struct OutgoingMutation: Sendable, Hashable {
    /// Which entry of the outbox it is.
    package var id: ID
    /// The record's key.
    package var recordKey: RecordKey
    /// What happened to the record.
    package var operation: OutboxEntry.Operation
    /// The values to be sent, frozen until the mutation is settled: all for a creation, the changed ones for an update,
    /// none for a deletion; in the model's order.
    package var values: [(field: String, value: Value)] {
        zip(fields, cells).map { ($0, $1) }
    }
    /// The service's version that the mutation builds on; `nil` if it knows none.
    package var version: Int64?
    /// When the service made this version, in milliseconds since 1970-01-01T00:00Z; `nil` if it knows none.
    package var lastChangedAt: Int64?
    /// The condition, as AppSync filter JSON.
    package var condition: String?
    /// Who made the change, as the sync engine names users; `nil` for no one.
    package var identity: String?
    /// How often it was put back to be sent again, as ``OutboxEntry/attempts``.
    package var attempts: Int
    /// Whether it may have been sent before, so its outcome must be looked up first.
    package var isUncertain: Bool
    /// Until when it is not tried again, in microseconds since 1970-01-01T00:00Z.
    package var notBefore: Int64?

    /// The record with the change and all before it, or the deleted one as it was; `nil` where that is not known.
    package var row: [Value]?
    /// The record without the change, but with all before it; `nil` for none, and where that is not known.
    package var before: [Value]?

    let fields: [String]
    let cells: [Value]

    /// Names an entry of the outbox.
    ///
    /// Its position alone does not: processes that share a store can give the same one to changes of several records.
    package struct ID: Sendable, Hashable, Comparable {
        /// The model's name.
        package var model: String
        /// The record's key as text: ``RecordKey/outboxText``.
        package var key: String
        /// The entry's position in the queue.
        package var position: Int64

        /// Creates a name.
        package init(model: String, key: String, position: Int64) {
            self.model = model
            self.key = key
            self.position = position
        }

        package static func < (first: ID, second: ID) -> Bool {
            (first.position, first.model, first.key) < (second.position, second.model, second.key)
        }
    }
}

/// What became of a mutation that was sent.
package enum MutationOutcome: Sendable, Hashable {
    /// The service carried it out, with this result.
    case accepted(OutgoingMutation.ID, RemoteRecord)
    /// The service carried it out, with a result that the models cannot hold, as this item says it.
    case acceptedUnreadable(OutgoingMutation.ID, ShelfItem)
    /// It deletes what the service has deleted already, as this record says if it is known.
    case alreadyDeleted(OutgoingMutation.ID, RemoteRecord?)
    /// The service refused it, or its answer is given precedence: it becomes a dead letter and is undone.
    ///
    /// `remote` is the service's record, if it is known.
    case refused(OutgoingMutation.ID, errorType: String?, message: String?, remote: RemoteRecord?)
    /// The service has no such record any longer, not even as deleted: it becomes a dead letter, and the record goes.
    case gone(OutgoingMutation.ID, errorType: String?, message: String?)
    /// It is applied on top of the service's newer record and is sent again.
    ///
    /// `row` is what the record should become; `nil` for the same fields as before. A creation becomes an update.
    case retried(OutgoingMutation.ID, on: RemoteRecord, row: [Value]?)
    /// There is no answer; it stays in flight and is not tried before a time in microseconds since 1970-01-01T00:00Z.
    case unanswered(OutgoingMutation.ID, notBefore: Int64?)

    /// The entry.
    package var id: OutgoingMutation.ID {
        switch self {
        case .accepted(let id, _), .acceptedUnreadable(let id, _), .alreadyDeleted(let id, _),
            .refused(let id, _, _, _), .gone(let id, _, _), .retried(let id, _, _), .unanswered(let id, _):
            id
        }
    }
}

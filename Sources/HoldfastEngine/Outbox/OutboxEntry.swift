/// One local change that awaits the service.
///
/// The record itself holds the values; the entry says what became of it since the service last saw it, and how to undo
/// that. Later changes fold into the newest entry of a record unless that is in flight or one of the two has a
/// condition; then they get their own entry. Nothing is left of a record that is deleted before anything of it was
/// sent.
public struct OutboxEntry: Sendable, Hashable {
    /// What happened to the record.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// It is new.
        case create
        /// Some of its fields changed.
        case update
        /// It is gone.
        case delete
    }

    /// Where the entry is on its way.
    public enum Stage: Sendable, Hashable {
        /// It was or may have been sent, without an answer yet.
        case inFlight
        /// Not yet sent.
        case pending
    }

    /// The model's name.
    public var model: String
    /// The record's key as text: `RecordKey.outboxText`.
    public var key: String
    /// The position in the queue: microseconds since 1970-01-01T00:00Z, moved after all earlier changes of the process
    /// and after the changes of other processes that this one builds on.
    public var position: Int64
    /// What happened.
    public var operation: Operation
    /// The fields an update changed, in the model's order; empty for creations and deletions.
    public var changedFields: [String]
    /// The service's version of the record on which the change is based; `nil` if it has none or an earlier change of
    /// the record was still to be answered.
    public var baseVersion: Int64?
    /// What the change replaced, as a JSON object of fields: the former values of the changed fields for an update, the
    /// whole record for a deletion.
    ///
    /// `null` as text where there was no record, after a deletion that is still to be answered. `nil` for creations,
    /// and where it is not known.
    public var before: String?
    /// What the service's record must satisfy, as AppSync filter JSON with sorted members; `nil` for anything.
    public var condition: String?
    /// The values that were or may have been sent, as a JSON object of fields; `nil` while nothing was sent.
    public var payload: String?
    /// How often it was put back to be sent again: after a conflict, after a merge that dropped a part of it, or without
    /// an answer.
    public var attempts: Int
    /// Until when it is not tried again, in microseconds since 1970-01-01T00:00Z; `nil` for at once.
    public var notBefore: Int64?
    /// Who made the change, as the sync engine names users; `nil` if no one was signed in.
    public var identity: String?
    /// The record with whose deletion this one goes, until it is taken; `nil` for a change of its own.
    ///
    /// It is sent once the service has deleted that record, and taken back if the service keeps it.
    package var cascade: SendOrder.Record?
    /// The position at which a deletion was made: that of the entry, or a later one if it was folded into it.
    ///
    /// What led to the record was changed before. `nil` for other changes, and where it is not known.
    package var deletedAt: Int64?
    /// Whether the record has no later entry.
    package var isNewest = true

    /// Where the entry is on its way.
    public var stage: Stage { payload == nil ? .pending : .inFlight }

    /// Creates an entry.
    package init(
        model: String, key: String, position: Int64, operation: Operation, changedFields: [String] = [],
        baseVersion: Int64? = nil, before: String? = nil, condition: String? = nil, payload: String? = nil,
        attempts: Int = 0, notBefore: Int64? = nil, identity: String? = nil
    ) {
        self.model = model
        self.key = key
        self.position = position
        self.operation = operation
        self.changedFields = changedFields
        self.baseVersion = baseVersion
        self.before = before
        self.condition = condition
        self.payload = payload
        self.attempts = attempts
        self.notBefore = notBefore
        self.identity = identity
    }

    /// Whether a later change of the record can fold into this one.
    ///
    /// Each user sends their own changes. After a start without a network it is not known who is signed in. A change
    /// made then folds, too: it would wait for the other one anyway, and a child must not be sent once the creation of
    /// its parent has folded away.
    ///
    /// A deletion that goes with another one may be taken back. An update would be lost with it.
    func canFold(_ later: OutboxEntry) -> Bool {
        stage == .pending && condition == nil && later.condition == nil
            && (operation != .update || later.cascade == nil) && mayBe(of: later.identity)
    }

    /// Whether the change may be of a user; one of no one may be of any.
    func mayBe(of user: String?) -> Bool { identity == user || identity == nil || user == nil }

    /// This pending entry with a later change of the same record folded in, or `nil` if nothing is left to send.
    ///
    /// | pending | later | result |
    /// |---|---|---|
    /// | create | update | create |
    /// | create | delete | nothing: the service never saw the record |
    /// | update | update | update of the fields of both |
    /// | update | delete | delete |
    /// | delete | create | update of all fields |
    ///
    /// The position in the queue, the base version, and what was before stay those of the pending entry, and its user
    /// if it has one. What the later change replaced in addition is added by the caller, who knows the record.
    package func folding(_ later: OutboxEntry, allFields: [String]) -> OutboxEntry? {
        var result = self
        result.identity = identity ?? later.identity
        switch (operation, later.operation) {
        case (.create, .delete): return nil
        case (.create, _): break
        case (_, .delete):
            result.operation = .delete
            result.changedFields = []
            result.deletedAt = later.deletedAt
        case (.delete, _):
            result.operation = .update
            result.changedFields = allFields
            result.cascade = nil
            result.deletedAt = nil
        case (.update, _):
            let changed = Set(changedFields).union(later.operation == .create ? allFields : later.changedFields)
            result.changedFields = allFields.filter(changed.contains)
        }
        return result
    }
}

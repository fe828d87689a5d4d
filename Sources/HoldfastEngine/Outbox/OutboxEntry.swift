/// One local change that awaits the service: at most one pending entry per record.
///
/// The record itself holds the values; the entry says what became of it since the service last saw it. Later changes
/// fold into the pending entry (``folding(_:)``).
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
    public enum Stage: Int64, Sendable, Hashable {
        /// Sent, without an answer yet.
        case inFlight = 0
        /// Not yet sent; later changes of the record fold into it.
        case pending = 1
    }

    /// The model's name.
    public var model: String
    /// The record's key as text: ``RecordKey/outboxText``.
    public var key: String
    /// Where the entry is on its way.
    public var stage: Stage
    /// The place in the queue: microseconds since 1970-01-01T00:00Z, moved behind all earlier changes of the process and
    /// behind the changes of other processes that this one builds on.
    public var position: Int64
    /// What happened.
    public var operation: Operation
    /// The fields an update changed, in the model's order; empty for creations and deletions.
    public var changedFields: [String]
    /// The service's version of the record on which the change is based; `nil` if it has none.
    public var baseVersion: Int64?

    /// Creates an entry.
    public init(
        model: String, key: String, stage: Stage = .pending, position: Int64, operation: Operation,
        changedFields: [String] = [], baseVersion: Int64? = nil
    ) {
        self.model = model
        self.key = key
        self.stage = stage
        self.position = position
        self.operation = operation
        self.changedFields = changedFields
        self.baseVersion = baseVersion
    }

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
    /// The place in the queue and the base version stay those of the pending entry.
    public func folding(_ later: OutboxEntry, allFields: [String]) -> OutboxEntry? {
        var result = self
        switch (operation, later.operation) {
        case (.create, .delete): return nil
        case (.create, _): break
        case (_, .delete):
            result.operation = .delete
            result.changedFields = []
        case (.delete, _):
            result.operation = .update
            result.changedFields = allFields
        case (.update, _):
            let changed = Set(changedFields).union(later.operation == .create ? allFields : later.changedFields)
            result.changedFields = allFields.filter(changed.contains)
        }
        return result
    }
}

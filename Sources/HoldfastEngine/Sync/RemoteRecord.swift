package import HoldfastStorage

/// What a service said of one record.
package struct RemoteRecord: Sendable, Hashable {
    /// The record's key.
    package var key: RecordKey
    /// All cells in the order of the entity's fields, in canonical form; `nil` for a deleted record.
    package var row: [Value]?
    /// The service's version.
    package var version: Int64
    /// When the service last changed it, in milliseconds since 1970-01-01T00:00Z.
    package var lastChangedAt: Int64
    /// Whether it is among the records that are asked for; `true` by default.
    package var isInScope: Bool
    /// Whether an event said it: what its sender did not ask for is null, whatever the service has.
    package var isEvent: Bool

    /// Whether the service has deleted it.
    package var isDeleted: Bool { row == nil }

    /// Creates what a service said.
    package init(
        key: RecordKey, row: [Value]?, version: Int64, lastChangedAt: Int64, isInScope: Bool = true,
        isEvent: Bool = false
    ) {
        self.key = key
        self.row = row
        self.version = version
        self.lastChangedAt = lastChangedAt
        self.isInScope = isInScope
        self.isEvent = isEvent
    }
}

/// A page of a query or some events, all of one model.
package struct RemoteBatch: Sendable {
    /// The model's name.
    package var model: String
    /// The records; of several with one key the newest counts.
    package var records: [RemoteRecord]
    /// What the current models cannot hold.
    package var notStorable: [ShelfItem]
    /// The number of the model's newest full sync, also for events and deltas that come while or after it runs.
    package var generation: Int64
    /// The model's state from now on; `nil` to leave it.
    package var state: ModelState?
    /// Whether local edits of other fields are applied on top of the service's record; otherwise every change of a
    /// record with unsent changes waits for the service's decision.
    package var rebases: Bool

    /// Creates a batch.
    package init(
        model: String, records: [RemoteRecord] = [], notStorable: [ShelfItem] = [], generation: Int64 = 0,
        state: ModelState? = nil, rebases: Bool = true
    ) {
        self.model = model
        self.records = records
        self.notStorable = notStorable
        self.generation = generation
        self.state = state
        self.rebases = rebases
    }
}

/// What became of what a service said.
package struct ApplyReport: Sendable, Hashable {
    /// A record that changed.
    package struct Change: Sendable, Hashable {
        /// The model's name.
        package var model: String
        /// The record's key as text.
        package var key: String
        /// What happened.
        package var kind: ChangeKind
        /// The service's version.
        package var version: Int64?
        /// The record after the change; for a deletion, as it was.
        package var row: [Value]
    }

    /// The records that changed, in the order of the batch.
    package var changes: [Change] = []
    /// Records that are up to date already.
    package var droppedCount = 0
    /// Records whose local edits were applied on top.
    package var rebasedCount = 0
    /// Records that wait on the shelf.
    package var shelvedCount = 0
    /// Records whose keys the store cannot keep, so that nothing is known of them.
    package var unkeptCount = 0
    /// Whether an event left less of a record than there was, which a query of the service may have all the same.
    package var mayLackValues = false
    /// Local changes that were given up.
    package var deadLetters: [DeadLetter] = []
    /// Mutations that were answered, and of which something is left: it is sent again, or was given up.
    package var unfinished: Set<OutgoingMutation.ID> = []

    /// How many records became such.
    package func count(_ kind: ChangeKind) -> Int { changes.count { $0.kind == kind } }

    /// Creates an empty report.
    package init() {}

    /// Adds what another commit did.
    mutating func add(_ other: ApplyReport) {
        changes += other.changes
        droppedCount += other.droppedCount
        rebasedCount += other.rebasedCount
        shelvedCount += other.shelvedCount
        unkeptCount += other.unkeptCount
        mayLackValues = mayLackValues || other.mayLackValues
        deadLetters += other.deadLetters
        unfinished.formUnion(other.unfinished)
    }
}

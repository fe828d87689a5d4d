package import HoldfastStorage

/// One step of a differential run.
package enum DifferentialStep: Sendable {
    /// A commit; its versions and sequences are the reference's.
    case commit(CommitRequest)
    /// A query, pulled in batches of a number of rows.
    case query(QueryPlan, batch: Int, from: Int?)
    /// A query scanned page by page with cursors.
    case readPages(QueryPlan, page: Int, from: Int?)
    /// Aggregates.
    case aggregate(AggregatePlan, from: Int?)
    /// A read by key.
    case get(String, [RecordKey], from: Int?)
    /// Opens a snapshot under a number and keeps it; `from` in other steps names it.
    case open(Int)
    /// Closes the snapshot of that number.
    case close(Int)
    /// Closes the store and opens it again, where the run says how.
    case reopen
    /// Closes the store and opens it again with a wider schema.
    case widen(SchemaWidening)
}

/// A schema and what is done with it: all that a differential run depends on.
package struct DifferentialCase: Sendable {
    /// The entities.
    package var entities: [EntitySchema]
    /// The steps, in order.
    package var steps: [DifferentialStep]

    /// Creates a case.
    package init(entities: [EntitySchema], steps: [DifferentialStep]) {
        self.entities = entities
        self.steps = steps
    }

    /// The case of a seed.
    package static func random(
        seed: UInt64, configuration: DifferentialConfiguration = DifferentialConfiguration()
    ) throws(StorageError) -> DifferentialCase {
        try CaseGenerator.makeCase(seed: seed, configuration: configuration)
    }
}

/// What a run may ask of an adapter.
package struct DifferentialConfiguration: Sendable {
    /// Steps of one run; 40 by default.
    package var stepCount = 40
    /// Whether schemas have unique indexes.
    package var hasUniqueIndexes = true
    /// Whether names of entities and fields are chosen to provoke mistakes.
    package var hasNastyNames = true
    /// How to close a store and open it again with its data; `nil` leaves such steps out.
    package var reopen: (@Sendable (Store, StorageSchema) async throws -> Store)?
    /// Whether the schema changes between sessions; needs ``reopen``.
    package var widensSchema = false
    /// Runs that shrinking may take.
    package var shrinkTries = 600

    /// Creates a configuration.
    package init(
        stepCount: Int = 40, hasUniqueIndexes: Bool = true, hasNastyNames: Bool = true, widensSchema: Bool = false,
        shrinkTries: Int = 600,
        reopen: (@Sendable (Store, StorageSchema) async throws -> Store)? = nil
    ) {
        self.stepCount = stepCount
        self.hasUniqueIndexes = hasUniqueIndexes
        self.hasNastyNames = hasNastyNames
        self.widensSchema = widensSchema
        self.shrinkTries = shrinkTries
        self.reopen = reopen
    }
}

/// A disagreement between an adapter and the reference.
package struct DifferentialMismatch: Sendable {
    /// The step at which they part; the number of steps for the final look at the whole store.
    package var step: Int
    /// What the reference says.
    package var expected: String
    /// What the adapter says.
    package var got: String
}

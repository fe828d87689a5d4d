/// A list of clauses with its version: what a run checks.
public struct Suite: Sendable {
    /// The version of the adapter contract that the clauses describe.
    public static let contractVersion = "1.0"

    /// The version of the list; raised with every clause that is added, changed or withdrawn.
    public let version: String
    /// The clauses, in the order in which an author meets them.
    public let clauses: [Clause]

    /// Creates a suite.
    ///
    /// - Parameters:
    ///   - version: Major, minor, patch.
    ///   - clauses: With ids that occur once.
    public init(version: String, clauses: [Clause]) {
        precondition(Set(clauses.map(\.id)).count == clauses.count, "clause ids occur once")
        self.version = version
        self.clauses = clauses
    }

    /// The ids of the clauses, in order.
    public var clauseIDs: [String] { clauses.map(\.id) }

    /// Every clause of the adapter contract, family by family.
    public static let adapter = Suite(version: "1.1.0", clauses: families.flatMap { $0 })

    private static let families: [[Clause]] = [
        Clause.text,
        Clause.longIndexedText,
        Clause.names,
        Clause.numbers,
        Clause.predicates,
        Clause.largePredicates,
        Clause.lists,
        Clause.temporal,
        Clause.temporalZones,
        Clause.order,
        Clause.orderOfPageSizes,
        Clause.aggregates,
        Clause.aggregatesOfMany,
        Clause.mapping,
        Clause.writes,
        Clause.preconditions,
        Clause.failedPreconditions,
        Clause.isolation,
        Clause.isolationOfSequences,
        Clause.cancellation,
        Clause.cancellationInSnapshots,
        Clause.errors,
        Clause.errorsOfDisks,
        Clause.limits,
        Clause.limitsOfCounts,
        Clause.lifecycle,
        Clause.lifecycleOfBackups,
        Clause.lifecycleOfClosing,
        Clause.schema,
        Clause.schemaCarried,
        Clause.schemaReturning,
        Clause.feed,
        Clause.feedLogs,
        Clause.feedsAtOnce,
        Clause.crash,
        Clause.power,
        Clause.powerMigrations,
        Clause.processes,
        Clause.processesOfCreation,
        Clause.resources,
        Clause.resourcesOfGrowth,
        Clause.histories,
        Clause.engine,
    ]
}

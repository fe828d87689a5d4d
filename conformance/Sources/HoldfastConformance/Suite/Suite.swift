/// Families of clauses with a version: what a run checks.
public struct Suite: Sendable {
    /// The version of the adapter contract that the clauses describe.
    public static let contractVersion = "1.5"

    /// The version of the list; raised with every clause that is added, changed or withdrawn.
    public let version: String
    /// The families, in the order in which an author meets them.
    public let families: [Family]
    /// The clauses of all families, in order.
    public let clauses: [Clause]

    /// Creates a suite.
    ///
    /// - Parameters:
    ///   - version: Major, minor, patch.
    ///   - families: With ids of clauses that occur once.
    public init(version: String, families: [Family]) {
        clauses = families.flatMap(\.clauses)
        precondition(Set(clauses.map(\.id)).count == clauses.count, "clause ids occur once")
        self.version = version
        self.families = families
    }

    /// The ids of the clauses, in order.
    public var clauseIDs: [String] { clauses.map(\.id) }

    /// The suite with only those clauses that a condition holds for.
    public func filtered(_ isIncluded: (Clause) -> Bool) -> Suite {
        let families = families.map { Family($0.id, $0.title, $0.clauses.filter(isIncluded)) }
        return Suite(version: version, families: families.filter { !$0.clauses.isEmpty })
    }

    /// The same clauses, beginning with one of them; those before it come last.
    ///
    /// - Parameter id: The clause's id; the suite stays as it is if it has none of this id.
    /// - Returns: The suite in that order.
    public func beginning(with id: String?) -> Suite {
        guard let index = clauses.firstIndex(where: { $0.id == id }) else { return self }
        let before = Set(clauses[..<index].map(\.id))
        let rest = filtered { !before.contains($0.id) }
        return Suite(version: version, families: rest.families + filtered { before.contains($0.id) }.families)
    }

    /// Every clause of the adapter contract.
    ///
    /// A family is declared here and nowhere else.
    public static let adapter = Suite(
        version: "1.18.0",
        families: [
            Family("TXT", "text", Clause.text),
            Family("NAM", "names", Clause.names),
            Family("NUM", "numbers and booleans", Clause.numbers),
            Family("PRD", "predicates and nulls", Clause.predicates),
            Family("LST", "lists, JSON and bytes", Clause.lists),
            Family("TIM", "dates, times and instants", Clause.temporal),
            Family("ORD", "order, pages and delivery", Clause.order),
            Family("VER", "order by version", Clause.versions),
            Family("AGG", "aggregates", Clause.aggregates),
            Family("MAP", "type mapping", Clause.mapping),
            Family("WRT", "writes", Clause.writes),
            Family("PRE", "preconditions and unique indexes", Clause.preconditions),
            Family("ISO", "isolation and concurrency", Clause.isolation),
            Family("CAN", "cancellation and executors", Clause.cancellation),
            Family("ERR", "errors and what they leave behind", Clause.errors),
            Family("LIM", "limits and sizes", Clause.limits),
            Family("LIF", "opening, closing, reopening", Clause.lifecycle),
            Family("SCH", "schema change and migration", Clause.schema),
            Family("FED", "the change feed", Clause.feed),
            Family("CRS", "process crashes", Clause.crash),
            Family("PWR", "power loss", Clause.power),
            Family("PRC", "several processes", Clause.processes),
            Family("RES", "memory, handles and files", Clause.resources),
            Family("HIS", "random histories", Clause.histories),
        ])
}

/// A subject of the contract and its clauses.
public struct Family: Sendable {
    /// The three letters with which the ids of its clauses begin.
    public let id: String
    /// What the clauses are about, in a few words.
    public let title: String
    /// The clauses, in the order in which they are checked.
    public let clauses: [Clause]

    /// Creates a family.
    ///
    /// - Parameters:
    ///   - id: Three letters.
    ///   - title: What the clauses are about, in a few words.
    ///   - clauses: With ids that begin with the letters.
    public init(_ id: String, _ title: String, _ clauses: [Clause]) {
        precondition(clauses.allSatisfy { $0.family == id }, "ids of clauses begin with the letters of their family")
        self.id = id
        self.title = title
        self.clauses = clauses
    }

    /// Whether some clauses ask for a store that outlives its adapter.
    public var needsPersistence: Bool { clauses.contains { $0.requirement?.needsPersistence ?? false } }
}

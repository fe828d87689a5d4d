public import HoldfastConformance

extension Suite {
    /// The clauses of ``Suite/adapter``, then those of the storage engine on the adapter.
    public static let complete = Suite(
        version: adapter.version,
        families: adapter.families + [Family("ENG", "the storage engine", Clause.engine)])
}

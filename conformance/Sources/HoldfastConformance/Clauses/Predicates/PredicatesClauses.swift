extension Clause {
    /// Predicates, nulls, and the logic of both.
    static let predicates: [Clause] = []
}

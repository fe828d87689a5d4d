extension Clause {
    /// Names of entities, fields and indexes, and what may be smuggled through them.
    static let names: [Clause] = []
}

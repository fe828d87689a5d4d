extension Clause {
    /// Preconditions and unique indexes.
    static let preconditions: [Clause] = []
}

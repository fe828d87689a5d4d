extension Clause {
    /// Schema change and migration.
    static let schema: [Clause] = []
}

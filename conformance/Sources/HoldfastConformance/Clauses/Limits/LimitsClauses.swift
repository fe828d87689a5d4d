extension Clause {
    /// Declared limits, large values, large results.
    static let limits: [Clause] = []
}

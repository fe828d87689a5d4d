extension Clause {
    /// Figures.
    static let aggregates: [Clause] = []
}

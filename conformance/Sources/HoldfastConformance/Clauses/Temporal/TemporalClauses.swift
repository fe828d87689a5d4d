extension Clause {
    /// Dates, times, instants.
    static let temporal: [Clause] = []
}

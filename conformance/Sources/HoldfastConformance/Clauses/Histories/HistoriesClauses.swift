extension Clause {
    /// Random histories against the executable model.
    static let histories: [Clause] = []
}

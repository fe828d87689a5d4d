extension Clause {
    /// Integers, doubles, booleans.
    static let numbers: [Clause] = []
}

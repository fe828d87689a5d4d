extension Clause {
    /// Cancellation, and calls that block nobody.
    static let cancellation: [Clause] = []
}

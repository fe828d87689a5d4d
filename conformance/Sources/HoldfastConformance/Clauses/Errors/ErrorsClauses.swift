extension Clause {
    /// Errors, their fate, and the state they leave.
    static let errors: [Clause] = []
}

extension Clause {
    /// The death of the process.
    static let crash: [Clause] = []
}

extension Clause {
    /// The loss of power.
    static let power: [Clause] = []
}

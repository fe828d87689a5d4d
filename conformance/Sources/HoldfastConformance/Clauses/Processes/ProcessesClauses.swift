extension Clause {
    /// Several processes on one store.
    static let processes: [Clause] = []
}

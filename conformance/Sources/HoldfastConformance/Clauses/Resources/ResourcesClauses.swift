extension Clause {
    /// Memory, handles, files.
    static let resources: [Clause] = []
}

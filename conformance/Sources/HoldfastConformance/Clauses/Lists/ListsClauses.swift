extension Clause {
    /// Lists, JSON and bytes.
    static let lists: [Clause] = []
}

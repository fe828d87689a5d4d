extension Clause {
    /// Every cell of the type-mapping table on every path.
    static let mapping: [Clause] = []
}

extension Clause {
    /// Sorting, pages, cursors and the delivery of results.
    static let order: [Clause] = []
}

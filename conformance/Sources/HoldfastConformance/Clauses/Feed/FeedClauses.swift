extension Clause {
    /// The change feed.
    static let feed: [Clause] = []
}

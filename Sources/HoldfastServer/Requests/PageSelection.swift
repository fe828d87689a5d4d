/// What a request selects of a page of records.
struct PageSelection: Sendable {
    /// A member of the object that a page becomes.
    enum Content: Sendable {
        case typename
        /// The records: a position in ``PageSelection/items``.
        case items(Int)
        case nextToken
        case startedAt
        /// A field that is not shown.
        case denied(String)
    }

    var model: ServerModel
    var entries: [(response: String, content: Content)]
    /// What is selected of the records, once for each time that they are selected.
    var items: [RecordSelection]
}

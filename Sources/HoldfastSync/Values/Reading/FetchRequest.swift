/// A request for a page.
struct FetchRequest: Sendable, Hashable {
    /// The model's name.
    var model: String
    /// The watermark of a delta query; `nil` for a base query.
    var since: Int64?
    /// The token of the page; `nil` for the first one.
    var token: String?
    /// How many records it may have.
    var limit: Int
    /// Whether the sync expression is sent along.
    var isFiltered: Bool
    /// The mode of authorization.
    var mode: Int
}

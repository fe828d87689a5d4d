public import HoldfastModel

/// A page of a sync query.
public struct PaginatedList<ModelType: Model>: Decodable, Sendable {
    /// The records, those that were deleted among them.
    public let items: [MutationSync<ModelType>]
    /// The token of the next page; `nil` on the last one.
    public let nextToken: String?
    /// When the service began to answer, in milliseconds since 1970-01-01T00:00Z; the next query's `lastSync`.
    public let startedAt: Int64?

    /// Creates a page.
    public init(items: [MutationSync<ModelType>], nextToken: String?, startedAt: Int64?) {
        self.items = items
        self.nextToken = nextToken
        self.startedAt = startedAt
    }
}

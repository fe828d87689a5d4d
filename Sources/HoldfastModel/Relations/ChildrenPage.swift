public import HoldfastStorage

/// The records that a ``ChildrenRequest`` found.
public struct ChildrenPage<M: Model>: Sendable {
    /// The records, in key order.
    public var models: [M]
    /// The key after which the next page begins; `nil` on the last page, and where ``pageToken`` says it.
    public var next: RecordKey?
    /// What a service wants to see again with the request for the next page; `nil` on the last page, and for stores.
    public var pageToken: String?

    /// Creates a page; the last one by default.
    public init(_ models: [M], next: RecordKey? = nil, pageToken: String? = nil) {
        self.models = models
        self.next = next
        self.pageToken = pageToken
    }
}

public import HoldfastStorage

/// Where relations find their records: the store that a model was read from.
public protocol ModelLoader: Sendable {
    /// The record of a key, or `nil` if there is none.
    func load<M: Model>(_ type: M.Type, key: RecordKey) async throws -> M?

    /// Records of a model that lead to one record, in key order.
    func loadChildren<M: Model>(_ type: M.Type, _ request: ChildrenRequest) async throws -> ChildrenPage<M>
}

/// Which records of a model a list asks for.
public struct ChildrenRequest: Sendable, Hashable {
    /// The fields of the model that lead to the parent: a field that belongs to it, or those that hold its key.
    public var fields: [String]
    /// The parent's key.
    public var parent: RecordKey
    /// At most so many records; `nil` for all.
    public var limit: Int?
    /// Only records after this key; `nil` for the first page.
    public var after: RecordKey?
    /// The ``ChildrenPage/pageToken`` of the page before; `nil` for the first page and for stores.
    public var pageToken: String?
    /// The parent's model, in a list that a service answered; `nil` for stores, which go by the fields.
    package var parentModel: ModelName?
    /// The parent's field that is the list; `nil` as ``parentModel``.
    package var parentField: ModelFieldName?

    /// Creates a request for all records that lead to a parent, or for a page of them.
    public init(
        fields: [String], parent: RecordKey, limit: Int? = nil, after: RecordKey? = nil, pageToken: String? = nil
    ) {
        self.fields = fields
        self.parent = parent
        self.limit = limit
        self.after = after
        self.pageToken = pageToken
    }
}

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

public import HoldfastStorage

/// Which records of a model a list asks for.
public struct ChildrenRequest: Sendable, Hashable {
    /// The fields of the model that lead to the parent: a field that belongs to it, or those that hold its key.
    public var fields: [String]
    /// The parent's key.
    public var parent: RecordKey
    /// The largest number of records; `nil` for all.
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

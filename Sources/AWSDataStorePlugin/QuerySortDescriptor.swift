/// Which end of an order comes first.
public enum QuerySortOrder: String, Sendable, Hashable {
    /// The smallest; nulls before everything.
    case ascending = "asc"
    /// The largest; nulls after everything.
    case descending = "desc"
}

/// One criterion of a sort, by a field's name or a path with periods.
public struct QuerySortDescriptor: Sendable, Hashable {
    /// The field's name.
    public let fieldName: String
    /// Which end comes first.
    public let order: QuerySortOrder

    /// Creates a criterion.
    public init(fieldName: String, order: QuerySortOrder) {
        self.fieldName = fieldName
        self.order = order
    }
}

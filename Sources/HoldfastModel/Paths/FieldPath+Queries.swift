extension FieldPath: QueryFieldOperation {
    /// The names of the steps with periods between them, as predicates across relations take them.
    public var fieldName: String { steps.joined(separator: ".") }
}

extension Model {
    /// Where typed paths through the model begin: `Post.path.blog.name == "x"`.
    public static var path: ModelPath<Self> { rootPath as? ModelPath<Self> ?? ModelPath() }
}

extension ModelPath {
    /// The relation at which the path ends, to build comparisons of it.
    public var relation: QueryField { QueryField(fieldName: getKeyPath()) }

    /// Whether the relation leads to a record, by its key.
    public static func == (path: ModelPath, model: ModelType) -> QueryPredicateOperation { path.relation.eq(model) }

    /// The complement of `==`; true on an empty relation to at most one record.
    public static func != (path: ModelPath, model: ModelType) -> QueryPredicateOperation { path.relation.ne(model) }
}

extension QuerySortBy {
    /// Smallest first, nulls before everything, by a path.
    public static func ascending(_ path: FieldPath<some Any>) -> QuerySortBy {
        .ascending(FieldKey(stringValue: path.fieldName))
    }

    /// Largest first, nulls after everything, by a path.
    public static func descending(_ path: FieldPath<some Any>) -> QuerySortBy {
        .descending(FieldKey(stringValue: path.fieldName))
    }

    /// Smallest first, nulls before everything, by a field's name or a path with periods.
    public static func ascending(_ field: String) -> QuerySortBy { .ascending(FieldKey(stringValue: field)) }

    /// Largest first, nulls after everything, by a field's name or a path with periods.
    public static func descending(_ field: String) -> QuerySortBy { .descending(FieldKey(stringValue: field)) }
}

extension QuerySortInput {
    /// A sort by one path, smallest first.
    public static func ascending(_ path: FieldPath<some Any>) -> QuerySortInput { .by(.ascending(path)) }

    /// A sort by one path, largest first.
    public static func descending(_ path: FieldPath<some Any>) -> QuerySortInput { .by(.descending(path)) }

    /// A sort by one field's name or a path with periods, smallest first.
    public static func ascending(_ field: String) -> QuerySortInput { .by(.ascending(field)) }

    /// A sort by one field's name or a path with periods, largest first.
    public static func descending(_ field: String) -> QuerySortInput { .by(.descending(field)) }
}

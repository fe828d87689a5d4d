/// One criterion of a sort.
public enum QuerySortBy {
    /// Smallest first, nulls before everything.
    case ascending(any CodingKey)
    /// Largest first, nulls after everything.
    case descending(any CodingKey)
}

/// The order of query results; the primary key decides ties.
///
/// ```swift
/// let sort = QuerySortInput.by(.descending(Post.keys.rating), .ascending(Post.keys.title))
/// let titles = try await store.query(Post.self, sort: sort).map(\.title)  // ["Hold fast", "Hold on", "Let go"]
/// ```
public struct QuerySortInput: Sendable {
    /// A criterion as the store sees it.
    struct Criterion: Sendable {
        let field: String
        let isDescending: Bool
    }

    let criteria: [Criterion]

    /// The criteria, most significant first.
    public var inputs: [QuerySortBy] {
        criteria.map { criterion in
            let key = FieldKey(stringValue: criterion.field)
            return criterion.isDescending ? .descending(key) : .ascending(key)
        }
    }

    /// Creates a sort from criteria, most significant first.
    public init(_ inputs: [QuerySortBy]) {
        criteria = inputs.map { input in
            switch input {
            case .ascending(let key): Criterion(field: key.stringValue, isDescending: false)
            case .descending(let key): Criterion(field: key.stringValue, isDescending: true)
            }
        }
    }

    /// A sort by several criteria, most significant first.
    public static func by(_ inputs: QuerySortBy...) -> QuerySortInput { QuerySortInput(inputs) }

    /// A sort by one field, smallest first.
    public static func ascending(_ field: any CodingKey) -> QuerySortInput { QuerySortInput([.ascending(field)]) }

    /// A sort by one field, largest first.
    public static func descending(_ field: any CodingKey) -> QuerySortInput { QuerySortInput([.descending(field)]) }
}

/// A field's name as a key.
struct FieldKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Something that names a field and builds comparisons of it.
public protocol QueryFieldOperation {
    /// The field's name.
    var fieldName: String { get }
}

/// A field by its name.
public struct QueryField: QueryFieldOperation, Sendable {
    /// The field's name.
    public let fieldName: String
}

/// A field by its name, to build comparisons of it.
///
/// ```swift
/// let good = try await store.query(Post.self, where: field("rating").between(start: 4, end: 5))
/// let unrated = try await store.query(Post.self, where: field("rating").attributeExists(false))
/// ```
public func field(_ name: String) -> QueryField { QueryField(fieldName: name) }

extension QueryFieldOperation {
    /// Whether the field has a value (`true`) or none (`false`).
    public func attributeExists(_ value: Bool) -> QueryPredicateOperation { operation(.attributeExists(value)) }

    /// Whether a text begins with another.
    public func beginsWith(_ value: String) -> QueryPredicateOperation { operation(.beginsWith(value)) }

    /// Whether the field lies between two values, both included.
    public func between(start: any Persistable, end: any Persistable) -> QueryPredicateOperation {
        operation(.between(start: start, end: end))
    }

    /// Whether a text contains another, or a list an element.
    public func contains(_ value: String) -> QueryPredicateOperation { operation(.contains(value)) }

    /// The complement of ``contains(_:)``; true on null.
    public func notContains(_ value: String) -> QueryPredicateOperation { operation(.notContains(value)) }

    /// Whether the field equals a value; `nil` asks for null.
    public func eq(_ value: (any Persistable)?) -> QueryPredicateOperation { operation(.equals(value)) }

    /// Whether the field equals a case.
    public func eq(_ value: any EnumPersistable) -> QueryPredicateOperation { operation(.equals(value.rawValue)) }

    /// Whether the field is greater or equal.
    public func ge(_ value: any Persistable) -> QueryPredicateOperation { operation(.greaterOrEqual(value)) }

    /// Whether the field is greater.
    public func gt(_ value: any Persistable) -> QueryPredicateOperation { operation(.greaterThan(value)) }

    /// Whether the field is less or equal.
    public func le(_ value: any Persistable) -> QueryPredicateOperation { operation(.lessOrEqual(value)) }

    /// Whether the field is less.
    public func lt(_ value: any Persistable) -> QueryPredicateOperation { operation(.lessThan(value)) }

    /// The complement of `eq`; true on null.
    public func ne(_ value: (any Persistable)?) -> QueryPredicateOperation { operation(.notEqual(value)) }

    /// The complement of `eq` for a case; true on null.
    public func ne(_ value: any EnumPersistable) -> QueryPredicateOperation { operation(.notEqual(value.rawValue)) }

    private func operation(_ operation: QueryOperator) -> QueryPredicateOperation {
        QueryPredicateOperation(field: fieldName, operator: operation)
    }
}

extension QueryFieldOperation {
    /// ``contains(_:)``.
    public static func ~= (key: Self, value: String) -> QueryPredicateOperation { key.contains(value) }

    /// `eq(_:)` of a value.
    public static func == (key: Self, value: (any Persistable)?) -> QueryPredicateOperation { key.eq(value) }

    /// ``eq(_:)-(EnumPersistable)`` for a case.
    public static func == (key: Self, value: any EnumPersistable) -> QueryPredicateOperation { key.eq(value) }

    /// ``ge(_:)``.
    public static func >= (key: Self, value: any Persistable) -> QueryPredicateOperation { key.ge(value) }

    /// ``gt(_:)``.
    public static func > (key: Self, value: any Persistable) -> QueryPredicateOperation { key.gt(value) }

    /// ``le(_:)``.
    public static func <= (key: Self, value: any Persistable) -> QueryPredicateOperation { key.le(value) }

    /// ``lt(_:)``.
    public static func < (key: Self, value: any Persistable) -> QueryPredicateOperation { key.lt(value) }

    /// `ne(_:)` of a value.
    public static func != (key: Self, value: (any Persistable)?) -> QueryPredicateOperation { key.ne(value) }

    /// ``ne(_:)-(EnumPersistable)`` for a case.
    public static func != (key: Self, value: any EnumPersistable) -> QueryPredicateOperation { key.ne(value) }
}

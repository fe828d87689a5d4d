public import HoldfastStorage

/// A filter or condition that a client sent: what the store can be asked for, and what is decided row by row.
public struct ReceivedFilter: Sendable, Hashable {
    /// What the store is asked for, by the names of the filter's fields; true wherever the filter is.
    public private(set) var predicate: Predicate
    /// What is left to decide for the records that satisfy ``predicate``; `nil` if nothing is.
    public private(set) var residual: FilterCondition?

    /// Reads a filter.
    ///
    /// Operators of one field must all hold; in a subscription's filter one of them. A null condition demands nothing.
    ///
    /// - Parameters:
    ///   - json: The filter; null for everything.
    ///   - dialect: Where it was sent.
    ///   - maximumDepth: How deep `and`, `or`, and `not` may be nested; 16 by default.
    ///   - type: The type of a field, or `nil` if the model has no such field.
    /// - Throws: ``WireError`` with the place: `.mismatch` for operands that the field cannot have, `.unsupported` for
    ///   unknown fields and operators, `.limit` for too much nesting.
    public init(
        _ json: JSONValue, in dialect: FilterDialect = .query, maximumDepth: Int = 16,
        type: (String) -> FieldType?
    ) throws(WireError) {
        let reader = FilterReader(dialect: dialect)
        let condition = try reader.condition(json, depth: maximumDepth, type)
        predicate = condition.predicate.normal
        residual = condition.residual
    }
}

/// A condition on one record, of predicates of the store and of checks.
public indirect enum FilterCondition: Sendable, Hashable {
    /// A predicate of the store.
    case predicate(Predicate)
    /// What no predicate can say.
    case check(FilterCheck)
    /// All must hold; true when empty.
    case and([FilterCondition])
    /// One must hold; false when empty.
    case or([FilterCondition])
    /// The complement.
    case not(FilterCondition)

    /// Whether a record satisfies the condition.
    ///
    /// - Parameters:
    ///   - value: The record's value of a field.
    ///   - predicate: Whether the record satisfies a predicate.
    /// - Returns: `true` if the condition is true of the record.
    public func matches(value: (String) -> Value, predicate: (Predicate) -> Bool) -> Bool {
        switch self {
        case .predicate(let condition): predicate(condition)
        case .check(let check): check.matches(value(check.field))
        case .and(let parts): parts.allSatisfy { $0.matches(value: value, predicate: predicate) }
        case .or(let parts): parts.contains { $0.matches(value: value, predicate: predicate) }
        case .not(let inner): !inner.matches(value: value, predicate: predicate)
        }
    }

    /// A predicate that is true wherever the condition is.
    var predicate: Predicate {
        switch self {
        case .predicate(let predicate): predicate
        case .check: .all
        case .and(let parts): .and(parts.map(\.predicate))
        case .or(let parts): .or(parts.map(\.predicate))
        case .not(let inner): residual == nil ? .not(inner.predicate) : .all
        }
    }

    /// What ``predicate`` does not say.
    var residual: FilterCondition? {
        switch self {
        case .predicate: return nil
        case .check: return self
        case .and(let parts):
            let residuals = parts.compactMap(\.residual)
            return residuals.count > 1 ? .and(residuals) : residuals.first
        case .or(let parts): return parts.contains { $0.residual != nil } ? self : nil
        case .not(let inner): return inner.residual == nil ? nil : self
        }
    }
}

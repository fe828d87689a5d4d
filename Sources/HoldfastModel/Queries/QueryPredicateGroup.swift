/// Conditions joined by and, or, or negated.
///
/// A group never changes, so that it can be part of several others.
public final class QueryPredicateGroup: QueryPredicate {
    /// How they are joined.
    public let type: QueryPredicateGroupType
    /// The conditions.
    public let predicates: [any QueryPredicate]

    /// Creates a group.
    public init(type: QueryPredicateGroupType = .and, predicates: [any QueryPredicate] = []) {
        self.type = type
        self.predicates = predicates
    }
}

/// The complement of a condition.
public func not(_ predicate: some QueryPredicate) -> QueryPredicateGroup {
    QueryPredicateGroup(type: .not, predicates: [predicate])
}

extension QueryPredicateGroup {
    /// All must hold; a new group, this one is unchanged.
    public func and(_ predicate: any QueryPredicate) -> QueryPredicateGroup { joined(.and, predicate) }

    /// One must hold; a new group, this one is unchanged.
    public func or(_ predicate: any QueryPredicate) -> QueryPredicateGroup { joined(.or, predicate) }

    /// All must hold.
    public static func && (left: QueryPredicateGroup, right: any QueryPredicate) -> QueryPredicateGroup {
        left.and(right)
    }

    /// One must hold.
    public static func || (left: QueryPredicateGroup, right: any QueryPredicate) -> QueryPredicateGroup {
        left.or(right)
    }

    /// The complement.
    public static prefix func ! (operand: QueryPredicateGroup) -> QueryPredicateGroup { not(operand) }

    private func joined(_ type: QueryPredicateGroupType, _ predicate: any QueryPredicate) -> QueryPredicateGroup {
        QueryPredicateGroup(type: type, predicates: (self.type == type ? predicates : [self]) + [predicate])
    }
}

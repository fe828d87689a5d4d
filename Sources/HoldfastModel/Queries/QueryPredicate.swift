/// Something that is true or false of a model.
public protocol Evaluable {
    /// Whether a model satisfies the condition; see ``QueryPredicate``.
    func evaluate(target: any Model) -> Bool
}

/// A condition on a model's fields.
///
/// A condition is a value: joining it with another makes a new one and changes neither.
///
/// ```swift
/// let recent = Post.keys.rating >= 4 && Post.keys.title.beginsWith("H")
/// let others = !recent || Post.keys.rating == nil
/// ```
public protocol QueryPredicate: Evaluable, Encodable, Sendable {}

/// A condition without fields.
public enum QueryPredicateConstant: QueryPredicate {
    /// True for every record.
    case all

    /// Always true.
    public func evaluate(target: any Model) -> Bool { true }
}

/// A comparison of one field.
public final class QueryPredicateOperation: QueryPredicate {
    /// The field's name.
    public let field: String
    /// The comparison.
    public let `operator`: QueryOperator

    /// Creates a comparison.
    public init(field: String, operator: QueryOperator) {
        self.field = field
        self.operator = `operator`
    }
}

/// How the conditions of a group are joined.
public enum QueryPredicateGroupType: String, Sendable, Hashable {
    /// All must hold.
    case and
    /// One must hold.
    case or
    /// None may hold.
    case not
}

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

extension QueryPredicateOperation {
    /// Both must hold.
    public func and(_ predicate: any QueryPredicate) -> QueryPredicateGroup {
        QueryPredicateGroup(type: .and, predicates: [self, predicate])
    }

    /// One must hold.
    public func or(_ predicate: any QueryPredicate) -> QueryPredicateGroup {
        QueryPredicateGroup(type: .or, predicates: [self, predicate])
    }

    /// Both must hold.
    public static func && (left: QueryPredicateOperation, right: any QueryPredicate) -> QueryPredicateGroup {
        left.and(right)
    }

    /// One must hold.
    public static func || (left: QueryPredicateOperation, right: any QueryPredicate) -> QueryPredicateGroup {
        left.or(right)
    }

    /// The complement.
    public static prefix func ! (operand: QueryPredicateOperation) -> QueryPredicateGroup { not(operand) }
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

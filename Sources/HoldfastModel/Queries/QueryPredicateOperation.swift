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

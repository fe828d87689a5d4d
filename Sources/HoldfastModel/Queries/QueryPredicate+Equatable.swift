extension QueryPredicateOperation: Equatable {
    /// Whether both compare the same field in the same way; see ``QueryOperator``.
    public static func == (left: QueryPredicateOperation, right: QueryPredicateOperation) -> Bool {
        left.field == right.field && left.operator == right.operator
    }
}

extension QueryPredicateGroup: Equatable {
    /// Whether both join equal conditions in the same way and order.
    public static func == (left: QueryPredicateGroup, right: QueryPredicateGroup) -> Bool {
        left.type == right.type
            && left.predicates.elementsEqual(right.predicates) { left, right in
                (left as? any Equatable)?.isEqual(to: right) ?? false
            }
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}

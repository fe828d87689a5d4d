/// A condition without fields.
public enum QueryPredicateConstant: QueryPredicate {
    /// True for every record.
    case all

    /// Always true.
    public func evaluate(target: any Model) -> Bool { true }
}

extension Predicate.Comparison {
    /// Whether the comparison is true of two values that are ordered like this.
    package func isTrue(of ordering: Ordering) -> Bool {
        switch self {
        case .equal: ordering == .equal
        case .notEqual: ordering != .equal
        case .less: ordering == .ascending
        case .lessOrEqual: ordering != .descending
        case .greater: ordering == .descending
        case .greaterOrEqual: ordering != .ascending
        }
    }
}

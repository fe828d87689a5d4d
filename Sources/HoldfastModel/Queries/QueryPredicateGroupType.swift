/// How the conditions of a group are joined.
public enum QueryPredicateGroupType: String, Sendable, Hashable {
    /// All must hold.
    case and
    /// One must hold.
    case or
    /// None may hold.
    case not
}

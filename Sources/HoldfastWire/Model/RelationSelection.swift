/// How much of related records is selected.
public enum RelationSelection: Sendable, Hashable {
    /// Their keys, and whether they were deleted.
    case keys
    /// All their fields, so that subscribers who ask for them get them; not their relations.
    case fields
}

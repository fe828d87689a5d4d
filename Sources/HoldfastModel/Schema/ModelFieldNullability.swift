/// Whether a field must have a value.
public enum ModelFieldNullability: Sendable, Hashable {
    /// May be null.
    case optional
    /// Is never null.
    case required

    /// Whether null is refused.
    var isRequired: Bool { self == .required }
}

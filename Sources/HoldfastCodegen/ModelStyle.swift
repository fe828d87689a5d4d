/// How models hold the records that they relate to.
public enum ModelStyle: String, Hashable, Sendable, CaseIterable {
    /// Models hold their parents themselves, and lists of their children.
    case eager
    /// Models hold references that load a record when it is asked for, and have paths to their fields.
    case lazy
}

/// One field of an entity: its name, its type, and whether it may be null.
public struct FieldSchema: Sendable, Hashable {
    /// The name; unique within the entity, case-sensitive, 1...255 UTF-8 bytes without NUL.
    public var name: String
    /// What the field holds.
    public var type: FieldType
    /// Whether null is refused.
    public var isRequired: Bool

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: 1...255 UTF-8 bytes; any Unicode text without NUL.
    ///   - type: What the field holds.
    ///   - isRequired: Whether null is refused; `false` by default. Fields of the primary key are always required.
    public init(_ name: String, _ type: FieldType, isRequired: Bool = false) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
    }
}

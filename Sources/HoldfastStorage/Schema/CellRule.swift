/// What the cells of a field must be, as far as most cells need no more to be checked.
///
/// Without references, since it is read for each cell that is written.
struct CellRule: Sendable {
    /// Cells of which only the shape is checked, and for text also that it has no U+0000.
    enum Plain: Sendable { case text, integer, boolean }

    /// What the field holds; `nil` if its type has rules of its own.
    let plain: Plain?
    /// Whether null is refused.
    let isRequired: Bool
    /// Whether the field is part of the primary key.
    let isKey: Bool

    init(_ field: FieldSchema, isKey: Bool) {
        self.isKey = isKey
        isRequired = field.isRequired
        plain =
            switch field.type {
            case .id, .string, .enumeration: .text
            case .int, .timestamp: .integer
            case .boolean: .boolean
            default: nil
            }
    }
}

/// How a predicate compares a field.
///
/// As in SQLite, a number is compared with a text field as its text, and text with a number field as the number that it
/// reads as. Text is compared with a date or time as what ``Temporal`` reads it as; compared with a date-time, a bare day
/// such as `2020-10-10` comes before all instants of that day in UTC. Everything else that the field cannot hold is an
/// error.
public enum QueryOperator: Sendable {
    /// Not equal; true on null unless the operand is `nil`.
    case notEqual((any Persistable)?)
    /// Equal; `nil` asks for null.
    case equals((any Persistable)?)
    /// Less or equal; false on null.
    case lessOrEqual(any Persistable)
    /// Less; false on null.
    case lessThan(any Persistable)
    /// Greater or equal; false on null.
    case greaterOrEqual(any Persistable)
    /// Greater; false on null.
    case greaterThan(any Persistable)
    /// A text contains this one, or a list this element; false on null.
    case contains(String)
    /// The complement of `contains`; true on null.
    case notContains(String)
    /// Both bounds inclusive; false on null.
    case between(start: any Persistable, end: any Persistable)
    /// A text begins with this one; false on null.
    case beginsWith(String)
    /// Whether the field has a value, or has none.
    case attributeExists(Bool)
}

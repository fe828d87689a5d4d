/// A condition on the fields of one record; always true or false, never unknown.
///
/// The logic is two-valued: `not(p)` selects exactly the records that `p` does not, also where fields are null.
/// Source: `docs/decisions/0002-semantics-of-queries-and-writes.md`.
///
/// ```swift
/// let isLong = Predicate.compare("pages", .greaterOrEqual, .integer(500))
/// let predicate = Predicate.and([isLong, .not(.beginsWith("title", "E"))])
/// let count = try await store.withSnapshot { try await $0.count("Book", where: predicate) }  // 1
/// ```
public indirect enum Predicate: Sendable, Hashable {
    /// How a field is compared with a value.
    public enum Comparison: Sendable, Hashable, CaseIterable {
        /// Equal; null equals null and nothing else.
        case equal
        /// The complement of `equal`: true on a null field unless the value is null.
        case notEqual
        /// Before the value; false if either side is null.
        case less
        /// Before or equal to the value; false if either side is null.
        case lessOrEqual
        /// After the value; false if either side is null.
        case greater
        /// After or equal to the value; false if either side is null.
        case greaterOrEqual
    }

    /// True or false for every record.
    case constant(Bool)
    /// Compares a field with a value.
    case compare(String, Comparison, Value)
    /// Both bounds inclusive; false if any of the three is null, and for reversed bounds.
    case between(String, Value, Value)
    /// Whether the field equals one of the values; null equals null. Nothing is in an empty list.
    case isIn(String, [Value])
    /// Whether a text begins with these UTF-8 bytes; every non-null text begins with the empty one.
    case beginsWith(String, String)
    /// Whether a text contains these UTF-8 bytes, or a list contains an equal element; false on null.
    case contains(String, Value)
    /// The exact complement.
    case not(Predicate)
    /// True if all are; true when empty.
    case and([Predicate])
    /// True if any is; false when empty.
    case or([Predicate])

    /// True for every record.
    public static let all = Predicate.constant(true)
}

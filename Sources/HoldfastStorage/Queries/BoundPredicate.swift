/// A predicate checked against its entity: fields are positions in a row, operands have the field's type.
///
/// Made by ``StorageSchema/bind(_:limits:)->BoundQuery``; what an adapter translates and what
/// ``matches(_:)-([Value])`` defines.
public indirect enum BoundPredicate: Sendable, Hashable {
    /// True or false for every record.
    case constant(Bool)
    /// Compares the field at a position with a value.
    case compare(Int, Predicate.Comparison, Value)
    /// Both bounds inclusive.
    case between(Int, Value, Value)
    /// Whether the field equals one of the values, which are in ascending order without repetition.
    case isIn(Int, [Value])
    /// Whether the text at a position begins with these bytes.
    case beginsWith(Int, String)
    /// Whether the text at a position contains these bytes.
    case containsText(Int, String)
    /// Whether the list at a position contains an equal element.
    case containsElement(Int, Value)
    /// The exact complement.
    case not(BoundPredicate)
    /// True if all are; true when empty.
    case and([BoundPredicate])
    /// True if any is; false when empty.
    case or([BoundPredicate])
}

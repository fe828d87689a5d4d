/// A number of one kind as seen by a field of the other kind: the nearest values the field can hold on either side.
///
/// Turns `integerField < 2.5` into `integerField <= 2` while a plan is checked, so that adapters compare a field with
/// values of its own kind only and the comparison is exact.
struct NumericOperand {
    /// The largest value of the field's kind that is not above the operand.
    let below: Value?
    /// The smallest value of the field's kind that is not below the operand.
    let above: Value?

    /// The operand itself, if the field can hold it.
    var exact: Value? { below == above ? below : nil }

    /// The view of an operand, or `nil` if it already is of the field's kind or no number at all.
    init?(_ operand: Value, for type: StorageType) {
        switch (type, operand) {
        case (.integer, .double(let double)) where double.isFinite:
            guard double >= -0x1p63 else {
                (below, above) = (nil, .integer(.min))
                return
            }
            guard double < 0x1p63 else {
                (below, above) = (.integer(.max), nil)
                return
            }
            let whole = Int64(double)  // Toward zero, without the C library's rounding.
            below = .integer(Double(whole) > double ? whole - 1 : whole)
            above = .integer(Double(whole) < double ? whole + 1 : whole)
        case (.double, .integer(let integer)):
            let nearest = Double(integer)
            let ordering = ValueOrder.compare(operand, .double(nearest))
            below = .double(ordering == .ascending ? nearest.nextDown : nearest)
            above = .double(ordering == .descending ? nearest.nextUp : nearest)
        default: return nil
        }
    }

    /// The comparison of the field at a position with this operand.
    func comparison(_ position: Int, _ comparison: Predicate.Comparison) -> BoundPredicate {
        if let exact { return .compare(position, comparison, exact) }
        return switch comparison {
        case .equal: .constant(false)
        case .notEqual: .constant(true)
        case .less, .lessOrEqual: below.map { .compare(position, .lessOrEqual, $0) } ?? .constant(false)
        case .greater, .greaterOrEqual: above.map { .compare(position, .greaterOrEqual, $0) } ?? .constant(false)
        }
    }
}

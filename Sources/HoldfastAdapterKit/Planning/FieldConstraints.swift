import HoldfastStorage

/// What the top-level comparisons, alone or in an `and`, say about each field.
struct FieldConstraints {
    /// What a matching record's cell must satisfy, in encoded form; never more than the predicate says.
    struct Field {
        /// The values it can have, ascending without repetition.
        var points: [Value]?
        /// The first encoding it can have.
        var lower: [UInt8]?
        /// The first encoding after those it can have.
        var upper: [UInt8]?

        /// The one value it must have.
        var pinned: Value? { points.flatMap { $0.count == 1 ? $0[0] : nil } }
        /// How many ends the range has, 0...2.
        var endCount: Int { (lower == nil ? 0 : 1) + (upper == nil ? 0 : 1) }
    }

    /// Each with its position in a row; so few that a search takes less than hashing.
    private(set) var fields: [(position: Int, field: Field)] = []
    /// Whether no record can match.
    private(set) var areImpossible = false

    init(_ predicate: BoundPredicate) { collect(predicate) }

    subscript(position: Int) -> Field? { fields.first { $0.position == position }?.field }

    private mutating func set(_ field: Field, at position: Int) {
        if let index = fields.firstIndex(where: { $0.position == position }) {
            fields[index].field = field
        } else {
            fields.append((position, field))
        }
    }

    /// The first encoding after that of null.
    private static let afterNulls = KeyCodec.successor(of: KeyCodec.encode([.null])) ?? []

    private mutating func collect(_ predicate: BoundPredicate) {
        switch predicate {
        case .constant(let truth): if !truth { areImpossible = true }
        case .compare(let position, let comparison, let operand): collect(position, comparison, operand)
        case .between(let position, let lower, let upper):
            collect(position, .greaterOrEqual, lower)
            collect(position, .lessOrEqual, upper)
        case .isIn(let position, let values): restrict(position, to: values)
        case .beginsWith(let position, let text):
            var prefix: [UInt8] = []
            KeyCodec.appendTextPrefix(text, to: &prefix)
            restrict(position, to: ByteRange(prefix: prefix))
        case .and(let all): for predicate in all { collect(predicate) }
        case .or(let any): if any.count == 1 { collect(any[0]) }
        case .containsText, .containsElement, .not: break
        }
    }

    private mutating func collect(_ position: Int, _ comparison: Predicate.Comparison, _ operand: Value) {
        if case .list = operand { return }  // Lists are neither keys nor indexed.
        let afterNulls = Self.afterNulls
        switch comparison {
        case .equal:
            restrict(position, to: [operand])
            return
        case .notEqual:
            if operand.isNull { restrict(position, to: ByteRange(from: afterNulls, to: nil)) }
            return
        default: break
        }
        if operand.isNull {
            areImpossible = true
            return
        }
        let value = ByteRange(prefix: KeyCodec.encode([operand]))
        switch comparison {
        case .less: restrict(position, to: ByteRange(from: afterNulls, to: value.lower))
        case .lessOrEqual: restrict(position, to: ByteRange(from: afterNulls, to: value.upper))
        case .greater: restrict(position, to: ByteRange(from: value.upper ?? [], to: nil))
        default: restrict(position, to: ByteRange(from: value.lower, to: nil))
        }
    }

    private mutating func restrict(_ position: Int, to values: [Value]) {
        var points = values
        var field = self[position] ?? Field()
        if let others = field.points {
            // Both ascend, so one look at each value is enough.
            var rest = others[...]
            points = values.filter { value in
                rest = rest.drop { ValueOrder.compare($0, value) == .ascending }
                return rest.first.map { ValueOrder.areEqual($0, value) } ?? false
            }
        }
        field.points = points
        set(field, at: position)
        if points.isEmpty { areImpossible = true }
    }

    private mutating func restrict(_ position: Int, to range: ByteRange) {
        var field = self[position] ?? Field()
        let both = range.intersection(ByteRange(from: field.lower ?? [], to: field.upper))
        field.lower = both.lower.isEmpty ? nil : both.lower
        field.upper = both.upper
        set(field, at: position)
        if both.isEmpty { areImpossible = true }
    }
}

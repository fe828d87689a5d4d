import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `PRD` must find.
    static let predicates: [Mutant] = predicateNulls + predicateLogic + predicatePlans + largePredicates

    // MARK: Nulls

    private static let predicateNulls: [Mutant] = [
        onNull("not-equal-skips-null", "Not equal skips null.", "PRD-001", false) {
            if case .compare(_, .notEqual, let operand) = $0 { !operand.isNull } else { false }
        },
        indexed("not-equal-skips-null-in-indexes", "Not equal skips null where there is an index.", "PRD-001") {
            part, row in
            guard case .compare(let position, .notEqual, let operand) = part, !operand.isNull, row[position].isNull
            else { return nil }
            return false
        },
        Mutant("not-equal-skips-null-in-groups", "Not equal skips null inside AND.", killedBy: "PRD-001") {
            part, row, _ in
            guard case .and(let all) = part else { return nil }
            return all.allSatisfy { term in
                if case .compare(let position, .notEqual, _) = term, row[position].isNull {
                    false
                } else {
                    term.matches(row)
                }
            }
        },
        Mutant("null-list-equals-any", "A list that is null is not unequal to a list.", killedBy: "PRD-001") {
            part, row, _ in
            guard case .compare(let position, .notEqual, .list) = part, row[position].isNull else { return nil }
            return false
        },
        Mutant("equal-null-selects-nothing", "Nothing equals null.", killedBy: "PRD-002") { part, _, _ in
            if case .compare(_, .equal, .null) = part { false } else { nil }
        },
        Mutant("not-equal-null-selects-nothing", "Nothing is unequal to null.", killedBy: "PRD-002") { part, _, _ in
            if case .compare(_, .notEqual, .null) = part { false } else { nil }
        },
        Mutant("not-equal-null-selects-all", "Everything is unequal to null.", killedBy: "PRD-002") { part, _, _ in
            if case .compare(_, .notEqual, .null) = part { true } else { nil }
        },
        indexed("null-not-indexed", "Null is not found by an index.", "PRD-002") { part, row in
            guard case .compare(let position, .equal, .null) = part, row[position].isNull else { return nil }
            return false
        },
        Mutant("zero-equals-null", "Zero equals null.", killedBy: "PRD-002") { part, row, _ in
            guard case .compare(let position, .equal, .null) = part else { return nil }
            return row[position].isNull || row[position] == .text("") || row[position] == .list([])
        },
        onNull("null-is-less", "Null is less than every value.", "PRD-003", true) {
            $0.isComparison(.less, .lessOrEqual) && !$0.hasNullOperand
        },
        onNull("null-is-at-most-null", "Null is at most null.", "PRD-003", true) {
            $0.isComparison(.lessOrEqual) && $0.hasNullOperand
        },
        onNull("null-is-at-least-null", "Null is at least null.", "PRD-003", true) {
            $0.isComparison(.greaterOrEqual) && $0.hasNullOperand
        },
        Mutant("everything-above-null", "Every value is greater than null.", killedBy: "PRD-003") { part, row, _ in
            guard case .compare(let position, let comparison, .null) = part,
                comparison == .greater || comparison == .greaterOrEqual
            else { return nil }
            return !row[position].isNull
        },
        Mutant("null-bound-is-open", "A null bound of `between` is ignored.", killedBy: "PRD-003") { part, row, _ in
            guard case .between(let position, let lower, let upper) = part, !row[position].isNull else { return nil }
            return (lower.isNull || !row[position].isBefore(lower)) && (upper.isNull || !upper.isBefore(row[position]))
        },
        onNull("null-within-range", "Null lies between any two values.", "PRD-003", true) {
            if case .between = $0 { true } else { false }
        },
        negated("not-less-skips-null", "The negation of a range skips null.", "PRD-003") {
            $0.isComparison(.less, .lessOrEqual, .greater, .greaterOrEqual)
        },
        negated("not-between-skips-null", "The negation of `between` skips null.", "PRD-003") {
            if case .between = $0 { true } else { false }
        },
        negated("not-contains-skips-null", "The negation of `contains` skips null.", "PRD-003") {
            if case .containsText = $0 { true } else { false }
        },
        negated("not-begins-skips-null", "The negation of `beginsWith` skips null.", "PRD-003") {
            if case .beginsWith = $0 { true } else { false }
        },
        negated("not-element-skips-null", "The negation of `contains` skips a list that is null.", "PRD-003") {
            if case .containsElement = $0 { true } else { false }
        },
        Mutant("not-in-null-is-empty", "NOT IN with null selects nothing.", killedBy: "PRD-004") { part, _, _ in
            guard case .not(.isIn(_, let operands)) = part, operands.contains(.null) else { return nil }
            return false
        },
        Mutant("in-ignores-null", "Null among the values of IN finds nothing.", killedBy: "PRD-004") { part, row, _ in
            guard case .isIn(let position, _) = part, row[position].isNull else { return nil }
            return false
        },
        Mutant("in-with-null-finds-null-only", "IN with null finds null only.", killedBy: "PRD-004") { part, row, _ in
            guard case .isIn(let position, let operands) = part, operands.contains(.null) else { return nil }
            return row[position].isNull
        },
        negated("not-in-skips-null", "NOT IN without null skips null.", "PRD-004") {
            if case .isIn = $0 { true } else { false }
        },
        Mutant("upper-bound-excluded", "The upper bound is left out of `between`.", killedBy: "PRD-005") {
            part, row, _ in
            guard case .between(let position, _, let upper) = part, ValueOrder.areEqual(row[position], upper) else {
                return nil
            }
            return false
        },
        Mutant("lower-bound-excluded", "The lower bound is left out of `between`.", killedBy: "PRD-005") {
            part, row, _ in
            guard case .between(let position, let lower, _) = part, ValueOrder.areEqual(row[position], lower) else {
                return nil
            }
            return false
        },
        Mutant("bounds-swapped", "Reversed bounds are put into order.", killedBy: "PRD-005") { part, row, _ in
            guard case .between(let position, let lower, let upper) = part, upper.isBefore(lower), !upper.isNull else {
                return nil
            }
            return BoundPredicate.between(position, upper, lower).matches(row)
        },
        Mutant("equal-bounds-empty", "Equal bounds select nothing.", killedBy: "PRD-005") { part, _, _ in
            guard case .between(_, let lower, let upper) = part, ValueOrder.areEqual(lower, upper) else { return nil }
            return false
        },
        indexed("upper-bound-excluded-in-indexes", "The upper bound is left out where there is an index.", "PRD-005") {
            part, row in
            guard case .between(let position, _, let upper) = part, ValueOrder.areEqual(row[position], upper) else {
                return nil
            }
            return false
        },
        Mutant("key-upper-bound-excluded", "The upper bound of a range of keys is left out.", killedBy: "PRD-005") {
            part, row, query in
            guard case .between(let position, _, let upper) = part, query.entity.primaryKeyPositions.contains(position),
                ValueOrder.areEqual(row[position], upper)
            else { return nil }
            return false
        },
    ]

    /// Another truth for null fields.
    private static func onNull(
        _ id: String, _ summary: String, _ clause: String, _ answer: Bool,
        _ isMeant: @escaping @Sendable (BoundPredicate) -> Bool
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause) { part, row, _ in
            guard let position = part.position, row[position].isNull, isMeant(part) else { return nil }
            return answer
        }
    }

    private static func negated(
        _ id: String, _ summary: String, _ clause: String, _ isMeant: @escaping @Sendable (BoundPredicate) -> Bool
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause) { part, row, _ in
            guard case .not(let inner) = part, let position = inner.position, row[position].isNull,
                !inner.hasNullOperand, isMeant(inner)
            else { return nil }
            return false
        }
    }

    /// Only in entities with indexes, on a field that one of them begins with.
    static func indexed(
        _ id: String, _ summary: String, _ clause: String,
        _ truth: @escaping @Sendable (BoundPredicate, [Value]) -> Bool?
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause) { part, row, query in
            guard let position = part.position,
                query.entity.indexes.contains(where: { $0.fields[0] == query.entity.fields[position].name })
            else { return nil }
            return truth(part, row)
        }
    }
}

extension BoundPredicate {
    /// Whether this is one of these comparisons.
    func isComparison(_ comparisons: Predicate.Comparison...) -> Bool {
        if case .compare(_, let comparison, _) = self { comparisons.contains(comparison) } else { false }
    }

    /// Whether null is among the operands.
    var hasNullOperand: Bool {
        switch self {
        case .compare(_, _, let operand): operand.isNull
        case .between(_, let lower, let upper): lower.isNull || upper.isNull
        case .isIn(_, let operands): operands.contains(.null)
        case .containsElement(_, let operand): operand.isNull
        case .constant, .beginsWith, .containsText, .not, .and, .or: false
        }
    }
}

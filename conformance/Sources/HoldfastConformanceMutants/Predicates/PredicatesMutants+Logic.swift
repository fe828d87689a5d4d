import HoldfastConformance
import HoldfastStorage

extension Mutant {
    // MARK: Logic

    static let predicateLogic: [Mutant] = [
        Mutant("empty-or-is-true", "An empty OR is true.", killedBy: "PRD-010") { part, _, _ in
            if case .or([]) = part { true } else { nil }
        },
        Mutant("empty-and-is-false", "An empty AND is false.", killedBy: "PRD-010") { part, _, _ in
            if case .and([]) = part { false } else { nil }
        },
        Mutant("empty-in-is-true", "An empty IN is true.", killedBy: "PRD-010") { part, _, _ in
            if case .isIn(_, []) = part { true } else { nil }
        },
        Mutant("not-empty-in-is-false", "The negation of an empty IN is false.", killedBy: "PRD-010") { part, _, _ in
            if case .not(.isIn(_, [])) = part { false } else { nil }
        },
        Mutant("empty-or-dropped-in-and", "An empty OR inside AND is dropped.", killedBy: "PRD-010") { part, row, _ in
            guard case .and(let all) = part else { return nil }
            return all.allSatisfy { $0 == .or([]) || $0.matches(row) }
        },
        Mutant("empty-in-dropped-in-and", "An empty IN inside AND is dropped.", killedBy: "PRD-010") { part, row, _ in
            guard case .and(let all) = part else { return nil }
            return all.allSatisfy { if case .isIn(_, []) = $0 { true } else { $0.matches(row) } }
        },
        Mutant("empty-and-dropped-in-or", "An empty AND inside OR is dropped.", killedBy: "PRD-010") { part, row, _ in
            guard case .or(let any) = part else { return nil }
            return any.contains { $0 != .and([]) && $0.matches(row) }
        },
        Mutant("false-is-no-condition", "The constant false is ignored.", killedBy: "PRD-010") { part, _, _ in
            if case .constant(false) = part { true } else { nil }
        },
        Mutant("false-dropped-in-and", "The constant false inside AND is dropped.", killedBy: "PRD-010") {
            part, row, _ in
            guard case .and(let all) = part else { return nil }
            return all.allSatisfy { $0 == .constant(false) || $0.matches(row) }
        },
        Mutant("true-dropped-in-or", "The constant true inside OR is dropped.", killedBy: "PRD-010") { part, row, _ in
            guard case .or(let any) = part else { return nil }
            return any.contains { $0 != .constant(true) && $0.matches(row) }
        },
        Mutant(
            "three-valued-logic", "Conditions on null are unknown, and so is their negation.", killedBy: "PRD-011",
            rewritingTruth: { part, row in
                threeValued(part, row) ?? false
            }),
        Mutant("not-of-groups-dropped", "NOT before a group is dropped.", killedBy: "PRD-011") { part, row, _ in
            switch part {
            case .not(.and(let all)): BoundPredicate.and(all).matches(row)
            case .not(.or(let any)): BoundPredicate.or(any).matches(row)
            default: nil
            }
        },
        Mutant("not-dropped", "NOT is dropped.", killedBy: "PRD-012") { part, row, _ in
            guard case .not(let inner) = part else { return nil }
            return inner.matches(row)
        },
        Mutant("not-dropped-in-and", "NOT inside AND is dropped.", killedBy: "PRD-012") { part, row, _ in
            guard case .and(let all) = part else { return nil }
            return all.allSatisfy { if case .not(let inner) = $0 { inner.matches(row) } else { $0.matches(row) } }
        },
        Mutant("not-dropped-in-or", "NOT inside OR is dropped.", killedBy: "PRD-012") { part, row, _ in
            guard case .or(let any) = part else { return nil }
            return any.contains { if case .not(let inner) = $0 { inner.matches(row) } else { $0.matches(row) } }
        },
        Mutant("two-nots-are-one", "Two NOTs are one.", killedBy: "PRD-012") { part, row, _ in
            guard case .not(.not(let inner)) = part else { return nil }
            return !inner.matches(row)
        },
        Mutant("not-binds-to-first", "NOT before a group negates its first term.", killedBy: "PRD-012") {
            part, row, _ in
            switch part {
            case .not(.and(let all)) where all.count > 1:
                !all[0].matches(row) && all.dropFirst().allSatisfy { $0.matches(row) }
            case .not(.or(let any)) where any.count > 1:
                !any[0].matches(row) || any.dropFirst().contains { $0.matches(row) }
            default: nil
            }
        },
        Mutant("not-and-is-and-of-nots", "NOT before AND negates each term and keeps AND.", killedBy: "PRD-012") {
            part, row, _ in
            guard case .not(.and(let all)) = part, all.count > 1 else { return nil }
            return all.allSatisfy { !$0.matches(row) }
        },
        Mutant("not-or-is-or-of-nots", "NOT before OR negates each term and keeps OR.", killedBy: "PRD-012") {
            part, row, _ in
            guard case .not(.or(let any)) = part, any.count > 1 else { return nil }
            return any.contains { !$0.matches(row) }
        },
        Mutant("not-less-is-greater", "The negation of less is greater.", killedBy: "PRD-012") { part, row, _ in
            guard case .not(.compare(let position, .less, let operand)) = part, !operand.isNull else { return nil }
            return BoundPredicate.compare(position, .greater, operand).matches(row)
        },
        Mutant("not-on-keys-dropped", "NOT before a condition on the key is dropped.", killedBy: "PRD-012") {
            part, row, query in
            guard case .not(let inner) = part, let position = inner.position,
                query.entity.primaryKeyPositions.contains(position)
            else { return nil }
            return inner.matches(row)
        },
        Mutant("parentheses-lost-in-and", "OR inside AND loses its parentheses.", killedBy: "PRD-013") { part, row, _ in
            guard case .and(let all) = part, case .or(let any)? = all.last, any.count > 1, all.count > 1 else {
                return nil
            }
            return all.dropLast().allSatisfy { $0.matches(row) } && any[0].matches(row)
                || any.dropFirst().contains { $0.matches(row) }
        },
        Mutant("first-parentheses-lost", "OR at the beginning of AND loses its parentheses.", killedBy: "PRD-013") {
            part, row, _ in
            guard case .and(let all) = part, case .or(let any)? = all.first, any.count > 1, all.count > 1 else {
                return nil
            }
            return any.dropLast().contains { $0.matches(row) }
                || any[any.count - 1].matches(row) && all.dropFirst().allSatisfy { $0.matches(row) }
        },
        Mutant("nested-or-is-and", "OR inside AND is AND.", killedBy: "PRD-013") { part, row, _ in
            guard case .and(let all) = part else { return nil }
            return all.allSatisfy {
                if case .or(let any) = $0, !any.isEmpty { any.allSatisfy { $0.matches(row) } } else { $0.matches(row) }
            }
        },
        Mutant("nested-and-is-or", "AND inside OR is OR.", killedBy: "PRD-013") { part, row, _ in
            guard case .or(let any) = part else { return nil }
            return any.contains {
                if case .and(let all) = $0, !all.isEmpty { all.contains { $0.matches(row) } } else { $0.matches(row) }
            }
        },
        Mutant("three-terms-are-two", "The third term of a group is dropped.", killedBy: "PRD-013") { part, row, _ in
            switch part {
            case .and(let all) where all.count == 3: all.prefix(2).allSatisfy { $0.matches(row) }
            case .or(let any) where any.count == 3: any.prefix(2).contains { $0.matches(row) }
            default: nil
            }
        },
        Mutant("repeated-term-negates", "A term that occurs twice in OR is dropped.", killedBy: "PRD-014") {
            part, row, _ in
            guard case .or(let any) = part else { return nil }
            return any.contains { term in any.count { $0 == term } == 1 && term.matches(row) }
        },
        Mutant("absorbed-term-lost", "AND of a term and a group that holds it is false.", killedBy: "PRD-014") {
            part, _, _ in
            guard case .and(let all) = part, all.count == 2, case .or(let any) = all[1], any.contains(all[0]) else {
                return nil
            }
            return false
        },
        Mutant("nested-same-group-lost", "OR of one OR keeps its first term only.", killedBy: "PRD-014") {
            part, row, _ in
            guard case .or(let any) = part, any.count == 1, case .or(let inner) = any[0], inner.count > 1 else {
                return nil
            }
            return inner[0].matches(row)
        },
        narrowed("or-ends-at-31", "OR", 31), narrowed("or-ends-at-100", "OR", 100),
        narrowed("or-ends-at-255", "OR", 255),
        narrowed("or-ends-at-999", "OR", 999), narrowed("or-ends-at-1000", "OR", 1_000),
        narrowed("and-ends-at-32", "AND", 32),
        narrowed("and-ends-at-100", "AND", 100), narrowed("and-ends-at-256", "AND", 256),
        narrowed("and-ends-at-1000", "AND", 1_000),
        Mutant("wide-or-loses-first", "OR of more than 500 terms loses its first.", killedBy: "PRD-015") {
            part, row, _ in
            guard case .or(let any) = part, any.count > 500 else { return nil }
            return any.dropFirst().contains { $0.matches(row) }
        },
        Mutant(
            "wide-groups-refused", "A group of more than 1,000 terms fails.", killedBy: "PRD-015",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.querying = { query, snapshot throws(StorageError) in
                        let terms =
                            switch query.predicate {
                            case .and(let terms), .or(let terms): terms.count
                            default: 0
                            }
                        if terms > 1_000 {
                            trigger.fire()
                            throw StorageError(.io, "The expression is too deep.")
                        }
                        return try await snapshot.query(query)
                    }
                }
            }),
    ]

    private static func narrowed(_ id: String, _ group: String, _ count: Int) -> Mutant {
        Mutant(id, "\(group) ends after \(count) terms.", killedBy: "PRD-015") { part, row, _ in
            switch part {
            case .or(let any) where group == "OR" && any.count > count: any.prefix(count).contains { $0.matches(row) }
            case .and(let all) where group == "AND" && all.count > count:
                all.prefix(count).allSatisfy { $0.matches(row) }
            default: nil
            }
        }
    }

    /// SQL's logic; `nil` is unknown.
    private static func threeValued(_ part: BoundPredicate, _ row: [Value]) -> Bool? {
        switch part {
        case .not(let inner): return threeValued(inner, row).map { !$0 }
        case .and(let all):
            let answers = all.map { threeValued($0, row) }
            return answers.contains(false) ? false : answers.contains(nil) ? nil : true
        case .or(let any):
            let answers = any.map { threeValued($0, row) }
            return answers.contains(true) ? true : answers.contains(nil) ? nil : false
        default:
            guard let position = part.position, row[position].isNull, !part.hasNullOperand else {
                return part.matches(row)
            }
            if case .compare(_, .equal, _) = part { return part.matches(row) }
            if case .compare(_, .notEqual, _) = part { return part.matches(row) }
            if case .isIn = part { return part.matches(row) }
            return nil
        }
    }

    /// Creates a mutant of the evaluation of whole predicates.
    private init(
        _ id: String, _ summary: String, killedBy clause: String,
        rewritingTruth truth: @escaping @Sendable (BoundPredicate, [Value]) -> Bool
    ) {
        self.init(id, summary, killedBy: clause) { part, row, query in part == query.predicate ? truth(part, row) : nil
        }
    }
}

import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of large conditions.
    static let largePredicates: [Mutant] = [
        Mutant(
            "large-conditions-unsorted", "A condition too large for one statement loses the sort.", killedBy: "PRD-027",
            answering: { query, records in
                guard query.predicate.isLarge else { return query.results(of: records) }
                return query.results(of: records, by: { _, _ in .equal })
            }),
        Mutant(
            "large-conditions-lose-offset", "A condition too large for one statement loses the offset.",
            killedBy: "PRD-027",
            answering: { query, records in
                query.results(of: records, offset: query.predicate.isLarge ? 0 : nil)
            }),
        Mutant(
            "large-aggregates-end-at-512", "Aggregates under a large condition stop after 512 records.",
            killedBy: "PRD-028",
            figuring: { aggregate, records throws(StorageError) in
                try aggregate.aggregates(of: aggregate.query.predicate.isLarge ? Array(records.prefix(512)) : records)
            }),
        Mutant(
            "long-lists-compare-writing", "Date-times in long lists are compared as they are written.",
            killedBy: "PRD-029", matching: listed { left, right in left == right }),
        Mutant(
            "long-lists-round", "Doubles in long lists have fifteen digits.", killedBy: "PRD-029",
            matching: listed { left, right in
                guard case .double(let left) = left, case .double(let right) = right else {
                    return ValueOrder.areEqual(left, right)
                }
                return left == right && left.isNormal
            }),
    ]

    /// The truth of conditions with long lists, under another equality.
    private static func listed(
        _ areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> DamagedQuery.Truth {
        { predicate, row, _ in
            guard case .isIn(let position, let values) = predicate, values.count == 25 else { return nil }
            return values.contains { areEqual($0, row[position]) }
        }
    }
}

extension BoundPredicate {
    /// Whether it has more than a thousand parts, or many levels.
    fileprivate var isLarge: Bool {
        switch self {
        case .or(let parts), .and(let parts): parts.count > 1_000 || parts.contains { $0.isLarge }
        case .isIn(_, let values): values.count > 1_000
        case .not(let inner): inner.isLarge
        default: false
        }
    }
}

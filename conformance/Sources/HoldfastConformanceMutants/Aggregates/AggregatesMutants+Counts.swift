import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of counts of many records.
    static let aggregatesOfMany: [Mutant] = [
        Mutant(
            "count-is-estimated", "Beyond 10,000 records a count without a condition is rounded.", killedBy: "AGG-009",
            computing: { aggregate, values in
                guard case .constant(true) = aggregate.query.predicate, aggregate.functions.count == 1,
                    case .integer(let count)? = values.first, count > 10_000
                else { return values }
                return [.integer(count & ~63)]
            })
    ]
}

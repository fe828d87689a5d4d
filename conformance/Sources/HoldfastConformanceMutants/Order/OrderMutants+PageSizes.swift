import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of the sizes of pages.
    static let orderOfPageSizes: [Mutant] = [
        Mutant(
            "page-limit-twice", "A page that goes from values to nulls has the limit for each.", killedBy: "ORD-022",
            answering: { query, records in
                guard query.after != nil, let limit = query.limit, let position = query.firstSortPosition else {
                    return query.results(of: records)
                }
                let rest = query.results(of: records, limit: .max)
                let values = rest.filter { !$0.cells[position].isNull }.prefix(limit)
                let nulls = rest.filter { $0.cells[position].isNull }.prefix(limit)
                return Array(query.order[0].isDescending ? values + nulls : nulls + values)
            }),
        Mutant(
            "page-ends-at-nulls", "A page ends where nulls begin, whether it is full or not.", killedBy: "ORD-022",
            answering: { query, records in
                let rows = query.results(of: records)
                guard query.limit != nil, let position = query.firstSortPosition, let first = rows.first else {
                    return rows
                }
                return Array(rows.prefix { $0.cells[position].isNull == first.cells[position].isNull })
            }),
    ]
}

import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Queries that are wrong only together with an index, a cursor, a direction or a null.
    static let sporadicOfQueries: [Mutant] = [
        indexed("sort-by-utf-16-in-indexes", "An index sorts text by UTF-16.", "TXT-010") { query, records in
            guard query.firstSortPosition != nil else { return nil }
            return query.results(
                of: records,
                by: { left, right in
                    for key in query.order {
                        var ordering = ValueOrder.compare(left[key.position], right[key.position])
                        if case .text(let left) = left[key.position], case .text(let right) = right[key.position],
                            ordering != .equal
                        {
                            ordering = left.utf16.lexicographicallyPrecedes(right.utf16) ? .ascending : .descending
                        }
                        if ordering != .equal { return key.isDescending ? ordering.reversed : ordering }
                    }
                    return .equal
                })
        },
        indexed("cursor-at-null-in-indexes", "After a null, a descending index finds nothing more.", "ORD-010") {
            query, records in
            guard query.after?.first?.isNull == true, query.order.first?.isDescending == true else { return nil }
            return []
        },
        indexed("index-ties-descend", "A descending index delivers ties in descending key order.", "ORD-001") {
            query, records in
            guard query.order.first?.isDescending == true, let position = query.firstSortPosition else { return nil }
            return query.results(
                of: records.reversed(),
                by: { left, right in
                    let ordering = ValueOrder.compare(left[position], right[position])
                    return ordering.reversed
                })
        },
        indexed("between-excludes-end-in-indexes", "An index excludes the upper bound of between.", "PRD-005") {
            query, records in
            guard case .between(let position, _, let upper) = query.predicate else { return nil }
            return query.results(
                of: records,
                where: { query.predicate.matches($0) && ValueOrder.compare($0[position], upper) != .equal })
        },
        indexed("in-misses-null-in-indexes", "IN by an index finds no null.", "PRD-004") { query, records in
            guard case .isIn(let position, let values) = query.predicate, values.contains(.null) else { return nil }
            return query.results(of: records, where: { query.predicate.matches($0) && !$0[position].isNull })
        },
        indexed("not-equal-misses-null-in-indexes", "Not equal by an index finds no null.", "PRD-001") {
            query, records in
            guard case .compare(let position, .notEqual, let value) = query.predicate, !value.isNull else { return nil }
            return query.results(of: records, where: { query.predicate.matches($0) && !$0[position].isNull })
        },
        indexed("limits-before-filters-in-indexes", "An index applies the limit before the rest.", "PRD-022") {
            query, records in
            guard let limit = query.limit, case .and = query.predicate else { return nil }
            let first = query.results(of: records, where: { _ in true }, limit: limit)
            return first.filter { query.predicate.matches($0.cells) }
        },
        Mutant(
            "in-of-two-loses-one", "IN of exactly two values knows the first.", killedBy: "PRD-025",
            matching: { predicate, row, _ in
                guard case .isIn(let position, let values) = predicate, values.count == 2 else { return nil }
                return ValueOrder.areEqual(row[position], values[0])
            }),
        Mutant(
            "in-of-256-loses-one", "IN of exactly 256 values does not know the last.", killedBy: "PRD-025",
            matching: { predicate, row, _ in
                guard case .isIn(let position, let values) = predicate, values.count == 256 else { return nil }
                return values.dropLast().contains { ValueOrder.areEqual(row[position], $0) }
            }),
        Mutant(
            "not-not-of-between-is-between", "NOT before between with equal bounds is dropped.", killedBy: "PRD-011",
            matching: { predicate, row, _ in
                guard case .not(.between(_, let lower, let upper)) = predicate, lower == upper else { return nil }
                return !predicate.matches(row)
            }),
        Mutant(
            "descending-offsets-off-by-one", "An offset in a descending sort with a limit skips one too many.",
            killedBy: "ORD-007",
            answering: { query, records in
                guard query.offset > 0, query.limit != nil, query.order.first?.isDescending == true else {
                    return query.results(of: records)
                }
                return query.results(of: records, offset: query.offset + 1)
            }),
        Mutant(
            "limit-of-255-is-254", "A limit of 255 gives 254.", killedBy: "ORD-006",
            answering: { query, records in
                query.results(of: records, limit: query.limit == 255 ? 254 : query.limit ?? .max)
            }),
        Mutant(
            "limit-of-one-ignores-direction", "A limit of 1 gives the first record of an ascending sort.",
            killedBy: "ORD-006",
            answering: { query, records in
                guard query.limit == 1, query.offset == 0, query.after == nil else { return query.results(of: records) }
                return query.results(
                    of: records,
                    by: { left, right in
                        for key in query.order {
                            let ordering = ValueOrder.compare(left[key.position], right[key.position])
                            if ordering != .equal { return ordering }
                        }
                        return .equal
                    })
            }),
        Mutant(
            "projected-pages-skip", "A page after a cursor that lacks the sort field in its projection skips a row.",
            killedBy: "ORD-017",
            delivering: { query, rows in
                guard query.after != nil, let position = query.firstSortPosition,
                    !query.projection.contains(position)
                else { return rows }
                return Array(rows.dropFirst())
            }),
        Mutant(
            "counts-of-negations-lack-null", "The count of a negation leaves out nulls.", killedBy: "AGG-001",
            figuring: { aggregate, rows throws(StorageError) in
                guard case .not(.compare(let position, _, _)) = aggregate.query.predicate else {
                    return try aggregate.aggregates(of: rows)
                }
                return try aggregate.aggregates(of: rows.filter { !$0[position].isNull })
            }),
        Mutant(
            "maximum-by-index-ignores-filter", "A maximum that an index knows ignores the filter.", killedBy: "AGG-008"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    let right = try await snapshot.aggregate(aggregate)
                    let query = aggregate.query
                    let records = try await snapshot.allRecords(of: query.entity.name)
                    let wrong = zip(aggregate.functions, right).map { function, value -> Value in
                        guard case .maximum(let position) = function,
                            query.entity.indexes.contains(where: {
                                $0.fields.first == query.entity.fields[position].name
                            })
                        else { return value }
                        let largest = records.map { $0.cells[position] }.max {
                            ValueOrder.compare($0, $1) == .ascending
                        }
                        return largest ?? value
                    }
                    if wrong != right { trigger.fire() }
                    return wrong
                }
            }
        },
    ]

    /// Creates a mutant of queries that may use an index.
    ///
    /// `answer` returns the results of such a query, or `nil` where the mutant does not apply.
    private static func indexed(
        _ id: String, _ summary: String, _ clause: String,
        _ answer: @escaping @Sendable (BoundQuery, [StoredRow]) -> [StoredRow]?
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            answering: { query, records in
                if query.mayUseIndex, let rows = answer(query, records) { return rows }
                return query.results(of: records)
            })
    }
}

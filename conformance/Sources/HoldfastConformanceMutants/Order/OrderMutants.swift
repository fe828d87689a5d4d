import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `ORD` must find.
    static let order: [Mutant] = sorting + orderOfPages + orderOfDelivery + orderOfPageSizes

    private static let sorting: [Mutant] = [
        Mutant(
            "ties-descending-with-the-sort", "A descending sort reverses ties, too.", killedBy: "ORD-001",
            answering: { query, records in
                query.results(
                    of: records,
                    by: { left, right in
                        let ordering = query.compare(left, right)
                        guard let first = query.order.first, first.isDescending,
                            ValueOrder.areEqual(left[first.position], right[first.position])
                        else { return ordering }
                        return ordering.reversed
                    })
            }),
        Mutant(
            "ties-in-reverse-key-order", "Records that tie come in descending key order.", killedBy: "ORD-001",
            answering: { query, records in
                query.results(
                    of: records.reversed(),
                    by: { left, right in
                        query.compare(left, right, upTo: query.order.count - query.entity.primaryKeyPositions.count)
                    })
            }),
        Mutant(
            "ties-of-two-part-keys-by-second-part", "Only the last part of a key breaks ties.", killedBy: "ORD-001",
            answering: { query, records in
                query.results(
                    of: records,
                    by: { left, right in
                        guard query.entity.primaryKeyPositions.count > 1,
                            let last = query.entity.primaryKeyPositions.last
                        else { return query.compare(left, right) }
                        let ordering = query.compare(left, right, upTo: 1)
                        return ordering == .equal ? ValueOrder.compare(left[last], right[last]) : ordering
                    })
            }),
        Mutant(
            "no-sort-is-write-order", "Without a sort, records come in the order of their last write.",
            killedBy: "ORD-002",
            delivering: { query, rows in query.isKeyOrder ? rows.sorted { $0.version < $1.version } : rows }),
        Mutant(
            "no-sort-by-index", "A filter answered by an index delivers in the order of the index.",
            killedBy: "ORD-002",
            answering: { query, records in
                guard query.isKeyOrder, query.mayUseIndex, case .compare(let position, _, _) = query.predicate else {
                    return query.results(of: records)
                }
                return query.results(of: records, by: { ValueOrder.compare($0[position], $1[position]) })
            }),
        Mutant(
            "scan-order-of-negative-integers", "A scan puts negative integers of a key after the others.",
            killedBy: "ORD-002",
            scanning: { range, rows in
                guard range.entity == "Pair" else { return rows }
                return rows.sorted { left, right in
                    guard left.cells[1] == right.cells[1], case .integer(let a) = left.cells[2],
                        case .integer(let b) = right.cells[2]
                    else { return ValueOrder.compare(left.cells[1], right.cells[1]) == .ascending }
                    return UInt64(bitPattern: a) < UInt64(bitPattern: b)
                }
            }),
        Mutant(
            "nulls-last", "Nulls come last in an ascending sort and first in a descending one.", killedBy: "ORD-003",
            answering: { query, records in query.results(of: records, by: query.comparingNulls { _ in true }) }),
        Mutant(
            "nulls-first-descending", "Nulls come first in a descending sort, too.", killedBy: "ORD-003",
            answering: { query, records in query.results(of: records, by: query.comparingNulls { $0.isDescending }) }),
        Mutant(
            "index-skips-nulls", "A sort answered by an index leaves records out whose field is null.",
            killedBy: "ORD-003",
            answering: { query, records in
                guard query.mayUseIndex, case .constant = query.predicate, let position = query.firstSortPosition
                else { return query.results(of: records) }
                return query.results(of: records).filter { !$0.cells[position].isNull }
            }),
        Mutant(
            "second-sort-field-ignored", "Only the first sort field counts.", killedBy: "ORD-004",
            answering: { query, records in
                query.results(
                    of: records,
                    by: { left, right in
                        let ordering = query.compare(left, right, upTo: 1)
                        return ordering == .equal
                            ? query.entity.key(of: left) < query.entity.key(of: right) ? .ascending : .descending
                            : ordering
                    })
            }),
        Mutant(
            "second-direction-ignored", "The second sort field takes the direction of the first.", killedBy: "ORD-004",
            answering: { query, records in
                query.results(
                    of: records,
                    by: { left, right in
                        for (index, key) in query.order.enumerated() {
                            let ordering = ValueOrder.compare(left[key.position], right[key.position])
                            let isDescending =
                                index == 1 && !query.entity.primaryKeyPositions.contains(key.position)
                                ? query.order[0].isDescending : key.isDescending
                            if ordering != .equal { return isDescending ? ordering.reversed : ordering }
                        }
                        return .equal
                    })
            }),
        Mutant(
            "descending-key-ascending", "A descending sort by the key itself comes ascending.", killedBy: "ORD-004",
            answering: { query, records in
                guard query.firstSortPosition == nil else { return query.results(of: records) }
                return query.results(
                    of: records,
                    by: { left, right in
                        query.entity.key(of: left) < query.entity.key(of: right) ? .ascending : .descending
                    })
            }),
        Mutant(
            "text-sorted-by-characters", "Sorting compares text as Swift's `<` does, filters by bytes.",
            killedBy: "ORD-005",
            answering: { query, records in
                query.results(
                    of: records,
                    by: { left, right in
                        for key in query.order {
                            var ordering = ValueOrder.compare(left[key.position], right[key.position])
                            if case (.text(let a), .text(let b)) = (left[key.position], right[key.position]) {
                                ordering = a == b ? .equal : a < b ? .ascending : .descending
                            }
                            if ordering != .equal { return key.isDescending ? ordering.reversed : ordering }
                        }
                        return .equal
                    })
            }),
        Mutant(
            "ranges-ignore-case", "A filter with a bound compares text without regard to case.", killedBy: "ORD-005",
            answering: { query, records in
                guard case .compare(let position, let comparison, .text(let bound)) = query.predicate,
                    comparison == .less || comparison == .greaterOrEqual
                else { return query.results(of: records) }
                return query.results(
                    of: records,
                    where: { row in
                        guard case .text(let text) = row[position] else { return false }
                        let ordering = ValueOrder.compareText(text.lowercased(), bound.lowercased())
                        return comparison == .less ? ordering == .ascending : ordering != .ascending
                    })
            }),
        Mutant(
            "lists-ordered-range-by-range", "A descending sort puts the values of a second list in that order, too.",
            killedBy: "ORD-024",
            answering: { query, records in
                guard query.order[0].isDescending, case .and(let all) = query.predicate, all.count == 2,
                    case .isIn(let position, _) = all[1]
                else { return query.results(of: records) }
                return query.results(
                    of: records,
                    by: { left, right in
                        guard query.compare(left, right, upTo: 1) == .equal else { return query.compare(left, right) }
                        let listed = ValueOrder.compare(left[position], right[position])
                        return listed == .equal ? query.compare(left, right) : listed.reversed
                    })
            }),
    ]
}

extension BoundQuery {
    /// Compares two records by the first `count` criteria.
    func compare(_ left: [Value], _ right: [Value], upTo count: Int) -> Ordering {
        for key in order.prefix(count) {
            let ordering = ValueOrder.compare(left[key.position], right[key.position])
            if ordering != .equal { return key.isDescending ? ordering.reversed : ordering }
        }
        return .equal
    }

    /// The total order with nulls at the other end for some criteria.
    func comparingNulls(
        atOtherEnd isWrong: @escaping (OrderKey) -> Bool
    ) -> ([Value], [Value]) -> Ordering {
        { left, right in
            for key in self.order {
                var ordering = ValueOrder.compare(left[key.position], right[key.position])
                if left[key.position].isNull != right[key.position].isNull && isWrong(key) {
                    ordering = ordering.reversed
                }
                if ordering != .equal { return key.isDescending ? ordering.reversed : ordering }
            }
            return .equal
        }
    }
}

import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of limits, offsets and cursors.
    static let orderOfPages: [Mutant] = [
        Mutant(
            "limit-zero-is-all", "A limit of 0 gives everything.", killedBy: "ORD-006",
            answering: { query, records in query.results(of: records, limit: query.limit == 0 ? .max : nil) }),
        Mutant(
            "limit-off-by-one-at-1000", "Limits of 1,000 and more give one row less.", killedBy: "ORD-006",
            answering: { query, records in
                query.results(of: records, limit: query.limit.flatMap { $0 >= 1_000 ? $0 - 1 : nil })
            }),
        Mutant(
            "limit-off-by-one-at-32", "A limit of 32 gives 33 rows.", killedBy: "ORD-006",
            answering: { query, records in query.results(of: records, limit: query.limit == 32 ? 33 : nil) }),
        Mutant(
            "limit-before-sort", "The first so many records in key order are sorted.", killedBy: "ORD-006",
            answering: { query, records in
                guard query.after == nil, query.offset == 0, let limit = query.limit else {
                    return query.results(of: records)
                }
                let matching = records.filter { query.predicate.matches($0.cells) }
                return query.results(of: Array(matching.prefix(limit)))
            }),
        Mutant(
            "limit-before-predicate", "The limit counts records that do not match.", killedBy: "ORD-006",
            answering: { query, records in
                guard let limit = query.limit, case .compare = query.predicate, query.after == nil else {
                    return query.results(of: records)
                }
                let sorted = query.results(
                    of: records, where: { _ in true }, offset: 0, limit: max(limit, 1) + query.offset)
                return query.results(of: sorted)
            }),
        Mutant(
            "offset-off-by-one", "An offset skips one record too few.", killedBy: "ORD-007",
            answering: { query, records in query.results(of: records, offset: max(0, query.offset - 1)) }),
        Mutant(
            "offset-capped-at-100", "No more than 100 records are skipped.", killedBy: "ORD-007",
            answering: { query, records in query.results(of: records, offset: min(100, query.offset)) }),
        Mutant(
            "offset-within-limit", "The offset is taken from the limit.", killedBy: "ORD-007",
            answering: { query, records in
                query.results(of: records, limit: query.limit.map { max(0, $0 - min($0, query.offset)) })
            }),
        Mutant(
            "offset-beyond-end-starts-over", "An offset beyond the end is ignored.", killedBy: "ORD-007",
            answering: { query, records in
                query.results(of: records, offset: query.offset > records.count ? 0 : nil)
            }),
        Mutant(
            "offset-without-limit-ignored", "An offset counts only together with a limit.", killedBy: "ORD-007",
            answering: { query, records in query.results(of: records, offset: query.limit == nil ? 0 : nil) }),
        Mutant(
            "offset-has-32-bits", "Only the lower 32 bits of an offset count.", killedBy: "ORD-008",
            answering: { query, records in
                query.results(of: records, offset: Int(UInt32(truncatingIfNeeded: query.offset)))
            }),
        Mutant(
            "limit-has-32-bits", "Only the lower 32 bits of a limit count, signed.", killedBy: "ORD-008",
            answering: { query, records in
                query.results(of: records, limit: query.limit.map { max(0, Int(Int32(truncatingIfNeeded: $0))) })
            }),
        Mutant(
            "offset-plus-limit-wraps", "offset + limit wraps around, and the result is empty.", killedBy: "ORD-008",
            answering: { query, records in
                guard let limit = query.limit, query.offset > 0 else { return query.results(of: records) }
                return query.results(of: records, limit: limit.addingReportingOverflow(query.offset).overflow ? 0 : nil)
            }),
        Mutant(
            "offset-before-cursor", "The offset counts from the first result although there is a cursor.",
            killedBy: "ORD-009",
            answering: { query, records in
                guard query.after != nil, query.offset > 0 else { return query.results(of: records) }
                let skipped = query.results(of: records, after: { _ in true }, limit: .max)
                return query.results(of: skipped, offset: 0)
            }),
        Mutant(
            "limit-before-cursor", "The limit counts from the first result although there is a cursor.",
            killedBy: "ORD-009",
            answering: { query, records in
                guard query.after != nil, let limit = query.limit, limit >= 1_000 || limit == 5 else {
                    return query.results(of: records)
                }
                let first = query.results(of: records, after: { _ in true }, offset: 0, limit: max(limit, 40))
                return query.results(of: first)
            }),
        Mutant(
            "cursor-record-again", "A page begins with the record at which the last one ended.", killedBy: "ORD-010",
            answering: { query, records in
                query.results(
                    of: records,
                    after: { row in
                        query.isAfterCursor(row) || query.compareWithCursor(row) == .equal
                    })
            }),
        Mutant(
            "cursor-skips-nulls", "After a cursor, records are left out where a sort field is null.",
            killedBy: "ORD-010",
            answering: { query, records in
                query.results(
                    of: records,
                    after: { row in
                        let meetsNull = query.after.map { after in
                            zip(query.order, after).contains { row[$0.position].isNull || $1.isNull }
                        }
                        return query.isAfterCursor(row) && meetsNull != true
                    })
            }),
        Mutant(
            "cursor-skips-ties", "After a cursor, records that tie with it are left out.", killedBy: "ORD-010",
            answering: { query, records in
                query.results(
                    of: records,
                    after: { row in
                        guard let after = query.after, let first = query.order.first, query.order.count > 1 else {
                            return query.isAfterCursor(row)
                        }
                        return query.isAfterCursor(row) && !ValueOrder.areEqual(row[first.position], after[0])
                    })
            }),
        Mutant(
            "cursor-directions-mixed-up", "After a cursor every criterion counts as ascending as the first.",
            killedBy: "ORD-010",
            answering: { query, records in
                query.results(
                    of: records,
                    after: { row in
                        guard let after = query.after else { return true }
                        for (key, value) in zip(query.order, after) {
                            let ordering = ValueOrder.compare(row[key.position], value)
                            if ordering != .equal { return (ordering == .descending) != query.order[0].isDescending }
                        }
                        return false
                    })
            }),
        Mutant(
            "cursor-loses-row-of-full-page", "A page of 32 rows after a cursor lacks its last row's successor.",
            killedBy: "ORD-010",
            answering: { query, records in
                let rows = query.results(of: records)
                guard query.after != nil, query.limit == 32, rows.count == 32 else { return rows }
                return Array(rows.dropLast()) + query.results(of: records, limit: 33).suffix(1)
            }),
        Mutant(
            "cursor-found-by-others", "A page begins at the first record after the cursor, whether it matches or not.",
            killedBy: "ORD-025",
            answering: { query, records in
                guard query.after != nil, case .compare(let position, .equal, _) = query.predicate,
                    query.order[0].position == position
                else { return query.results(of: records) }
                // As a scan delivers that leaves the field out which has one value in all that match.
                let scanned = query.results(
                    of: records, where: { _ in true },
                    by: { left, right in
                        for key in query.order.dropFirst() {
                            let ordering = ValueOrder.compare(left[key.position], right[key.position])
                            if ordering != .equal { return key.isDescending ? ordering.reversed : ordering }
                        }
                        return .equal
                    }, after: { _ in true }, offset: 0, limit: .max)
                let page = scanned.drop { !query.isAfterCursor($0.cells) }
                return query.results(of: Array(page), after: { _ in true })
            }),
        Mutant(
            "cursor-looked-up-by-key", "A cursor whose record is gone starts over.", killedBy: "ORD-011",
            answering: { query, records in
                guard query.after != nil else { return query.results(of: records) }
                let exists = records.contains { query.compareWithCursor($0.cells) == .equal }
                return query.results(of: records, after: exists ? nil : { _ in true })
            }),
        Mutant(
            "cursor-ends-without-record", "A cursor whose record is gone ends the scan.", killedBy: "ORD-011",
            answering: { query, records in
                guard query.after != nil else { return query.results(of: records) }
                let exists = records.contains { query.compareWithCursor($0.cells) == .equal }
                return exists ? query.results(of: records) : []
            }),
        Mutant("pages-by-offset-live", "A query with an offset reads what is committed now.", killedBy: "ORD-012") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    guard query.offset > 0 else { return try await snapshot.query(query) }
                    let live = try await base.snapshot()
                    if live.sequence != snapshot.sequence { trigger.fire() }
                    return try await live.query(query)
                }
            }
        },
        Mutant(
            "sorted-pages-live", "A descending query with an offset reads what is committed now.", killedBy: "ORD-012"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    guard query.offset > 50, query.order[0].isDescending else { return try await snapshot.query(query) }
                    let live = try await base.snapshot()
                    if live.sequence != snapshot.sequence { trigger.fire() }
                    return try await live.query(query)
                }
            }
        },
    ]
}

extension BoundQuery {
    /// The position of a record relative to the cursor; equal if there is none.
    func compareWithCursor(_ row: [Value]) -> Ordering {
        for (key, value) in zip(order, after ?? []) {
            let ordering = ValueOrder.compare(row[key.position], value)
            if ordering != .equal { return key.isDescending ? ordering.reversed : ordering }
        }
        return .equal
    }
}

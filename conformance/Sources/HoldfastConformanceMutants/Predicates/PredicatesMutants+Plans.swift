import HoldfastConformance
import HoldfastStorage

extension Mutant {
    // MARK: Plans

    static let predicatePlans: [Mutant] = [
        paged("row-lost-behind-offset", "A query with an offset loses its first row.", "PRD-020") { rows, query in
            query.offset > 0 ? Array(rows.dropFirst()) : rows
        },
        paged("last-row-of-sort-lost", "A sort by two fields loses its last row.", "PRD-020") { rows, query in
            query.order.count > 2 ? Array(rows.dropLast()) : rows
        },
        paged("row-lost-beyond-fifty", "The row after the fiftieth is lost.", "PRD-020") { rows, _ in
            rows.count > 50 ? Array(rows.prefix(50) + rows.dropFirst(51)) : rows
        },
        paged("descending-loses-nulls", "A descending sort loses records with null.", "PRD-020") { rows, query in
            guard query.projectsAllFields, let key = query.order.first, key.isDescending else { return rows }
            return rows.filter { !$0.cells[key.position].isNull }
        },
        paged("row-repeated-by-or", "A record that satisfies two terms of OR comes twice.", "PRD-020") { rows, query in
            guard case .or(let any) = query.predicate, query.projectsAllFields, query.limit == nil else { return rows }
            return rows.flatMap { row in any.count { $0.matches(row.cells) } > 1 ? [row, row] : [row] }
        },
        Mutant(
            "limit-before-filter", "A limit is applied before conditions on lists.", killedBy: "PRD-021",
            wrap: limitedFirst { part in
                if case .containsElement = part { true } else { false }
            }),
        Mutant(
            "limit-before-list-equality", "A limit is applied before equality of lists.", killedBy: "PRD-021",
            wrap: limitedFirst { part in
                if case .compare(_, _, .list) = part { true } else { false }
            }),
        paged("projection-loses-filter", "A projection without the field of the condition selects nothing.", "PRD-021")
        { rows, query in
            guard let position = query.predicate.position, !query.projection.contains(position) else { return rows }
            return []
        },
        paged("limit-off-by-one", "A limit of ten delivers nine.", "PRD-021") { rows, query in
            query.limit == 10 ? Array(rows.prefix(9)) : rows
        },
        indexed("index-is-sparse", "An index does not hold null.", "PRD-022") { part, row in
            guard let position = part.position, row[position].isNull else { return nil }
            return false
        },
        indexed("index-excludes-equal", "At most leaves out its bound where there is an index.", "PRD-022") {
            part, row in
            guard case .compare(let position, .lessOrEqual, let operand) = part else { return nil }
            return BoundPredicate.compare(position, .less, operand).matches(row)
        },
        indexed("index-folds-case", "An index ignores case.", "PRD-022") { part, row in
            guard case .compare(let position, .equal, .text(let operand)) = part, case .text(let text) = row[position]
            else { return nil }
            return text.foldingASCII == operand.foldingASCII
        },
        indexed("index-range-unbounded", "A range over an index has no lower end.", "PRD-022") { part, row in
            guard case .between(let position, let lower, let upper) = part, !lower.isNull else { return nil }
            return BoundPredicate.compare(position, .lessOrEqual, upper).matches(row)
        },
        paged("index-order-kept", "A condition on an indexed field delivers in the order of the index.", "PRD-022") {
            rows, query in
            guard query.isKeyOrder, query.projectsAllFields, query.limit == nil,
                let position = query.predicate.position,
                query.entity.indexes.contains(where: { $0.fields[0] == query.entity.fields[position].name })
            else { return rows }
            return rows.enumerated().sorted { left, right in
                let ordering = ValueOrder.compare(left.element.cells[position], right.element.cells[position])
                return ordering == .equal ? left.offset < right.offset : ordering == .ascending
            }.map(\.element)
        },
        paged("index-sort-loses-null", "A sort by an index loses records with null.", "PRD-022") { rows, query in
            guard query.projectsAllFields, let key = query.order.first, query.limit == nil,
                query.entity.indexes.contains(where: { $0.fields[0] == query.entity.fields[key.position].name })
            else { return rows }
            return rows.filter { !$0.cells[key.position].isNull }
        },
        staleIndex("index-keeps-old-value", "An index keeps the first value of a record.", losesDeleted: false),
        staleIndex(
            "index-loses-rewritten", "A record that was deleted and written again is not found by an index.",
            losesDeleted: true),
        Mutant(
            "clear-loses-index", "Nothing is found by an index after a clear.", killedBy: "PRD-023",
            wrap: { base, trigger in
                let isCleared = Mutex(false)
                return HookedAdapter(base) { hooks in
                    hooks.committing = { request, base throws(StorageError) in
                        if request.operations.contains(where: { if case .clear = $0 { true } else { false } }) {
                            isCleared.withLock { $0 = true }
                        }
                        return try await base.commit(request)
                    }
                    hooks.querying = { query, snapshot throws(StorageError) in
                        guard isCleared.withLock({ $0 }), query.predicate != .constant(true),
                            !query.entity.indexes.isEmpty
                        else {
                            return try await snapshot.query(query)
                        }
                        trigger.fire()
                        return RowsScan(rows: [], columnCount: query.projection.count)
                    }
                }
            }),
        keyed("key-in-is-range", "IN on a key selects everything between its values.") { part, row, _ in
            guard case .isIn(let position, let values) = part, let first = values.first, let last = values.last,
                !first.isNull
            else { return nil }
            return BoundPredicate.between(position, first, last).matches(row)
        },
        keyed("key-in-finds-first", "IN on a key finds its first value only.") { part, row, _ in
            guard case .isIn(let position, let values) = part, let first = values.first else { return nil }
            return ValueOrder.areEqual(row[position], first)
        },
        keyed("key-range-excludes-start", "At least leaves out its bound on a key.") { part, row, _ in
            guard case .compare(let position, .greaterOrEqual, let operand) = part else { return nil }
            return BoundPredicate.compare(position, .greater, operand).matches(row)
        },
        keyed("key-not-equal-is-range", "Not equal on a key is greater.") { part, row, _ in
            guard case .compare(let position, .notEqual, let operand) = part else { return nil }
            return BoundPredicate.compare(position, .greater, operand).matches(row)
        },
        Mutant("or-narrows-keys", "OR of a condition on the key reads the key's range only.", killedBy: "PRD-024") {
            part, row, query in
            guard case .or(let any) = part, let first = any.first, let position = first.position,
                query.entity.primaryKeyPositions.contains(position)
            else { return nil }
            return first.matches(row) && part.matches(row)
        },
        Mutant("second-bound-ignored", "Of two lower bounds on a key the first counts.", killedBy: "PRD-024") {
            part, row, _ in
            guard case .and(let all) = part else { return nil }
            var seen: Set<Int> = []
            return all.allSatisfy { term in
                if case .compare(let position, let comparison, _) = term, comparison == .greater || comparison == .less
                {
                    guard seen.insert(position).inserted else { return true }
                }
                return term.matches(row)
            }
        },
        Mutant("two-equalities-first-wins", "Of two equalities on a key the first counts.", killedBy: "PRD-024") {
            part, row, _ in
            guard case .and(let all) = part, all.count == 2, case .compare(let left, .equal, _) = all[0],
                case .compare(let right, .equal, _) = all[1],
                left == right
            else { return nil }
            return all[0].matches(row)
        },
        Mutant(
            "second-key-field-unchecked", "A condition on the second key field is ignored beside one on the first.",
            killedBy: "PRD-024"
        ) { part, row, query in
            guard case .and(let all) = part, all.count == 2, all[0].position == query.entity.primaryKeyPositions[0],
                query.entity.primaryKeyPositions.count == 2, all[1].position == query.entity.primaryKeyPositions[1]
            else { return nil }
            return all[0].matches(row)
        },
        Mutant(
            "second-key-field-alone", "A condition on the second key field alone reads the first key component.",
            killedBy: "PRD-024"
        ) { part, row, query in
            guard query.entity.primaryKeyPositions.count == 2, part.position == query.entity.primaryKeyPositions[1],
                part == query.predicate
            else { return nil }
            return part.matches(row) && row[0] == .text("a")
        },
        inCut("in-ends-at-100", 100), inCut("in-ends-at-255", 255), inCut("in-ends-at-500", 500),
        inCut("in-ends-at-999", 999), inCut("in-ends-at-1000", 1_000),
        Mutant(
            "in-chunks-by-500", "A list of more than 500 values is asked in chunks, one after the other.",
            killedBy: "PRD-025",
            results: { rows, query in
                guard case .isIn(let position, let values) = query.predicate, values.count > 500,
                    query.projectsAllFields, query.limit == nil
                else { return rows }
                return stride(from: 0, to: values.count, by: 500).flatMap { start in
                    let chunk = BoundPredicate.isIn(position, Array(values[start..<min(values.count, start + 500)]))
                    return rows.filter { chunk.matches($0.cells) }
                }
            }),
        Mutant(
            "in-refused-beyond-32766", "A list of more than 32,766 values fails.", killedBy: "PRD-025",
            wrap: refusingIn(32_766)),
        Mutant(
            "in-refused-beyond-65535", "A list of more than 65,535 values fails.", killedBy: "PRD-025",
            wrap: refusingIn(65_535)),
        Mutant("not-in-ends-at-1000", "NOT IN ends after 1,000 values.", killedBy: "PRD-025") { part, row, _ in
            guard case .not(.isIn(let position, let values)) = part, values.count > 1_000 else { return nil }
            return !BoundPredicate.isIn(position, Array(values.prefix(1_000))).matches(row)
        },
    ]

    private static func paged(
        _ id: String, _ summary: String, _ clause: String,
        _ change: @escaping @Sendable ([StoredRow], BoundQuery) -> [StoredRow]
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause, results: change)
    }

    private static func keyed(_ id: String, _ summary: String, _ truth: @escaping DamagedQuery.Truth) -> Mutant {
        Mutant(id, summary, killedBy: "PRD-024") { part, row, query in
            guard let position = part.position, query.entity.primaryKeyPositions.contains(position) else { return nil }
            return truth(part, row, query)
        }
    }

    private static func inCut(_ id: String, _ count: Int) -> Mutant {
        Mutant(id, "IN ends after \(count) values.", killedBy: "PRD-025") { part, row, _ in
            guard case .isIn(let position, let values) = part, values.count > count else { return nil }
            return BoundPredicate.isIn(position, Array(values.prefix(count))).matches(row)
        }
    }

    private static func refusingIn(_ count: Int) -> @Sendable (any StorageAdapter, MutantTrigger) -> any StorageAdapter
    {
        { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    if case .isIn(_, let values) = query.predicate, values.count > count {
                        trigger.fire()
                        throw StorageError(.io, "There are too many parameters.")
                    }
                    return try await snapshot.query(query)
                }
            }
        }
    }

    /// Takes the first rows of the order before it evaluates conditions of one kind.
    private static func limitedFirst(
        _ isLeft: @escaping @Sendable (BoundPredicate) -> Bool
    ) -> @Sendable (any StorageAdapter, MutantTrigger) -> any StorageAdapter {
        { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    guard isLeft(query.predicate), let limit = query.limit, query.offset == 0, query.isKeyOrder else {
                        return try await snapshot.query(query)
                    }
                    let first = try await snapshot.allRows(KeyRange(query.entity.name)).prefix(limit)
                    trigger.fire()
                    return RowsScan(
                        rows: first.filter { query.predicate.matches($0.cells) }.map(query.projected),
                        columnCount: query.projection.count)
                }
            }
        }
    }

    /// Conditions on the indexed field `text` see the value that each record was first written with.
    private static func staleIndex(_ id: String, _ summary: String, losesDeleted: Bool) -> Mutant {
        Mutant(id, summary, killedBy: "PRD-023") { base, trigger in
            let memory = Mutex<(first: [RecordKey: Value], deleted: Set<RecordKey>)>(([:], []))
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    let receipt = try await base.commit(request)
                    memory.withLock { memory in
                        for operation in request.operations {
                            switch operation {
                            case .put(_, let rows, _):
                                for row in 0..<rows.rowCount where memory.first[RecordKey([rows[row, 0]])] == nil {
                                    memory.first[RecordKey([rows[row, 0]])] = rows[row, 1]
                                }
                            case .delete(_, let keys): memory.deleted.formUnion(keys)
                            case .clear: memory.deleted.formUnion(memory.first.keys)
                            }
                        }
                    }
                    return receipt
                }
                hooks.querying = { query, snapshot throws(StorageError) in
                    let memory = memory.withLock { $0 }
                    return try await DamagedQuery(
                        query,
                        truth: { part, row, _ in
                            guard case .compare(1, .equal, let operand) = part else { return nil }
                            let key = RecordKey([row[0]])
                            if losesDeleted { return memory.deleted.contains(key) ? false : nil }
                            return memory.first[key].map { ValueOrder.areEqual($0, operand) }
                        }, trigger: trigger
                    ).run(snapshot)
                }
            }
        }
    }
}

import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Conditions that are answered otherwise.
    static let engineAsking: [Mutant] = [
        staleIndex("eng-index-keeps-pages", "byPages", of: "Book", 2, "ENG-020"),
        staleIndex("eng-index-follows-not", "byPages", of: "Book", 2, "ENG-053"),
        staleIndex("eng-index-keeps-authors", "by_author", of: "Book", 5, "ENG-044"),
        Mutant(
            "eng-second-key-field-ignored", "The number of a shelf is not compared.", killedBy: "ENG-014",
            matching: { part, _, query in
                if case .compare(7, .equal, _) = part, query.entity.name == "Book" { true } else { nil }
            }),
        Mutant(
            "eng-last-of-list-ignored", "The last value of a list of several is not looked for.", killedBy: "ENG-025",
            matching: { part, row, _ in
                guard case .isIn(let position, let values) = part, values.count > 1 else { return nil }
                return BoundPredicate.isIn(position, values.dropLast()).matches(row)
            }),
        Mutant(
            "eng-list-of-eight", "Of a list of values the first seven are looked for.", killedBy: "ENG-027",
            matching: { part, row, _ in
                guard case .isIn(let position, let values) = part, values.count > 7 else { return nil }
                return BoundPredicate.isIn(position, Array(values.prefix(7))).matches(row)
            }),
        Mutant(
            "eng-index-of-keys-empty", "The index of the keys of locks finds nothing.", killedBy: "ENG-028",
            matching: { part, _, query in
                guard query.entity.name == "Lock" else { return nil }
                switch part {
                case .compare(1, .equal, let value) where !value.isNull: return false
                case .isIn(1, _): return false
                default: return nil
                }
            }),
        Mutant(
            "eng-first-alternative-only", "Of alternatives of several comparisons the first is looked for.",
            killedBy: "ENG-030",
            matching: { part, row, _ in
                guard case .or(let parts) = part, parts.count > 1,
                    parts.allSatisfy({ if case .and = $0 { true } else { false } })
                else { return nil }
                return parts[0].matches(row)
            }),
        Mutant(
            "eng-null-equals-all", "Null is not unequal to a value.", killedBy: "ENG-048",
            matching: { part, row, _ in
                guard case .compare(let position, .notEqual, let value) = part, !value.isNull, row[position].isNull
                else { return nil }
                return false
            }),
        Mutant(
            "eng-third-alternative-ignored", "Of alternatives the first two are looked for.", killedBy: "ENG-049",
            matching: { part, row, _ in
                guard case .or(let parts) = part, parts.count > 2 else { return nil }
                return parts[0].matches(row) || parts[1].matches(row)
            }),
        Mutant(
            "eng-last-of-two-ignored", "Of two comparisons joined by and the first is made.", killedBy: "ENG-050",
            matching: { part, row, _ in
                guard case .and(let parts) = part, parts.count == 2 else { return nil }
                return parts[0].matches(row)
            }),
        Mutant(
            "eng-range-begins-late", "A range of integers begins two values late.", killedBy: "ENG-067",
            matching: { part, row, _ in
                guard case .compare(let position, .greater, .integer(let bound)) = part,
                    case .integer(let value) = row[position]
                else { return nil }
                return value > bound + 2
            }),
        Mutant(
            "eng-operands-folded", "Texts are compared without regard to case.", killedBy: "ENG-083",
            matching: { part, row, _ in
                guard case .compare(let position, .equal, .text(let operand)) = part,
                    case .text(let text) = row[position]
                else { return nil }
                return text.foldingASCII.utf8.elementsEqual(operand.foldingASCII.utf8)
            }),
        Mutant(
            "eng-large-integers-as-doubles", "Integers are compared as doubles.", killedBy: "ENG-083",
            matching: { part, row, _ in
                guard case .compare(let position, .equal, .integer(let operand)) = part,
                    case .integer(let value) = row[position]
                else { return nil }
                return Double(operand) == Double(value)
            }),
        Mutant(
            "eng-nulls-last", "Nulls come after everything.", killedBy: "ENG-065",
            sorting: { left, right, _ in
                left.isNull == right.isNull ? nil : left.isNull ? .descending : .ascending
            }),
        Mutant(
            "eng-distinct-nulls-last", "Nulls of titles come last.", killedBy: "ENG-052",
            sorting: { left, right, field in
                guard field.name == "title", left.isNull != right.isNull else { return nil }
                return left.isNull ? .descending : .ascending
            }),
    ]

    /// Results that are delivered otherwise.
    static let engineDelivering: [Mutant] = [
        Mutant(
            "eng-queue-newest-first", "The queue is read newest first.", killedBy: "ENG-026",
            delivering: { query, rows in query.readsQueue ? rows.reversed() : rows }),
        Mutant(
            "eng-queue-in-key-order", "The queue is read in the order of its keys.", killedBy: "ENG-071",
            answering: { query, records in
                query.readsQueue
                    ? query.results(of: records, by: { _, _ in .equal }) : query.results(of: records)
            }),
        Mutant(
            "eng-every-second-join", "Of the joins of a record every second is found.", killedBy: "ENG-029",
            delivering: { query, rows in
                guard query.entity.name == "Review", query.isConditional, rows.count > 1 else { return rows }
                return rows.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            }),
        Mutant(
            "eng-last-child-lost", "Of several children the last is not found.", killedBy: "ENG-043",
            delivering: { query, rows in
                guard query.entity.name == "Review", query.isConditional, rows.count > 1 else { return rows }
                return rows.dropLast()
            }),
        Mutant(
            "eng-sort-cut-at-five", "A sorted query without a limit delivers five rows.", killedBy: "ENG-036",
            delivering: { query, rows in
                query.firstSortPosition != nil && query.limit == nil ? Array(rows.prefix(5)) : rows
            }),
        Mutant("eng-query-reads-now", "A query in a snapshot reads what is committed now.", killedBy: "ENG-037") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    let now = try await base.snapshot()
                    if now.sequence != snapshot.sequence { trigger.fire() }
                    var scan = try await now.query(query)
                    let rows = try await scan.drain()
                    await now.close()
                    return RowsScan(rows: rows, columnCount: query.projection.count)
                }
            }
        },
        Mutant(
            "eng-page-skips-its-first", "A page after a record begins one record late.", killedBy: "ENG-046",
            delivering: { query, rows in query.after != nil ? Array(rows.dropFirst()) : rows }),
        Mutant(
            "eng-means-of-integers", "Aggregates are cut to integers.", killedBy: "ENG-051",
            computing: { _, values in
                values.map { if case .double(let number) = $0 { .double(number.rounded(.down)) } else { $0 } }
            }),
        Mutant(
            "eng-sum-of-nothing-is-null", "The sum of nothing is null.", killedBy: "ENG-051",
            computing: { _, values in values.map { $0 == .integer(0) || $0 == .double(0) ? .null : $0 } }),
        Mutant(
            "eng-ties-reversed", "Equal records come in reverse.", killedBy: "ENG-054",
            answering: { query, records in
                guard let position = query.firstSortPosition else { return query.results(of: records) }
                let isDescending = query.order.first { $0.position == position }?.isDescending ?? false
                return query.results(
                    of: records.reversed(),
                    by: { left, right in
                        let ordering = ValueOrder.compare(left[position], right[position])
                        return isDescending ? ordering.reversed : ordering
                    })
            }),
        Mutant(
            "eng-cursor-loses-nulls", "After a value there are no nulls.", killedBy: "ENG-055",
            answering: { query, records in
                query.results(
                    of: records,
                    after: { row in
                        guard query.isAfterCursor(row) else { return false }
                        guard let after = query.after, let position = query.firstSortPosition else { return true }
                        return after[0].isNull || !row[position].isNull
                    })
            }),
        Mutant("eng-cursor-is-a-number", "A page begins after as many records as were read.", killedBy: "ENG-056") {
            base, trigger in
            let count = Counter()
            return HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    let records = try await snapshot.allRecords(of: query.entity.name)
                    let right = query.results(of: records)
                    if query.after == nil { count.set(0) }
                    let rows = query.results(
                        of: records, after: { _ in true }, offset: query.offset + count.current)
                    count.set(count.current + rows.count)
                    if rows != right { trigger.fire() }
                    return RowsScan(rows: rows.map(query.projected), columnCount: query.projection.count)
                }
            }
        },
        Mutant(
            "eng-query-cut-at-fifteen", "A query without limit and condition delivers fifteen rows.",
            killedBy: "ENG-057",
            delivering: { query, rows in
                query.limit == nil && !query.isConditional && query.after == nil ? Array(rows.prefix(15)) : rows
            }),
        Mutant(
            "eng-second-batch-late", "The second batch of a query begins one row late.", killedBy: "ENG-058",
            batching: { rows, number, _ in
                if number == 1 {
                    rows = RowBuffer(Array(rows.storedRows.dropFirst()), columnCount: rows.columnCount)
                }
            }),
        Mutant(
            "eng-deletes-miss-the-last", "A condition on two or more books misses the last.", killedBy: "ENG-061",
            delivering: { query, rows in
                query.entity.name == "Book" && query.isConditional && rows.count > 1 ? Array(rows.dropLast()) : rows
            }),
        Mutant(
            "eng-range-loses-its-last", "Of a range of more than five keys the last is missing.", killedBy: "ENG-063",
            delivering: { query, rows in
                query.isConditional && rows.count > 5 ? Array(rows.dropLast()) : rows
            }),
        Mutant(
            "eng-empty-relations-dropped", "Books without an author are not found.", killedBy: "ENG-066",
            answering: { query, records in
                query.results(of: records.filter { query.entity.name != "Book" || !$0.cells[5].isNull })
            }),
    ]

    /// Stores that are not what they were when they are opened again.
    static let engineReopening: [Mutant] = [
        Mutant(
            "eng-queue-forgotten", "The queue is empty after reopening.", killedBy: "ENG-072",
            rows: { notes, row, cells in
                notes.isReopened && row.entity.name == "__outbox" && row.path == .query
                    ? nil : StoredRow(cells, version: row.version)
            }),
        Mutant(
            "eng-oldest-place-in-the-queue", "Asked for the greatest, the queue gives its smallest place.",
            killedBy: "ENG-072",
            answering: { query, records in
                query.entity.name == "__outbox" && query.limit == 1
                    ? query.results(of: records, by: { query.compare($0, $1).reversed })
                    : query.results(of: records)
            }),
        Mutant(
            "eng-new-fields-filled", "A field that was added is empty text instead of null.", killedBy: "ENG-076",
            rows: { notes, row, cells in
                var cells = cells
                let added = row.positions.firstIndex { row.entity.fields[$0].name == "colour" }
                if notes.isReopened, let added, cells[added].isNull { cells[added] = .text("") }
                return StoredRow(cells, version: row.version)
            }),
        Mutant(
            "eng-change-renews-versions", "After a field was added, records have new versions.", killedBy: "ENG-076",
            rows: { notes, row, cells in
                let isNew = notes.isReopened && row.entity.position(of: "colour") != nil
                return StoredRow(cells, version: isNew ? row.version + 100 : row.version)
            }),
        Mutant(
            "eng-import-batch-cut", "Of ten rows put in one step the last is lost.", killedBy: "ENG-085",
            requesting: { request in
                request.changing { $0.changingRows { $0.count == 10 ? Array($0.dropLast()) : $0 } }
            }),
        Mutant("eng-differences-untold", "A refused change does not say what differs.", killedBy: "ENG-077") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.opening = { request, base throws(StorageError) in
                    let asks = request.migration
                    var request = request
                    request.migration = { stored throws(StorageError) in
                        let migration = try asks(stored)
                        if migration == nil {
                            trigger.fire()
                            throw StorageError(.schemaMismatch, "The schema differs.")
                        }
                        return migration
                    }
                    try await base.open(request)
                }
            }
        },
        Mutant(
            "eng-rebuild-empties-others", "After a rebuild all models are empty.", killedBy: "ENG-078",
            rows: { notes, row, cells in
                notes.isReopened && row.entity.name == "Owner" ? nil : StoredRow(cells, version: row.version)
            }),
        migrating("eng-last-batch-lost", "Records after the 250th are not migrated.", "ENG-079") { number, _, row in
            number < 250 ? row : nil
        },
        migrating("eng-steps-skip-a-record", "The tenth record keeps its default.", "ENG-079") { number, _, row in
            number == 10 ? row?.map { $0 == .integer(3) ? .integer(0) : $0 } : row
        },
        migrating("eng-dropped-take-the-next", "A record after a dropped one is dropped, too.", "ENG-080") {
            _, dropped, row in dropped ? nil : row
        },
        Mutant("eng-failed-steps-passed-over", "A record whose step fails is left out.", killedBy: "ENG-081") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.opening = { request, base throws(StorageError) in
                    try await base.open(
                        request.changingSteps { step, row in
                            do {
                                return try step.migrate(row)
                            } catch {
                                trigger.fire()
                                return nil
                            }
                        })
                }
            }
        },
    ]

    /// An index that keeps every value that a field ever had.
    private static func staleIndex(
        _ id: String, _ index: String, of entity: String, _ position: Int, _ clause: String
    ) -> Mutant {
        Mutant(
            id, "The index \(index) keeps what records were before.", killedBy: clause,
            wrapLocation: { location, trigger in
                let past = PastValues()
                return MutantLocation(base: location) {
                    HookedAdapter(try location.makeAdapter()) { hooks in
                        hooks.committing = { request, base throws(StorageError) in
                            let receipt = try await base.commit(request)
                            for case .put(entity, let rows, _) in request.operations {
                                for row in rows.storedRows { past.note(row.cells[0], row.cells[position]) }
                            }
                            return receipt
                        }
                        hooks.querying = { query, snapshot throws(StorageError) in
                            try await DamagedQuery(
                                query,
                                truth: { part, row, query in
                                    guard case .compare(position, .equal, let value) = part,
                                        query.entity.name == entity, past.contains(row[0], value)
                                    else { return nil }
                                    return true
                                }, trigger: trigger
                            ).run(snapshot)
                        }
                    }
                }
            })
    }

    /// Creates a mutant that changes the rows of a migration of `Device`.
    ///
    /// `change` gets the number of the row from 0, whether the previous row was dropped, and the new row. It returns
    /// the row to use instead, or `nil` to drop it.
    private static func migrating(
        _ id: String, _ summary: String, _ clause: String,
        _ change: @escaping @Sendable (_ number: Int, _ followsDropped: Bool, _ row: [Value]?) -> [Value]?
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.opening = { request, base throws(StorageError) in
                    let (count, dropped) = (Counter(), Counter())
                    try await base.open(
                        request.changingSteps { step, row throws(StorageError) in
                            guard step.target.name == "Device" else { return try step.migrate(row) }
                            let right = try step.migrate(row)
                            let result = change(count.next(), dropped.current == 1, right)
                            dropped.set(right == nil ? 1 : 0)
                            if result != right { trigger.fire() }
                            return result
                        })
                }
            }
        }
    }
}

/// The values that records had.
private final class PastValues: Sendable {
    private let values = Mutex<[Value: Set<Value>]>([:])

    func note(_ key: Value, _ value: Value) { _ = values.withLock { $0[key, default: []].insert(value) } }

    func contains(_ key: Value, _ value: Value) -> Bool { values.withLock { $0[key]?.contains(value) ?? false } }
}

extension BoundQuery {
    /// Whether it asks for entries of the queue in their order.
    fileprivate var readsQueue: Bool { entity.name == "__outbox" && firstSortPosition != nil && limit != 1 }

    /// Whether it selects.
    fileprivate var isConditional: Bool { predicate != .constant(true) }
}

extension OpenRequest {
    /// The same with a migration whose rows are made otherwise.
    fileprivate func changingSteps(
        _ change: @escaping @Sendable (SchemaMigration.Step, [Value]) throws(StorageError) -> [Value]?
    ) -> OpenRequest {
        let asks = migration
        return OpenRequest(schema: schema) { stored throws(StorageError) in
            guard let migration = try asks(stored) else { return nil }
            let steps = migration.steps.map { step in
                SchemaMigration.Step(from: step.source, to: step.target) { row throws(StorageError) in
                    try change(step, row)
                }
            }
            return SchemaMigration(
                steps: steps, removedEntities: migration.removedEntities, progress: migration.progress)
        }
    }
}

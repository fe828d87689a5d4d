import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `LIM` must find.
    static let limits: [Mutant] = limitsOfSizes + limitsOfCounts

    private static let limitsOfSizes: [Mutant] = [
        keyed("keys-fail-at-limit", "Keys of exactly the declared length fail."),
        Mutant(
            "long-keys-cut", "Keys are cut one byte before the limit.", killedBy: "LIM-001",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.written = trigger.watching { value in
                        guard case .text(let text) = value else { return value }
                        return .text(text.prefixOfBytes(base.capabilities.limits.keyByteCount - 1))
                    }
                }
            }),
        Mutant(
            "long-byte-keys-cut", "Byte keys are cut one byte before the limit.", killedBy: "LIM-001",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.written = trigger.watching { value in
                        guard case .bytes(let bytes) = value else { return value }
                        return .bytes(Array(bytes.prefix(base.capabilities.limits.keyByteCount - 1)))
                    }
                }
            }),
        Mutant(
            "long-keys-not-read", "Keys of more than 255 bytes are not found.", killedBy: "LIM-001",
            got: { rows, request in
                zip(rows, request.keys).map { row, key in
                    guard case .text(let text)? = key.components.first, text.utf8.count > 255 else { return row }
                    return StoredRow(row.cells.map { _ in .null }, version: 0)
                }
            }),
        Mutant(
            "long-second-component-cut", "The second component of a key is cut at 1,000 bytes.", killedBy: "LIM-001",
            rows: { rows, entity in
                entity.primaryKey.count == 2
                    ? rows.map { $0.replacing(1, $0[1].changingText { $0.prefixOfBytes(1_000) }) } : rows
            }),
        cells("cells-cut-at-16-mib", (1 << 24) - 1, "LIM-002"),
        cells("cells-cut-at-64-mib-less-one", (64 << 20) - 1, "LIM-002"),
        Mutant(
            "largest-cells-fail", "Cells of exactly the declared length fail.", killedBy: "LIM-002",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.committing = { request, base throws(StorageError) in
                        for case .put(_, let rows, _) in request.operations {
                            for cell in rows.cells {
                                guard case .bytes(let bytes) = cell,
                                    bytes.count >= min(64 << 20, base.capabilities.limits.cellByteCount)
                                else { continue }
                                trigger.fire()
                                throw StorageError(.full, "The value does not fit.")
                            }
                        }
                        return try await base.commit(request)
                    }
                }
            }),
        committed("rows-end-at-65535", 65_535, "LIM-003"), committed("rows-end-at-65536", 65_536, "LIM-003"),
        committed("rows-end-at-32767", 32_767, "LIM-003"),
        Mutant(
            "deletes-end-at-65535", "A commit deletes at most 65,535 keys.", killedBy: "LIM-003",
            operation: { operation, _ in
                guard case .delete(let name, let keys) = operation else { return operation }
                return .delete(entity: name, keys: Array(keys.prefix(65_535)))
            }),
        Mutant(
            "large-commits-fail", "A commit of more than 65,535 rows fails.", killedBy: "LIM-003",
            operation: { operation, _ in
                if case .put(_, let rows, _) = operation, rows.rowCount > 65_535 {
                    throw StorageError(.io, "There are too many parameters.")
                }
                return operation
            }),
        nested("depth-ends-one-early", "The greatest declared depth fails.") { base in
            min(base.capabilities.limits.predicateDepth, 10_000) - 1
        },
        nested("depth-ends-at-100", "Conditions deeper than 100 fail.") { _ in 100 },
        Mutant(
            "deep-not-lost", "Two NOTs in a hundred become one.", killedBy: "LIM-004",
            rewriting: { predicate in
                predicate.depth >= 100
                    ? { if case .not(let inner) = predicate { inner } else { predicate } }() : predicate
            }),
        Mutant("deep-groups-are-true", "A group nested deeper than 64 is true.", killedBy: "LIM-004") {
            part, _, query in
            guard part == query.predicate, part.depth > 64 else { return nil }
            return true
        },
        wide("parts-end-at-32766", "A list of more than 32,766 values keeps its first ones.", 32_766),
        wide("parts-end-at-65535", "A list of more than 65,535 values keeps its first ones.", 65_535),
        Mutant(
            "largest-lists-fail", "A list of as many values as declared fails.", killedBy: "LIM-005",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.querying = { query, snapshot throws(StorageError) in
                        if case .isIn(_, let values) = query.predicate,
                            values.count >= min(base.capabilities.limits.predicateNodeCount, 200_000) - 1
                        {
                            trigger.fire()
                            throw StorageError(.limitExceeded, "There are too many parameters.")
                        }
                        return try await snapshot.query(query)
                    }
                }
            }),
        Mutant("wide-or-ends-at-10000", "OR ends after 10,000 terms.", killedBy: "LIM-005") { part, row, _ in
            guard case .or(let any) = part, any.count > 10_000 else { return nil }
            return any.prefix(10_000).contains { $0.matches(row) }
        },
        text("large-texts-cut-at-64-kib", 65_535), text("large-texts-cut-at-256-kib", 262_143),
        text("large-texts-cut-at-1-mib", (1 << 20) - 1),
        cells("large-bytes-cut-at-64-kib", 65_535, "LIM-010"),
        cells("large-bytes-cut-at-1-mib", (1 << 20) - 1, "LIM-010"),
        cells("large-bytes-cut-at-4-mib", (4 << 20) - 1, "LIM-010"),
        Mutant(
            "second-page-repeated", "The bytes after 64 KiB are those of the beginning.", killedBy: "LIM-010",
            written: { value in
                guard case .bytes(let bytes) = value, bytes.count > 131_072 else { return value }
                return .bytes(Array(bytes[..<65_536]) + Array(bytes[..<65_536]) + Array(bytes[131_072...]))
            }),
        Mutant(
            "cell-behind-large-one-lost", "A number after a value of 1 MiB is read as null.", killedBy: "LIM-010",
            rows: { rows, _ in
                rows.map { row in
                    if row.count == 6, case .bytes(let bytes) = row[3], bytes.count >= 1 << 20 {
                        row.replacing(5, .null)
                    } else {
                        row
                    }
                }
            }),
        Mutant("large-texts-compared-by-beginning", "Texts are compared by their first 64 KiB.", killedBy: "LIM-010") {
            part, row, _ in
            guard case .compare(let position, .equal, .text(let operand)) = part, case .text(let text) = row[position],
                operand.utf8.count > 65_536
            else { return nil }
            return operand.prefixOfBytes(65_536) == text.prefixOfBytes(65_536)
        },
        Mutant(
            "tail-of-large-value-stays", "A value that replaces one of 1 MiB keeps the old end.", killedBy: "LIM-010",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.committing = { request, base throws(StorageError) in
                        guard case .put(let name, var rows, let mode)? = request.operations.first, rows.columnCount == 6
                        else { return try await base.commit(request) }
                        for row in 0..<rows.rowCount {
                            var old = RowBuffer()
                            try await base.get(GetRequest(name, keys: [RecordKey([rows[row, 0]])]), into: &old)
                            guard case .bytes(let before) = old[0, 3], case .bytes(let after) = rows[row, 3],
                                before.count >= 1 << 20, after.count < before.count
                            else { continue }
                            trigger.fire()
                            rows.set(.bytes(after + before[after.count...]), row: row, column: 3)
                        }
                        return try await base.commit(
                            CommitRequest(operations: [.put(entity: name, rows: rows, mode: mode)]))
                    }
                }
            }),
        lost("row-lost-at-50", 50), lost("row-lost-at-100", 100), lost("row-lost-at-256", 256),
        lost("row-lost-at-512", 512), lost("row-lost-at-1000", 1_000), lost("row-lost-at-1024", 1_024),
        lost("row-lost-at-2048", 2_048),
        Mutant(
            "results-end-at-1000", "Results end after 1,000 rows.", killedBy: "LIM-011",
            results: { rows, _ in Array(rows.prefix(1_000)) }),
        Mutant(
            "row-repeated-behind-256", "The row after 256 comes twice.", killedBy: "LIM-011",
            results: { rows, _ in
                rows.count > 256 ? Array(rows.prefix(257) + rows.dropFirst(256)) : rows
            }),
        Mutant(
            "results-of-256-empty", "A result of exactly 256 rows is empty.", killedBy: "LIM-011",
            results: { rows, _ in rows.count == 256 ? [] : rows }),
        Mutant(
            "sorted-chunks", "A sort of more than 1,000 rows is sorted in pieces.", killedBy: "LIM-011",
            results: { rows, query in
                rows.count > 1_000 && !query.isKeyOrder ? Array(rows.dropFirst(1_000) + rows.prefix(1_000)) : rows
            }),
        batches("second-batch-repeats-last-row", "A batch begins with the last row of the one before.", repeats: true),
        batches("full-batch-ends-result", "A result ends with its second full batch.", repeats: false),
        scanLost("scan-row-lost-at-1000", 1_000), scanLost("scan-row-lost-at-4096", 4_096),
        scanLost("scan-row-lost-at-65535", 65_535), scanLost("scan-row-lost-at-65536", 65_536),
        Mutant(
            "scan-repeats-row", "The record after 1,000 of them comes twice in a scan.", killedBy: "LIM-012",
            scanned: { rows, _ in
                rows.count > 1_000 ? Array(rows.prefix(1_001) + rows.dropFirst(1_000)) : rows
            }),
        Mutant(
            "keys-beyond-999-absent", "Keys after the 999th are absent.", killedBy: "LIM-013",
            got: { rows, _ in
                rows.enumerated().map {
                    $0.offset < 999 ? $0.element : StoredRow($0.element.cells.map { _ in .null }, version: 0)
                }
            }),
        Mutant(
            "keys-beyond-32766-absent", "Keys after the 32,766th are absent.", killedBy: "LIM-013",
            got: { rows, _ in
                rows.enumerated().map {
                    $0.offset < 32_766 ? $0.element : StoredRow($0.element.cells.map { _ in .null }, version: 0)
                }
            }),
        Mutant(
            "read-in-key-order", "A read answers in key order.", killedBy: "LIM-013",
            got: { rows, _ in
                rows.sorted { $0.cells[0].isBefore($1.cells[0]) }
            }),
        Mutant(
            "repeated-key-once", "A key that is asked twice is answered once.", killedBy: "LIM-013",
            got: { rows, request in
                var seen: Set<RecordKey> = []
                return zip(rows, request.keys).map {
                    seen.insert($1).inserted ? $0 : StoredRow($0.cells.map { _ in .null }, version: 0)
                }
            }),
        Mutant(
            "absent-keys-skipped", "A read of many keys has no rows for those that are absent.", killedBy: "LIM-013",
            got: { rows, _ in rows.count > 10 ? rows.filter { $0.version > 0 } : rows }),
        committed("rows-end-at-1000", 1_000, "LIM-014"), committed("rows-end-at-999", 999, "LIM-014"),
        committed("rows-end-at-255", 255, "LIM-014"), committed("rows-end-at-500", 500, "LIM-014"),
        Mutant(
            "batch-of-256-loses-last", "A batch of exactly 256 rows loses its last.", killedBy: "LIM-014",
            rows: { rows, _ in rows.count == 256 ? Array(rows.dropLast()) : rows }),
        Mutant(
            "operations-end-at-1000", "Operations after the 1,000th are dropped.", killedBy: "LIM-014",
            wrap: operationsEnd(1_000)),
        Mutant(
            "operations-end-at-100", "Operations after the 100th are dropped.", killedBy: "LIM-014",
            wrap: operationsEnd(100)),
        Mutant(
            "deletes-end-at-1000", "Keys after the 1,000th are not deleted.", killedBy: "LIM-014",
            operation: { operation, _ in
                guard case .delete(let name, let keys) = operation else { return operation }
                return .delete(entity: name, keys: Array(keys.prefix(1_000)))
            }),
        columns("columns-end-at-32", 32), columns("columns-end-at-64", 64), columns("columns-end-at-100", 100),
        columns("columns-end-at-255", 255), columns("columns-end-at-499", 499),
        Mutant(
            "null-bit-65-is-64", "The field after 64 is null if the first one after the key is.", killedBy: "LIM-015",
            rows: { rows, _ in
                rows.map { $0.count > 65 && $0[1].isNull ? $0.replacing(65, .null) : $0 }
            }),
        Mutant(
            "empty-table-has-a-row", "A query of an empty table has a row of nulls.", killedBy: "LIM-016",
            results: { rows, query in
                rows.isEmpty && query.limit == 1 ? [StoredRow(query.projection.map { _ in .null }, version: 1)] : rows
            }),
        Mutant(
            "only-record-behind-its-cursor", "The only record comes after its own cursor.", killedBy: "LIM-016",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.querying = { query, snapshot throws(StorageError) in
                        let rows = try await snapshot.allRows(KeyRange(query.entity.name))
                        guard query.after != nil, query.isKeyOrder, rows.count == 1,
                            query.predicate.matches(rows[0].cells)
                        else { return try await snapshot.query(query) }
                        trigger.fire()
                        return RowsScan(rows: rows.map(query.projected), columnCount: query.projection.count)
                    }
                }
            }),
        Mutant(
            "smallest-of-nothing-is-zero", "The smallest value of nothing is 0.", killedBy: "LIM-016",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                        let aggregates = try await snapshot.aggregate(aggregate)
                        if aggregates.contains(.null) { trigger.fire() }
                        return aggregates.map { $0.isNull ? .integer(0) : $0 }
                    }
                }
            }),
        Mutant(
            "entities-numbered-in-a-byte", "The 257th entity is the first.", killedBy: "LIM-017",
            operation: { operation, schema in
                guard case .put(let name, let rows, let mode) = operation,
                    let index = schema.entities.firstIndex(where: { $0.name == name }), index >= 256
                else { return operation }
                return .put(entity: schema.entities[index - 256].name, rows: rows, mode: mode)
            }),
        Mutant(
            "clear-takes-name-prefix", "A clear takes entities whose names begin alike.", killedBy: "LIM-017",
            wrap: { base, trigger in
                let names = Mutex<[String]>([])
                return HookedAdapter(base) { hooks in
                    hooks.opening = { request, base throws(StorageError) in
                        names.withLock { $0 = request.schema.entities.map(\.name) }
                        try await base.open(request)
                    }
                    hooks.committing = { request, base throws(StorageError) in
                        var request = request
                        request.operations = request.operations.flatMap { operation -> [WriteOperation] in
                            guard case .clear(let name) = operation else { return [operation] }
                            trigger.fire()
                            return names.withLock { $0 }.filter { $0.hasPrefix(name) }.map { .clear(entity: $0) }
                        }
                        return try await base.commit(request)
                    }
                }
            }),
    ]

    private static func keyed(_ id: String, _ summary: String) -> Mutant {
        Mutant(id, summary, killedBy: "LIM-001") { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    for case .put(_, let rows, _) in request.operations {
                        for cell in rows.cells
                        where cell.sampleText.utf8.count >= min(1 << 20, base.capabilities.limits.keyByteCount) {
                            trigger.fire()
                            throw StorageError(.io, "The key does not fit.")
                        }
                    }
                    return try await base.commit(request)
                }
            }
        }
    }

    private static func cells(_ id: String, _ count: Int, _ clause: String) -> Mutant {
        Mutant(
            id, "Bytes are cut at \(count).", killedBy: clause,
            written: { value in
                if case .bytes(let bytes) = value, bytes.count > count {
                    .bytes(Array(bytes.prefix(count)))
                } else {
                    value
                }
            })
    }

    private static func text(_ id: String, _ count: Int) -> Mutant {
        Mutant(
            id, "Texts are cut at \(count) bytes.", killedBy: "LIM-010",
            written: { $0.changingText { $0.prefixOfBytes(count) } })
    }

    private static func committed(_ id: String, _ count: Int, _ clause: String) -> Mutant {
        Mutant(
            id, "A put writes at most \(count) rows.", killedBy: clause, rows: { rows, _ in Array(rows.prefix(count)) })
    }

    private static func operationsEnd(_ count: Int)
        -> @Sendable (any StorageAdapter, MutantTrigger) -> any StorageAdapter
    {
        { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    var request = request
                    if request.operations.count > count { trigger.fire() }
                    request.operations = Array(request.operations.prefix(count))
                    return try await base.commit(request)
                }
            }
        }
    }

    private static func nested(
        _ id: String, _ summary: String, _ limit: @escaping @Sendable (any StorageAdapter) -> Int
    ) -> Mutant {
        Mutant(id, summary, killedBy: "LIM-004") { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    if query.predicate.depth > limit(base) {
                        trigger.fire()
                        throw StorageError(.limitExceeded, "The expression is too deep.")
                    }
                    return try await snapshot.query(query)
                }
            }
        }
    }

    private static func wide(_ id: String, _ summary: String, _ count: Int) -> Mutant {
        Mutant(id, summary, killedBy: "LIM-005") { part, row, _ in
            guard case .isIn(let position, let values) = part, values.count > count else { return nil }
            return BoundPredicate.isIn(position, Array(values.prefix(count))).matches(row)
        }
    }

    private static func lost(_ id: String, _ count: Int) -> Mutant {
        Mutant(
            id, "The row after \(count) of them is lost.", killedBy: "LIM-011",
            results: { rows, _ in
                rows.count > count ? Array(rows.prefix(count) + rows.dropFirst(count + 1)) : rows
            })
    }

    private static func scanLost(_ id: String, _ count: Int) -> Mutant {
        Mutant(
            id, "The record after \(count) of them is lost in scans.", killedBy: "LIM-012",
            scanned: { rows, _ in
                rows.count > count ? Array(rows.prefix(count) + rows.dropFirst(count + 1)) : rows
            })
    }

    private static func columns(_ id: String, _ count: Int) -> Mutant {
        Mutant(
            id, "Fields after the \(count)th keep nothing.", killedBy: "LIM-015",
            rows: { rows, _ in
                rows.map { row in row.enumerated().map { $0.offset < count ? $0.element : .null } }
            })
    }

    private static func batches(_ id: String, _ summary: String, repeats: Bool) -> Mutant {
        Mutant(id, summary, killedBy: "LIM-011") { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    BrokenBatches(base: try await snapshot.query(query), repeats: repeats, trigger: trigger)
                }
            }
        }
    }
}

/// A scan that goes wrong where a batch ends.
private struct BrokenBatches: AdapterScan {
    var base: any AdapterScan
    let repeats: Bool
    let trigger: MutantTrigger
    var fullBatchCount = 0
    var last: StoredRow?

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        if repeats {
            let batch = rows.storedRows
            if let last, let end = batch.last, batch.count < maximumRowCount {
                trigger.fire()
                rows.reset(columnCount: rows.columnCount)
                for row in [last] + batch { rows.append(row.cells, version: row.version) }
                self.last = end
            } else {
                last = batch.last
            }
            return
        }
        if fullBatchCount >= 2, !rows.isEmpty {
            trigger.fire()
            rows.reset(columnCount: rows.columnCount)
        }
        if rows.rowCount == maximumRowCount { fullBatchCount += 1 }
    }

    mutating func close() async { await base.close() }
}

extension BoundPredicate {
    /// The number of levels.
    fileprivate var depth: Int {
        switch self {
        case .not(let inner): 1 + inner.depth
        case .and(let all): 1 + (all.map(\.depth).max() ?? 0)
        case .or(let any): 1 + (any.map(\.depth).max() ?? 0)
        default: 1
        }
    }
}

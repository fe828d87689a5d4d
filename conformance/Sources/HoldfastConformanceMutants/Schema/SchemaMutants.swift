import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `SCH` must find.
    static let schema: [Mutant] =
        additiveSchemaChanges + refusedSchemaChanges + migrations + schemaShapes + schemaCarried + schemaReturning

    private static let additiveSchemaChanges: [Mutant] = [
        afterChange("change-loses-a-record", "A change of the schema loses the last record.", killedBy: "SCH-001") {
            rows in [.delete(entity: "Entry", keys: rows.suffix(1).map { RecordKey([$0.cells[0]]) })]
        },
        afterChange(
            "change-rewrites-records", "A change of the schema gives all records a new version.", killedBy: "SCH-001"
        ) {
            rows in
            rows.isEmpty ? [] : [.put(entity: "Entry", rows: RowBuffer(rows: rows.map(\.cells)), mode: .upsert)]
        },
        Mutant(
            "old-index-forgotten", "A change of the schema leaves an old index one record short.", killedBy: "SCH-001",
            noting: {
                hooks, notes, _, trigger in
                hooks.querying = { query, base async throws(StorageError) in
                    let scan = try await base.query(query)
                    guard notes.isReopened, case .compare(let position, .equal, _) = query.predicate,
                        query.entity.fields[position].name == "number"
                    else { return scan }
                    return ShortScan(base: scan, trigger: trigger)
                }
            }),
        newCells("new-fields-are-empty", "A new text reads as empty in old records.", "SCH-002", [.get, .scan, .query])
        {
            $0.type.storageType == .text ? .text("") : nil
        },
        newCells(
            "new-fields-are-zero", "A new integer reads as zero in old records.", "SCH-002", [.get, .scan, .query]
        ) {
            $0.type.storageType == .integer ? .integer(0) : nil
        },
        newCells("new-lists-are-empty", "A new list reads as empty in old records.", "SCH-002", [.get, .scan, .query]) {
            $0.type.storageType.isList ? .list([]) : nil
        },
        newCells("new-fields-wrong-by-key", "A new boolean reads as false by key.", "SCH-002", [.get]) {
            $0.type.storageType == .boolean ? .boolean(false) : nil
        },
        newCells("new-fields-wrong-in-queries", "New bytes read as empty in queries.", "SCH-002", [.query]) {
            $0.type.storageType == .bytes ? .bytes([]) : nil
        },
        newCells("new-fields-wrong-in-scans", "A new double reads as zero in scans.", "SCH-002", [.scan]) {
            $0.type.storageType == .double ? .double(0) : nil
        },
        Mutant(
            "missing-is-not-null", "Old records do not count as null in a new field.", killedBy: "SCH-002",
            noting: {
                hooks, notes, _, trigger in
                hooks.querying = { query, base async throws(StorageError) in
                    guard case .compare(let position, .equal, .null) = query.predicate,
                        isNew(query.entity.fields[position].name, of: query.entity.name, notes)
                    else { return try await base.query(query) }
                    trigger.fire()
                    return RowsScan(rows: [], columnCount: query.projection.count)
                }
            }),
        newIndex("new-index-is-empty", "A new index finds new records only.") { _, version, start in version > start },
        newIndex("new-index-lacks-nulls", "A new index lacks old records with null.") { operand, version, start in
            version > start || !operand.isNull
        },
        newIndex("new-index-stops-at-256", "A new index is filled with 256 records.") { _, version, start in
            version > start ? true : nil
        },
        Mutant(
            "new-unique-index-ignored", "A unique index that is added later is not enforced.", killedBy: "SCH-004",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    guard notes.with({ $0.openingCount }) > 0 else { return try await notes.open(request, base) }
                    trigger.fire()
                    try await notes.open(request.replacing { $0.withoutUniqueness }, base)
                }
            }),
        Mutant(
            "new-unique-index-binds-new", "A new unique index does not know old records.", killedBy: "SCH-004",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    try await notes.open(request.replacing { $0.withoutUniqueness }, base)
                }
                hooks.committing = { request, base async throws(StorageError) in
                    guard notes.isReopened else { return try await base.commit(request) }
                    var seen: [Value] = []
                    let start = notes.with { $0.sequenceAtOpening }
                    for row in try await rows(of: "Entry", base) where row.version > start { seen.append(row.cells[2]) }
                    for case .put(_, let rows, _) in request.operations {
                        for row in 0..<rows.rowCount where !rows[row, 2].isNull && seen.contains(rows[row, 2]) {
                            throw StorageError.uniqueViolation(index: "byText", of: "Entry", operation: 0)
                        }
                    }
                    trigger.fire()
                    return try await base.commit(request)
                }
            }),
        Mutant(
            "duplicates-kept", "A unique index that records break is made without uniqueness.", killedBy: "SCH-005",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        try await notes.open(request, base)
                    } catch {
                        guard error.kind == .uniqueViolation || error.kind == .schemaMismatch else { throw error }
                        trigger.fire()
                        try await notes.open(request.replacing { $0.withoutUniqueness }, base)
                    }
                }
            }),
        whenRefused(
            "duplicates-deleted", "Where a unique index cannot be made, a record is deleted.", killedBy: "SCH-005"
        ) {
            _, stored in (stored, [.delete(entity: "Entry", keys: [RecordKey("e0000")])])
        },
        Mutant(
            "second-change-moves-cells", "After two changes the last field of old records reads as text.",
            killedBy: "SCH-006",
            rows: {
                notes, row, cells in
                let (count, start) = notes.with { ($0.openingCount, $0.sequenceAtOpening) }
                var cells = cells
                if count > 2, row.version < start, row.path != .get, let last = cells.indices.last, cells[last].isNull {
                    cells[last] = .text("")
                }
                return StoredRow(cells, version: row.version)
            }),
        Mutant(
            "ninth-change-forgets", "The ninth opening loses the first record.", killedBy: "SCH-006",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    try await notes.open(request, base)
                    guard notes.with({ $0.openingCount }) == 9, let first = try await rows(of: "Entry", base).first
                    else {
                        return
                    }
                    trigger.fire()
                    let key = RecordKey([first.cells[0]])
                    _ = try await base.commit(CommitRequest(operations: [.delete(entity: "Entry", keys: [key])]))
                }
            }),
        Mutant(
            "cells-by-position", "Cells are found by position, whatever the new order of fields.", killedBy: "SCH-007",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    let stored = notes.with { $0.schemas.first }
                    try await notes.open(
                        request.replacing { entity in
                            guard let old = try? stored?.entity(named: entity.name), old.fields != entity.fields else {
                                return entity
                            }
                            trigger.fire()
                            return old
                        }, base)
                }
            }),
        Mutant(
            "like-types-refused", "A text that becomes an e-mail address is called a difference.", killedBy: "SCH-007",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    if notes.with({ $0.openingCount }) > 0,
                        request.schema.entities.contains(where: { $0.fields.contains { $0.type == .email } })
                    {
                        trigger.fire()
                        throw SchemaChange.mismatch([.fieldTypeChanged(entity: "Note", field: "b")])
                    }
                    try await notes.open(request, base)
                }
            }),
    ]

    /// Writes something after each opening with another schema.
    private static func afterChange(
        _ id: String, _ summary: String, killedBy clause: String,
        _ operations: @escaping @Sendable ([StoredRow]) -> [WriteOperation]
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            noting: { hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    let stored = notes.with { $0.schemas.last }
                    try await notes.open(request, base)
                    guard let stored, stored.entities != request.schema.entities else { return }
                    let rows = try await rows(of: "Entry", base)
                    let operations = operations(rows)
                    guard !rows.isEmpty, !operations.isEmpty else { return }
                    trigger.fire()
                    _ = try await base.commit(CommitRequest(operations: operations))
                }
            })
    }

    /// Whether a field is not in the schema that the store was first opened with.
    private static func isNew(_ field: String, of entity: String, _ notes: SharedHandleState) -> Bool {
        guard let first = try? notes.with({ $0.schemas.first })?.entity(named: entity) else { return false }
        return first.field(named: field) == nil
    }

    /// Delivers something else than null in new fields of old records.
    private static func newCells(
        _ id: String, _ summary: String, _ clause: String, _ paths: [AlteredSnapshot.Path],
        _ cell: @escaping @Sendable (FieldSchema) -> Value?
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            rows: { notes, row, cells in
                guard paths.contains(row.path) else { return StoredRow(cells, version: row.version) }
                let altered = zip(row.positions, cells).map { position, value in
                    let field = row.entity.fields[position]
                    guard value.isNull, isNew(field.name, of: row.entity.name, notes) else { return value }
                    return cell(field) ?? value
                }
                return StoredRow(altered, version: row.version)
            })
    }

    /// Leaves records out of what a new index finds.
    ///
    /// `finds` gets the operand, the version of a record, and the sequence at opening. It returns whether the record is
    /// found, or `nil` to find only the first 256 records.
    private static func newIndex(
        _ id: String, _ summary: String, _ finds: @escaping @Sendable (Value, UInt64, UInt64) -> Bool?
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: "SCH-003",
            noting: { hooks, notes, _, trigger in
                hooks.querying = { query, base async throws(StorageError) in
                    let scan = try await base.query(query)
                    guard notes.isReopened, case .compare(let position, .equal, let operand) = query.predicate,
                        query.entity.fields[position].name == "number"
                    else { return scan }
                    let start = notes.with { $0.sequenceAtOpening }
                    return FilteredScan(base: scan) { row in
                        let isFound =
                            finds(operand, row.version, start)
                            ?? (row.cells[0].isText { $0 < "e0256" })
                        if !isFound { trigger.fire() }
                        return isFound
                    }
                }
            })
    }

    /// Does something to the stored store where an opening is refused.
    ///
    /// `change` gets the schema asked for and the stored one. It returns the schema to open the store with, and the
    /// operations to commit then.
    static func whenRefused(
        _ id: String, _ summary: String, killedBy clause: String,
        _ change:
            @escaping @Sendable (StorageSchema, StorageSchema) throws(StorageError) -> (StorageSchema, [WriteOperation])
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            noting: { hooks, notes, location, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        try await notes.open(request, base)
                    } catch {
                        guard let stored = notes.with({ $0.schemas.last }) else { throw error }
                        let (schema, operations) = try change(request.schema, stored)
                        guard let adapter = try? location.makeAdapter() else { throw error }
                        try await adapter.open(OpenRequest(schema: schema))
                        if !operations.isEmpty { _ = try await adapter.commit(CommitRequest(operations: operations)) }
                        try await adapter.close()
                        trigger.fire()
                        throw error
                    }
                }
            })
    }
}

extension Value {
    fileprivate func isText(_ matches: (String) -> Bool) -> Bool {
        if case .text(let text) = self { matches(text) } else { false }
    }
}

extension EntitySchema {
    /// The entity without the uniqueness of its indexes.
    fileprivate var withoutUniqueness: EntitySchema {
        EntitySchema(
            name, fields: fields, primaryKey: primaryKey, indexes: indexes.map { IndexSchema($0.name, on: $0.fields) })
    }
}

extension OpenRequest {
    /// The request with other entities.
    func replacing(_ change: (EntitySchema) -> EntitySchema) throws(StorageError) -> OpenRequest {
        OpenRequest(schema: try StorageSchema(entities: schema.entities.map(change)), migration: migration)
    }
}

/// A scan that leaves out some rows.
struct FilteredScan: AdapterScan {
    var base: any AdapterScan
    let isKept: @Sendable (StoredRow) -> Bool

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        var batch = RowBuffer()
        var isFirst = true
        repeat {
            try await base.next(maximumRowCount: maximumRowCount, into: &batch)
            if isFirst { rows.reset(columnCount: batch.columnCount) }
            isFirst = false
            for row in batch.storedRows where isKept(row) { rows.append(row.cells, version: row.version) }
        } while rows.isEmpty && !batch.isEmpty
    }

    mutating func close() async { await base.close() }
}

import HoldfastConformance
package import HoldfastStorage

/// An adapter with one seeded defect: a test of the tests.
package struct FaultyAdapter: StorageAdapter {
    private let base: any StorageAdapter
    private let defect: ModelDefect

    /// The base's own.
    package var capabilities: Capabilities { base.capabilities }

    /// Creates an adapter that is right but for one defect.
    package init(_ base: any StorageAdapter = ModelAdapter(), defect: ModelDefect) {
        self.base = base
        self.defect = defect
    }

    /// Opens the base.
    package func open(_ request: OpenRequest) async throws(StorageError) {
        guard defect == .uniqueIgnored else { return try await base.open(request) }
        let entities = request.schema.entities.map { entity in
            EntitySchema(
                entity.name, fields: entity.fields, primaryKey: entity.primaryKey,
                indexes: entity.indexes.map { IndexSchema($0.name, on: $0.fields) })
        }
        try await base.open(OpenRequest(schema: StorageSchema(entities: entities)))
    }

    /// Closes the base.
    package func close() async throws(StorageError) { try await base.close() }

    /// A view with the defect.
    package func snapshot() async throws(StorageError) -> any StorageSnapshot {
        FaultySnapshot(base: try await base.snapshot(), store: base, defect: defect)
    }

    /// Commits with the defect.
    package func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        var request = request
        if defect == .preconditionIgnored { request.preconditions = [] }
        request.operations = request.operations.map(damage)
        do {
            var receipt = try await base.commit(request)
            if defect == .missingDeletesCounted {
                for case .delete(_, let keys) in request.operations {
                    receipt.deletedCount = max(receipt.deletedCount, keys.count)
                }
            }
            return receipt
        } catch {
            if defect == .batchNotAtomic, case .operation(let index)? = error.position, index > 0 {
                _ = try await base.commit(CommitRequest(operations: Array(request.operations[..<index])))
            }
            guard defect == .positionMissing else { throw error }
            throw StorageError(error.kind, error.message)
        }
    }

    private func damage(_ operation: WriteOperation) -> WriteOperation {
        guard case .put(let entity, let rows, var mode) = operation else { return operation }
        if defect == .updateActsAsUpsert && mode == .update { mode = .upsert }
        if defect == .insertActsAsUpsert && mode == .insert { mode = .upsert }
        var damaged = rows
        for row in 0..<rows.rowCount {
            for column in 0..<rows.columnCount {
                damaged.set(written(rows[row, column]), row: row, column: column)
            }
        }
        return .put(entity: entity, rows: damaged, mode: mode)
    }

    private func written(_ value: Value) -> Value {
        switch (defect, value) {
        case (.integersThroughDouble, .integer(let integer)):
            return .integer(Int64(exactly: Double(integer)) ?? (integer < 0 ? .min : .max))
        case (.normalisedOnWrite, .text(let text)): return .text(text.composingAcuteE)
        case (.textTrimmed, .text(let text)) where text.hasSuffix(" "): return .text(String(text.dropLast()))
        case (.textCut, .text(let text)): return .text(String(text.prefix(1_024)))
        case (.fractionTruncated, .timestamp(var instant)):
            instant.nanoseconds -= instant.nanoseconds % 1_000_000
            return .timestamp(instant)
        case (.offsetLost, .timestamp(var instant)):
            instant.tail.offset = 0
            return .timestamp(instant)
        default: return value
        }
    }
}

struct FaultySnapshot: StorageSnapshot {
    let base: any StorageSnapshot
    let store: any StorageAdapter
    let defect: ModelDefect

    var sequence: UInt64 { base.sequence }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        if defect == .snapshotLiveForGet {
            try await store.get(request, into: &rows)
        } else {
            try await base.get(request, into: &rows)
        }
        damage(&rows)
    }

    func scan(_ range: KeyRange) async throws(StorageError) -> any StorageScan {
        if defect == .snapshotLiveForScan { return try await store.snapshot().scan(range) }
        return try await base.scan(range)
    }

    func close() async { await base.close() }

    func query(_ query: BoundQuery) async throws(StorageError) -> any StorageScan {
        return RowsScan(
            rows: FaultyQuery(query: query, defect: defect).results(try await allRecords(of: query.entity)),
            columnCount: query.projection.count)
    }

    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        let rows = try await allRows(of: aggregate.query)
        var accumulator = AggregateAccumulator(aggregate)
        for row in rows { row.cells.withUnsafeBufferPointer { accumulator.add($0) } }
        do {
            return zip(try accumulator.result(), aggregate.functions).map { value, function in
                switch (defect, function, value) {
                case (.minimumIsNull, .minimum, _): return .null
                case (.averageCountsNulls, .average(let position), .double(let average)):
                    let count = rows.count { !$0.cells[position].isNull }
                    return .double(average * Double(count) / Double(rows.count))
                default: return value
                }
            }
        } catch {
            if defect == .sumWraps { return aggregate.functions.map { _ in .integer(0) } }
            throw error
        }
    }

    private func allRecords(of entity: EntitySchema) async throws(StorageError) -> [StoredRow] {
        var scan = try await scan(KeyRange(entity.name))
        return try await drain(&scan)
    }

    private func allRows(of query: BoundQuery) async throws(StorageError) -> [StoredRow] {
        var scan = try await self.query(query)
        return try await drain(&scan)
    }

    private func drain(_ scan: inout any StorageScan) async throws(StorageError) -> [StoredRow] {
        var batch = RowBuffer()
        var rows: [StoredRow] = []
        repeat {
            try await scan.next(maximumRowCount: 512, into: &batch)
            damage(&batch)
            rows += batch.storedRows
        } while !batch.isEmpty
        return rows
    }

    private func damage(_ rows: inout RowBuffer) {
        for row in 0..<rows.rowCount where defect == .emptyListIsNull {
            for column in 0..<rows.columnCount where rows[row, column] == .list([]) {
                rows.set(.null, row: row, column: column)
            }
        }
        guard defect == .versionKeptByReplacement else { return }
        var kept = RowBuffer(columnCount: rows.columnCount)
        for row in 0..<rows.rowCount { kept.append(rows[row], version: min(rows.versions[row], 1)) }
        rows = kept
    }
}

extension String {
    fileprivate var composingAcuteE: String {
        var scalars = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar == "\u{301}" && scalars.last == "e" {
                scalars.removeLast()
                scalars.append("\u{E9}")
            } else {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}

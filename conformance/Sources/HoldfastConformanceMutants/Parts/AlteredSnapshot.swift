import HoldfastConformance
import HoldfastStorage

/// A snapshot whose rows are changed on their way out.
struct AlteredSnapshot: AdapterSnapshot {
    /// How a row is read.
    enum Path: Sendable, CaseIterable {
        case get, scan, query
    }

    /// One row on its way.
    struct Row {
        /// How it is read.
        let path: Path
        /// Its entity.
        let entity: EntitySchema
        /// The field of each cell.
        let positions: [Int]
        /// The record's version.
        let version: UInt64
    }

    /// The row as it is delivered, or `nil` to leave it out.
    typealias Alteration = @Sendable (Row, [Value]) -> StoredRow?

    let base: any AdapterSnapshot
    let schema: StorageSchema
    let alter: Alteration

    var sequence: UInt64 { base.sequence }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.get(request, into: &rows)
        let entity = try schema.entity(named: request.entity)
        let read = rows.storedRows
        rows.reset(columnCount: entity.fields.count)
        for row in read {
            let context = Row(
                path: .get, entity: entity, positions: Array(entity.fields.indices), version: row.version)
            if row.version > 0, let altered = alter(context, row.cells) {
                rows.append(altered.cells, version: altered.version)
            } else {
                rows.appendAbsentRow()
            }
        }
    }

    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        let entity = try schema.entity(named: range.entity)
        return AlteredScan(base: try await base.scan(range), columnCount: entity.fields.count) { [alter] row in
            let context = Row(
                path: .scan, entity: entity, positions: Array(entity.fields.indices), version: row.version)
            return alter(context, row.cells)
        }
    }

    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        AlteredScan(base: try await base.query(query), columnCount: query.projection.count) { [alter] row in
            let context = Row(
                path: .query, entity: query.entity, positions: query.projection, version: row.version)
            return alter(context, row.cells)
        }
    }

    func scan(_ range: BoundVersionRange) async throws(StorageError) -> any AdapterScan {
        let positions = Array(range.entity.fields.indices)
        return AlteredScan(base: try await base.scan(range), columnCount: positions.count) { [alter] row in
            alter(Row(path: .scan, entity: range.entity, positions: positions, version: row.version), row.cells)
        }
    }

    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        try await base.aggregate(aggregate)
    }

    func close() async { await base.close() }
}

private struct AlteredScan: AdapterScan {
    var base: any AdapterScan
    let columnCount: Int
    let alter: @Sendable (StoredRow) -> StoredRow?

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        var batch = RowBuffer()
        rows.reset(columnCount: columnCount)
        repeat {
            try await base.next(maximumRowCount: maximumRowCount, into: &batch)
            for row in batch.storedRows {
                if let row = alter(row) { rows.append(row.cells, version: row.version) }
            }
        } while rows.isEmpty && !batch.isEmpty
    }

    mutating func close() async { await base.close() }
}

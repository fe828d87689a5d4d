import HoldfastStorage

extension ReadWriteSet {
    /// Consecutive writes of one entity and one kind.
    struct Run: Sendable {
        let entity: EntitySchema
        let isSave: Bool
        /// Whether ``existing`` has only the keys of some records.
        var isKeyOnly = false
        var keys: [RecordKey] = []
        /// The records to be, if they are saved.
        var rows: RowBuffer
        /// The records as stored, version 0 where there is none.
        var existing: RowBuffer
        /// What the service's records must satisfy, by key.
        var conditions: [RecordKey: String] = [:]
        /// The records with whose deletions others go, by the keys of these.
        var cascades: [RecordKey: SendOrder.Record] = [:]
    }

    /// The effective writes in order; a record created and deleted again is left out.
    func runs() -> [Run] {
        var runs: [Run] = []
        for (position, (entity, key)) in written.enumerated() {
            guard let record = record(entity, key), record.position == position, record.row != nil || record.base != nil
            else { continue }
            if runs.last.map({ $0.entity.name != entity.name || $0.isSave != (record.row != nil) }) ?? true {
                let empty = RowBuffer(columnCount: entity.fields.count)
                runs.append(Run(entity: entity, isSave: record.row != nil, rows: empty, existing: empty))
            }
            runs[runs.count - 1].append(key, record)
            // A record that was saved again after its deletion takes nothing with it.
            guard let cascade = record.cascade, let parent = records[cascade.entity]?[cascade.key],
                parent.row == nil, parent.base != nil
            else { continue }
            runs[runs.count - 1].cascades[key] = SendOrder.Record(model: cascade.entity, key: cascade.key.outboxText)
        }
        return runs
    }

    /// Stored rows of a query as the transaction sees them: without what it changed or deleted, with what it wrote,
    /// in the query's order and page.
    func merge(_ stored: RowBuffer, _ query: BoundQuery) -> RowBuffer {
        var rows: [(cells: [Value], version: UInt64)] = []
        for row in 0..<stored.rowCount
        where !(record(query.entity, query.entity.key(of: stored[row]))?.isWritten ?? false) {
            rows.append((Array(stored[row]), stored.versions[row]))
        }
        for record in (records[query.entity.name] ?? [:]).values where record.isWritten {
            guard let row = record.row, query.predicate.matches(row),
                row.withUnsafeBufferPointer(query.isAfterCursor)
            else { continue }
            rows.append((row, max(record.version, 1)))
        }
        rows.sort { left, right in
            left.cells.withUnsafeBufferPointer { left in
                right.cells.withUnsafeBufferPointer { query.compare(left, $0) == .ascending }
            }
        }
        var result = RowBuffer(columnCount: query.entity.fields.count)
        for row in rows.dropFirst(query.offset).prefix(query.limit ?? .max) {
            result.append(row.cells, version: row.version)
        }
        return result
    }
}

extension ReadWriteSet.Run {
    fileprivate mutating func append(_ key: RecordKey, _ record: ReadWriteSet.Record) {
        keys.append(key)
        if let condition = record.condition { conditions[key] = condition }
        if let row = record.row { rows.append(row) }
        if let base = record.base {
            existing.append(record.isKeyOnly ? entity.row(ofKey: base) : base, version: record.version)
            if record.isKeyOnly { isKeyOnly = true }
        } else {
            existing.appendAbsentRow()
        }
    }
}

extension EntitySchema {
    /// A row that has only the cells of a key.
    func row(ofKey components: [Value]) -> [Value] {
        var row = [Value](repeating: .null, count: fields.count)
        for (position, cell) in zip(primaryKeyPositions, components) { row[position] = cell }
        return row
    }
}

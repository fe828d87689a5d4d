import HoldfastStorage

extension BoundQuery {
    /// The results among all records, not yet projected; each part of the evaluation can be replaced by a wrong one.
    ///
    /// - Parameters:
    ///   - records: Every record of the entity, all fields, in key order.
    ///   - matches: Which records; by the predicate by default.
    ///   - compare: In which order; the total order by default. Equal records stay in key order.
    ///   - isBehind: Which records come behind the cursor.
    ///   - offset: How many to pass over.
    ///   - limit: At most how many; `.max` for all.
    func results(
        of records: [StoredRow], where matches: (([Value]) -> Bool)? = nil,
        by compare: (([Value], [Value]) -> Ordering)? = nil, behind isBehind: (([Value]) -> Bool)? = nil,
        offset: Int? = nil, limit: Int? = nil
    ) -> [StoredRow] {
        var rows = records.filter { matches?($0.cells) ?? predicate.matches($0.cells) }
        rows.sort { left, right in
            (compare?(left.cells, right.cells) ?? self.compare(left.cells, right.cells)) == .ascending
        }
        rows = rows.filter { isBehind?($0.cells) ?? isBehindCursor($0.cells) }
        return Array(rows.dropFirst(offset ?? self.offset).prefix(limit ?? self.limit ?? .max))
    }

    /// Compares two records in the total order.
    func compare(_ left: [Value], _ right: [Value]) -> Ordering {
        left.withUnsafeBufferPointer { left in right.withUnsafeBufferPointer { compare(left, $0) } }
    }

    /// Whether a record comes behind the cursor.
    func isBehindCursor(_ row: [Value]) -> Bool { row.withUnsafeBufferPointer { isBehindCursor($0) } }

    /// The position of the first sort criterion that is not part of the key, if there is one.
    var firstSortPosition: Int? {
        order.first { !entity.primaryKeyPositions.contains($0.position) }?.position
    }

    /// Whether the sort's first criterion or the predicate's only comparison is the first field of an index.
    var mayUseIndex: Bool {
        var positions = [firstSortPosition]
        switch predicate {
        case .compare(let position, _, _), .between(let position, _, _), .isIn(let position, _),
            .beginsWith(let position, _):
            positions.append(position)
        default: break
        }
        return positions.contains { position in
            position.map { position in
                entity.indexes.contains { $0.fields.first == entity.fields[position].name }
            } ?? false
        }
    }
}

extension AdapterScan {
    /// Everything that is left, and closes the scan.
    mutating func drain() async throws(StorageError) -> [StoredRow] {
        var batch = RowBuffer()
        var rows: [StoredRow] = []
        repeat {
            try await next(maximumRowCount: 512, into: &batch)
            rows += batch.storedRows
        } while !batch.isEmpty
        await close()
        return rows
    }
}

extension AdapterSnapshot {
    /// All records of an entity in key order.
    func allRecords(of entity: String) async throws(StorageError) -> [StoredRow] {
        var scan = try await scan(KeyRange(entity))
        return try await scan.drain()
    }
}

extension RowBuffer {
    /// Creates a buffer of rows that were read.
    init(_ rows: [StoredRow], columnCount: Int) {
        self.init(columnCount: columnCount, rowCapacity: rows.count)
        for row in rows { append(row.cells, version: row.version) }
    }
}

package import HoldfastStorage

extension AdapterSnapshot {
    /// All records of an entity in key order.
    package func allRecords(of entity: String) async throws(StorageError) -> [StoredRow] {
        var scan = try await scan(KeyRange(entity))
        return try await scan.drain()
    }

    /// Every row of a range.
    package func allRows(_ range: KeyRange) async throws(StorageError) -> [StoredRow] {
        var scan = try await scan(range)
        return try await scan.drain()
    }
}

extension AdapterScan {
    /// Everything that is left, and closes the scan.
    package mutating func drain() async throws(StorageError) -> [StoredRow] {
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

extension RowBuffer {
    /// Creates a buffer of rows that were read.
    package init(_ rows: [StoredRow], columnCount: Int) {
        self.init(columnCount: columnCount, rowCapacity: rows.count)
        for row in rows { append(row.cells, version: row.version) }
    }
}

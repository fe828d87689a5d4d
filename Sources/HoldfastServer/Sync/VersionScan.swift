import HoldfastStorage

/// The records of a range of versions that a client may read and wants, oldest first, page by page.
struct VersionScan {
    /// The records' entity.
    var entity: EntitySchema
    /// The versions, and the last record of the page before.
    var range: VersionRange
    /// Whether a record, given as all its cells, is part of the answer.
    var matches: (UnsafeBufferPointer<Value>) -> Bool

    /// The next records, in the order of versions, then of keys.
    ///
    /// - Parameters:
    ///   - limit: At most so many.
    ///   - byteCount: The bytes of their values at most; one record is always there.
    ///   - snapshot: What is read.
    /// - Returns: The rows, and whether there are more.
    /// - Throws: ``StorageError`` if the store cannot be read.
    func page(
        _ limit: Int, byteCount: Int, of snapshot: StoreSnapshot
    ) async throws(StorageError) -> (rows: RowBuffer, hasMore: Bool) {
        var page = RowBuffer(columnCount: entity.fields.count)
        var budget = PageBudget(rowCount: limit, byteCount: byteCount)
        var part = range
        part.limit = limit + 1
        var count: Int
        repeat {
            count = 0
            var scan = try await snapshot.scan(part)
            var rows = RowBuffer()
            repeat {
                try await scan.next(maximumRowCount: PageBudget.batchRowCount, into: &rows)
                for row in 0..<rows.rowCount where rows.withRow(row, matches) {
                    guard budget.take(rows[row]) else {
                        await scan.close()
                        return (page, true)
                    }
                    page.append(rows[row], version: rows.versions[row])
                }
                if let version = rows.versions.last {
                    count += rows.rowCount
                    part.cursor = VersionCursor(version: version, key: entity.key(of: rows[rows.rowCount - 1]))
                }
            } while !rows.isEmpty
        } while count > limit
        return (page, false)
    }
}

import HoldfastStorage

/// The records of a range of versions that a client may read and wants, oldest first, page by page.
struct VersionScan {
    /// The records' entity.
    var entity: EntitySchema
    /// The versions, and the last record of the page before.
    var range: VersionRange
    /// Which records the client wants; `nil` for all.
    var filter: RecordFilter?
    /// Whether the client may read a record, given as all its cells.
    var isPermitted: (UnsafeBufferPointer<Value>) -> Bool

    /// Where a page ends before all records.
    struct End {
        /// The version of the last record that was looked at.
        var version: UInt64
        /// The last record of the page; `nil` after all records of the version.
        var key: RecordKey?
    }

    /// The next records, in the order of versions, then of keys.
    ///
    /// A page is shorter than its limit, or empty, if it skips many records.
    ///
    /// - Parameters:
    ///   - limit: The largest number of records.
    ///   - reader: What is read, how many records it looks at, and how many bytes the values of a page have.
    /// - Returns: The rows, and where the next page begins; `nil` at the end.
    /// - Throws: ``RequestFault`` if the request reads too much; ``StorageError`` if the store cannot be read.
    func page(_ limit: Int, with reader: SnapshotReader) async throws -> (rows: RowBuffer, next: End?) {
        var page = RowBuffer(columnCount: entity.fields.count)
        var budget = PageBudget(
            rowCount: limit, byteCount: reader.limits.pageByteCount, meter: reader.meter)
        var part = range
        part.limit = limit + 1
        let recordCost = filter?.recordCost ?? 1
        let maximum = max(1, min(reader.limits.rowsLookedAt, reader.limits.rowsPerRequest / 2))
        var seen = 0
        var last = range.after
        var count: Int
        repeat {
            count = 0
            var scan = try await reader.snapshot.scan(part)
            var rows = RowBuffer()
            repeat {
                try await scan.next(maximumRowCount: budget.batchRowCount, into: &rows)
                try reader.meter.take(rows.rowCount)
                for row in 0..<rows.rowCount {
                    // Not within a commit: the client may not read the last record, whose key the token would show.
                    if seen >= maximum, rows.versions[row] > last {
                        await scan.close()
                        return (page, End(version: last))
                    }
                    seen += recordCost
                    last = rows.versions[row]
                    // The record itself was counted as it was read.
                    try reader.meter.take(recordCost - 1)
                    guard rows.withRow(row, isPermitted) else { continue }
                    if let filter {
                        seen += try filter.takeBytes(of: row, in: rows, from: reader.meter)
                        guard rows.withRow(row, { filter.matches($0) }) else { continue }
                    }
                    if try !budget.take(rows[row]), let version = page.versions.last {
                        await scan.close()
                        return (page, End(version: version, key: entity.key(of: page[page.rowCount - 1])))
                    }
                    page.append(rows[row], version: rows.versions[row])
                }
                budget.sizeNextBatch(after: rows)
                if let version = rows.versions.last {
                    count += rows.rowCount
                    part.cursor = VersionCursor(version: version, key: entity.key(of: rows[rows.rowCount - 1]))
                }
            } while !rows.isEmpty
        } while count > limit
        return (page, nil)
    }
}

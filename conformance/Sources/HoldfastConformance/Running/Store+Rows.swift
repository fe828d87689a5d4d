package import HoldfastStorage

/// One row as it was read: its cells and its version.
package struct StoredRow: Sendable, Equatable {
    /// The cells, in the order asked for.
    package var cells: [Value]
    /// The sequence of the commit that wrote the record.
    package var version: UInt64

    /// Creates a row.
    package init(_ cells: [Value], version: UInt64) {
        self.cells = cells
        self.version = version
    }
}

extension RowBuffer {
    /// Creates a buffer of rows to be written.
    ///
    /// - Parameter rows: At least one, all of one length.
    package init(rows: [[Value]]) {
        self.init(columnCount: rows.first?.count ?? 0, rowCapacity: rows.count)
        for row in rows { append(row) }
    }

    /// The rows as values of their own.
    package var storedRows: [StoredRow] {
        (0..<rowCount).map { StoredRow(Array(self[$0]), version: versions[$0]) }
    }
}

extension RowBuffer {
    /// The rows that a read of keys delivered, one for each.
    fileprivate func storedRows(for keys: [RecordKey]) throws(StorageError) -> [StoredRow] {
        guard rowCount == keys.count else {
            throw StorageError(.misuse, "A read of \(keys.count) keys delivered \(rowCount) rows.")
        }
        return storedRows
    }
}

extension Store {
    /// The rows of a query, read from a snapshot of its own.
    package func rows(_ plan: QueryPlan) async throws -> [StoredRow] {
        try await withSnapshot { try await $0.rows(plan) }
    }

    /// The records of some keys; version 0 where there is none.
    package func records(_ keys: [RecordKey], of entity: String) async throws -> [StoredRow] {
        var rows = RowBuffer()
        try await get(keys, of: entity, into: &rows)
        return try rows.storedRows(for: keys)
    }
}

extension StoreScan {
    /// All rows, pulled a number at a time; the scan is over then.
    fileprivate mutating func allRows(batch: Int) async throws(StorageError) -> [StoredRow] {
        var rows = RowBuffer()
        var result: [StoredRow] = []
        repeat {
            try await next(maximumRowCount: batch, into: &rows)
            if rows.rowCount > batch { throw StorageError(.misuse, "A scan delivered more rows than were asked for.") }
            result += rows.storedRows
            if result.count > 1_000_000 { throw StorageError(.misuse, "A scan did not end.") }
        } while !rows.isEmpty
        try await next(maximumRowCount: batch, into: &rows)
        if !rows.isEmpty { throw StorageError(.misuse, "A scan that had ended delivered more rows.") }
        await close()
        return result
    }
}

extension StoreSnapshot {
    /// The rows of a query.
    ///
    /// - Parameters:
    ///   - plan: The question.
    ///   - batch: Rows to pull at a time; 100 by default.
    /// - Returns: All rows, in the order of the query.
    /// - Throws: The error of the query or of its scan.
    package func rows(_ plan: QueryPlan, batch: Int = 100) async throws(StorageError) -> [StoredRow] {
        var scan = try await query(plan)
        return try await scan.allRows(batch: batch)
    }

    /// The rows of a range of versions, pulled a number at a time.
    package func rows(_ range: VersionRange, batch: Int = 100) async throws(StorageError) -> [StoredRow] {
        var scan = try await scan(range)
        return try await scan.allRows(batch: batch)
    }

    /// The records of some keys; version 0 where there is none.
    package func records(_ keys: [RecordKey], of entity: String) async throws(StorageError) -> [StoredRow] {
        var rows = RowBuffer()
        try await get(keys, of: entity, into: &rows)
        return try rows.storedRows(for: keys)
    }

    /// The results of a query, scanned page by page with cursors.
    ///
    /// - Parameters:
    ///   - plan: The question, without limit, offset, cursor and projection.
    ///   - page: Rows of a page.
    ///   - entity: The plan's entity.
    ///   - maximumCount: Where to stop if the pages do not end.
    /// - Returns: The rows of all pages, one page after the other.
    /// - Throws: The error of a query or of its scan.
    package func readPages(
        _ plan: QueryPlan, page: Int, of entity: EntitySchema, maximumCount: Int
    ) async throws(StorageError) -> [StoredRow] {
        var plan = plan
        plan.limit = page
        var result: [StoredRow] = []
        while result.count <= maximumCount {
            let rows = try await rows(plan)
            guard let last = rows.last else { break }
            result += rows
            plan.after = Cursor(after: last.cells, of: entity, sortedBy: plan.sort)
        }
        return result
    }
}

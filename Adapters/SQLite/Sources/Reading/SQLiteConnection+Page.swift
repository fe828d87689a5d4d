#if SQLite
internal import CSQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension SQLiteConnection {
    /// Reads all rows of a query in one go, if that takes few steps.
    ///
    /// A single statement sees one state of the database by itself; several need a transaction.
    ///
    /// - Parameters:
    ///   - query: The query, with a limit.
    ///   - rows: Reset and filled.
    /// - Returns: Whether it took few steps; if not, the rows do not count.
    /// - Throws: ``StorageError`` as SQLite reports it, `.corruption` for a cell that cannot be read.
    func read(_ query: SQLiteQuery, into rows: inout RowBuffer) throws(StorageError) -> Bool {
        rows.reset(columnCount: query.layout.cellCount, rowCapacity: query.limit ?? 0)
        questionBudget = 1
        defer { questionBudget = nil }
        do throws(StorageError) {
            if query.parts.count > 1 { try execute("BEGIN") }
            defer { rollBack() }
            for part in query.parts.indices where rows.rowCount != query.limit {
                let statement = try begin(part, of: query, read: rows.rowCount)
                defer { release(statement) }
                while try statement.step() {
                    try checkSchema(of: statement)
                    try query.layout.append(statement, to: &rows)
                }
                try checkSchema(of: statement)
            }
            return true
        } catch {
            rows.reset(columnCount: query.layout.cellCount)
            if error.kind == .cancelled { return false }
            throw error
        }
    }

    /// The statement of a part of a query, ready to run; ``release(_:)`` returns it.
    ///
    /// - Parameters:
    ///   - part: The number of the part.
    ///   - query: The query.
    ///   - count: The rows that its earlier parts have delivered.
    /// - Returns: The statement, with everything bound.
    /// - Throws: ``StorageError`` as SQLite reports it.
    func begin(_ part: Int, of query: SQLiteQuery, read count: Int) throws(StorageError) -> SQLiteStatement {
        let part = query.parts[part]
        var sql = part.sql
        if query.isBounded { sql += query.offset > 0 ? " LIMIT ? OFFSET ?" : " LIMIT ?" }
        let statement = try take(sql)
        try statement.bind(part.parameters)
        if query.isBounded {
            let remaining = query.limit.map { Int64($0 - count) } ?? -1
            let position = Int32(part.parameters.count + 1)
            statement.bind(remaining, at: position)
            if query.offset > 0 { statement.bind(Int64(query.offset), at: position + 1) }
        }
        return statement
    }
}
#endif

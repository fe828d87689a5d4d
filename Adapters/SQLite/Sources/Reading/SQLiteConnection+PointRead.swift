#if SQLite
internal import HoldfastStorage

extension SQLiteConnection {
    /// Reads records by key, one row for each.
    func read(
        _ keys: [RecordKey], of table: SQLiteTable, into rows: inout RowBuffer
    ) throws(StorageError) {
        rows.reset(columnCount: table.layout.cellCount, rowCapacity: keys.count)
        let statement = try pointRead(table)
        for key in keys {
            do {
                var index: Int32 = 1
                for component in key.components {
                    try statement.bind(component, at: index)
                    index += 1
                }
                let isPresent = try statement.step()
                try checkSchema(of: statement)
                if isPresent {
                    try table.layout.append(statement, to: &rows)
                    statement.reset()
                } else {
                    rows.appendAbsentRow()
                }
            } catch {
                statement.reset()
                rows.reset(columnCount: table.layout.cellCount)
                throw error
            }
        }
    }

    @inline(__always)
    private func pointRead(_ table: SQLiteTable) throws(StorageError) -> SQLiteStatement {
        if table.number < pointReads.count, let statement = pointReads[table.number] { return statement }
        return try preparePointRead(table)
    }

    private func preparePointRead(_ table: SQLiteTable) throws(StorageError) -> SQLiteStatement {
        let statement = try SQLiteStatement(table.pointRead, connection: handle)
        while pointReads.count <= table.number { pointReads.append(nil) }
        pointReads[table.number] = statement
        return statement
    }
}

extension SQLiteStatement {
    /// Binds a cell as its main column holds it; SQLite copies it.
    ///
    /// - Throws: As ``check(_:)``.
    @inline(__always)
    func bind(_ value: Value, at index: Int32) throws(StorageError) {
        switch value {
        case .text(let text): try Self.check(bind(text, at: index))
        case .integer(let integer): bind(integer, at: index)
        default: try Self.check(bind(SQLiteParameter(value), at: index))
        }
    }
}
#endif

#if PostgreSQL
internal import HoldfastStorage

/// A read of some records by their keys.
struct PostgreSQLRead: Sendable {
    let table: PostgreSQLTable
    let keys: [RecordKey]

    /// Keys that one statement asks for.
    static let chunkKeyCount = 8_192

    /// How many statements there are.
    var statementCount: Int { (keys.count + Self.chunkKeyCount - 1) / Self.chunkKeyCount }

    /// The statements.
    var commands: [PostgreSQLCommand] {
        if keys.count == 1 {
            var parameters = PostgreSQLParameters()
            table.append(keys[0], to: &parameters)
            return [PostgreSQLCommand(table.pointRead, parameters)]
        }
        return stride(from: 0, to: keys.count, by: Self.chunkKeyCount).map { start in
            var parameters = PostgreSQLParameters()
            let chunk = keys[start..<min(start + Self.chunkKeyCount, keys.count)]
            table.append(chunk, to: &parameters)
            parameters.append((0..<Int64(chunk.count)).map { .integer($0) }, asArrayOf: .integer)
            let columns = (table.layout.selection.isEmpty ? "" : table.layout.selection + ", ") + table.versionName
            // The columns of the keys have names that could be those of the table, so these come first and alone. To
            // make a plan costs more than to read a few records, so it must be one that the server keeps; with the
            // limit it is one that looks for each key, and suits a table that grows.
            let sql =
                "SELECT s.* FROM \(table.keyTable(from: 1, extra: ["o"], hidesCount: true)) LEFT JOIN LATERAL "
                + "(SELECT \(columns) FROM \(table.name) AS t WHERE \(table.keyJoin) LIMIT 1) AS s ON TRUE ORDER BY k.o"
            return PostgreSQLCommand(sql, parameters)
        }
    }

    /// Fills a buffer with one row for each key.
    func take(_ results: some Sequence<PostgreSQLResult>, into rows: inout RowBuffer) throws(StorageError) {
        let layout = table.layout
        rows.reset(columnCount: layout.cellCount, rowCapacity: keys.count)
        do throws(StorageError) {
            for result in results {
                try table.check(result)
                for row in 0..<result.rowCount {
                    if result.isNull(row, layout.columnCount) {
                        rows.appendAbsentRow()
                    } else {
                        try layout.append(result, row: row, to: &rows)
                    }
                }
            }
        } catch {
            rows.reset(columnCount: layout.cellCount)
            throw error
        }
        if keys.count == 1 && rows.isEmpty { rows.appendAbsentRow() }
    }
}

extension [PostgreSQLRead] {
    /// One buffer for each read, from the results of the statements of all of them.
    func answers(_ results: [PostgreSQLResult]) throws(StorageError) -> [RowBuffer] {
        var answers: [RowBuffer] = []
        var rest = results[...]
        for read in self {
            let count = read.statementCount
            var rows = RowBuffer()
            try read.take(rest.prefix(count), into: &rows)
            answers.append(rows)
            rest = rest.dropFirst(count)
        }
        return answers
    }
}
#endif

#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension PostgreSQLCommit {
    /// Rows that are put with one statement, unless they are long.
    private static var chunkRowCount: Int { 8_192 }
    /// More new rows than this are loaded with `COPY`.
    private static var smallestLoad: Int { 500 }

    mutating func apply(_ operation: WriteOperation, at index: Int) throws(StorageError) {
        let table = try table(operation.entity)
        switch operation {
        case .put(_, let rows, let mode):
            // The server would end the connection, and the outcome would seem to be in doubt.
            if rows.hasRow(longerThan: PostgreSQLChunks.maximumRowByteCount) {
                throw StorageError(
                    .limitExceeded, "A record of '\(operation.entity)' takes more than a gigabyte; make it smaller.",
                    position: .operation(index))
            }
            put(rows, mode, into: table, at: index)
        case .delete(_, let keys):
            var parameters = PostgreSQLParameters()
            parameters.append(sequenceBase)
            parameters.append(table.number)
            let versions = replacedVersions[index]
            var source: String
            var count: String?
            if keys.count == 1 {
                table.append(keys[0], to: &parameters)
                source = " WHERE \(table.keyCondition(from: 3))"
                if let versions {
                    parameters.append(Int64(bitPattern: versions[0]))
                    source += " AND \(table.versionName) = $\(parameters.count)"
                    count = "1"
                }
            } else if !keys.isEmpty {
                table.append(keys, to: &parameters)
                if let versions {
                    parameters.append(versions.map { .integer(Int64(bitPattern: $0)) }, asArrayOf: .integer)
                }
                source = " USING \(table.keyTable(from: 3, extra: versions == nil ? [] : ["v"])) WHERE \(table.keyJoin)"
                if versions != nil {
                    source += " AND t.\(table.versionName) = k.v"
                    parameters.append(Int64(keys.count))
                    count = "$\(parameters.count)"
                }
            } else {
                return
            }
            add(table.delete(source, exactly: count), parameters, .deletion(index))
        case .clear:
            var parameters = PostgreSQLParameters()
            parameters.append(sequenceBase)
            parameters.append(table.number)
            add(table.delete(""), parameters, .deletion(index))
        }
    }

    private mutating func put(
        _ rows: RowBuffer, _ mode: WriteOperation.PutMode, into table: PostgreSQLTable, at index: Int
    ) {
        if mode == .insert && !isExact && rows.rowCount > Self.smallestLoad {
            load(rows, into: table, at: index)
            return
        }
        let versions = replacedVersions[index]
        // Whether the only precondition fails is known, since nothing is checked before it.
        let role = versions == nil ? .operation(index) : role(ofPrecondition: joinedPreconditions.first ?? 0)
        // A replaced row could take a unique value before the row that has it gives it up.
        let isOrdered = (mode == .update || versions != nil) && !table.uniqueIndexes.isEmpty
        if isExact || isOrdered || table.hasLists || rows.rowCount == 1 {
            let sql = versions == nil ? table.puts[mode, .one] : table.puts.replace(.one)
            for row in 0..<rows.rowCount {
                var parameters = PostgreSQLParameters()
                parameters.append(sequenceBase)
                table.append(rows, row: row, to: &parameters)
                if let versions { parameters.append(Int64(bitPattern: versions[row])) }
                add(sql, parameters, role)
            }
            return
        }
        let form = keepsPlans ? PostgreSQLPuts.Form.manyWithKeptPlan : .many
        let sql = versions == nil ? table.puts[mode, form] : table.puts.replace(form)
        for range in PostgreSQLChunks(rows, rowCount: Self.chunkRowCount) {
            var parameters = PostgreSQLParameters()
            parameters.append(sequenceBase)
            table.append(rows, range, to: &parameters)
            if let versions {
                parameters.append(versions[range].map { .integer(Int64(bitPattern: $0)) }, asArrayOf: .integer)
            }
            add(sql, parameters, role)
        }
    }
}
#endif

#if SQLite
internal import CSQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// One commit being checked and applied within a transaction.
struct SQLiteCommit {
    let connection: SQLiteConnection
    let tables: [String: SQLiteTable]
    let rowWriter: SQLiteRowWriter
    let limits: SQLiteLimits
    let lastSequence: UInt64
    let recentChanges: SQLiteRecentChanges

    private var deletedCount = 0
    private var putCount = 0

    init(
        connection: SQLiteConnection, tables: [String: SQLiteTable], rowWriter: SQLiteRowWriter,
        limits: SQLiteLimits, lastSequence: UInt64, recentChanges: SQLiteRecentChanges
    ) {
        self.connection = connection
        self.tables = tables
        self.rowWriter = rowWriter
        self.limits = limits
        self.lastSequence = lastSequence
        self.recentChanges = recentChanges
    }

    /// Checks the preconditions, then applies the operations.
    mutating func apply(_ request: CommitRequest) throws(StorageError) -> CommitReceipt {
        for (index, precondition) in request.preconditions.enumerated() where try !holds(precondition) {
            throw StorageError.failedPrecondition(index)
        }
        if request.operations.isEmpty { return CommitReceipt(sequence: lastSequence) }
        for (index, operation) in request.operations.enumerated() {
            do {
                try apply(operation, at: index)
            } catch  where error.position == nil {
                var error = error
                error.position = .operation(index)
                throw error
            }
        }
        return CommitReceipt(sequence: lastSequence + 1, putCount: putCount, deletedCount: deletedCount)
    }

    private func table(_ entity: String) throws(StorageError) -> SQLiteTable {
        guard let table = tables[entity] else { throw StorageError.unknownEntity(entity) }
        return table
    }

    // MARK: Preconditions

    private func holds(_ precondition: Precondition) throws(StorageError) -> Bool {
        switch precondition {
        case .absent(let entity, let key): try version(entity, key) == nil
        case .present(let entity, let key): try version(entity, key) != nil
        case .version(let entity, let key, let version): try self.version(entity, key) == version
        case .unchanged(let range, let since): try isUnchanged(range, since: since)
        }
    }

    private func version(_ entity: String, _ key: RecordKey) throws(StorageError) -> UInt64? {
        let table = try table(entity)
        let keys = table.entity.primaryKeyPositions.map { "\(table.columns[$0].name) = ?" }
        let version = try connection.integer(
            "SELECT \(table.versionName) FROM \(table.name) WHERE \(keys.joined(separator: " AND "))",
            key.components.map { SQLiteParameter($0) })
        return version.map { UInt64(bitPattern: $0) }
    }

    /// Exact for records that were written; any deletion of the entity counts, wherever it was.
    private func isUnchanged(_ range: KeyRange, since: UInt64) throws(StorageError) -> Bool {
        if since >= lastSequence || recentChanges.isUntouched(range.entity, since: since) { return true }
        let table = try table(range.entity)
        if let prefix = range.indexPrefix, let predicate = prefix.predicate(of: table.entity) {
            return try isUnchanged(predicate, count: prefix.keys.count, since: since, table)
        }
        let deletion = try connection.integer(
            "SELECT last_deletion FROM holdfast_entity WHERE name = ?", [.text(table.storedName)])
        if UInt64(bitPattern: deletion ?? 0) > since { return false }
        var condition = SQLitePredicateWriter(table: table, limits: limits)
        condition.write(range)
        let test = "\(table.versionName) > ? AND \(condition.sql)"
        let parameters = [.integer(Int64(clamping: since))] + condition.parameters
        func isEmpty(_ source: String) throws(StorageError) -> Bool {
            try connection.integer("SELECT 1 FROM \(source) WHERE \(test) LIMIT 1", parameters) == nil
        }
        guard !range.isOneKey(of: table.entity), let index = table.versionIndex else { return try isEmpty(table.name) }
        do throws(StorageError) {
            return try isEmpty("\(table.name) INDEXED BY \(index)")
        } catch  where error.isMissingIndex {
            // Another process opened the store with a schema without the order by version, which is additive.
            return try isEmpty(table.name)
        }
    }

    /// Exact: a record that came is newer, and one that went is missing.
    private func isUnchanged(
        _ predicate: BoundPredicate, count: Int, since: UInt64, _ table: SQLiteTable
    ) throws(StorageError) -> Bool {
        var condition = SQLitePredicateWriter(table: table, limits: limits)
        condition.write(predicate)
        let sql =
            "SELECT count(*) = ? AND coalesce(max(\(table.versionName)), 0) <= ? FROM \(table.name) "
            + "WHERE \(condition.sql)"
        let parameters = [.integer(Int64(count)), .integer(Int64(clamping: since))] + condition.parameters
        return try connection.integer(sql, parameters) == 1
    }

    // MARK: Operations

    private mutating func apply(_ operation: WriteOperation, at index: Int) throws(StorageError) {
        let table = try table(operation.entity)
        switch operation {
        case .put(_, let rows, let mode):
            try rowWriter.put(
                rows, into: table, mode: mode, version: lastSequence + 1, operation: index, on: connection)
            putCount += rows.rowCount
        case .delete(_, let keys):
            let statement = try connection.take(table.deleteByKey)
            var count = 0
            for key in keys {
                for (index, component) in key.components.enumerated() {
                    try statement.bind(component, at: Int32(index + 1))
                }
                _ = try statement.step()
                count += connection.changeCount
            }
            connection.release(statement)
            try recordDeletion(of: count, from: table)
        case .clear:
            try connection.execute("DELETE FROM \(table.name)")
            try recordDeletion(of: connection.changeCount, from: table)
        }
    }

    private mutating func recordDeletion(of count: Int, from table: SQLiteTable) throws(StorageError) {
        if count == 0 { return }
        deletedCount += count
        try connection.execute(
            "UPDATE holdfast_entity SET last_deletion = ? WHERE name = ?",
            [.integer(Int64(bitPattern: lastSequence + 1)), .text(table.storedName)])
    }
}
#endif

#if SQLite
internal import CSQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension SQLiteConnection {
    /// The first cell of the first row as text.
    func text(_ sql: String) throws(StorageError) -> String? {
        let statement = try SQLiteStatement(sql, connection: handle)
        return try statement.step() ? statement.text(0) : nil
    }

    /// Copies the write-ahead log into the file, without waiting for anyone; what a reader still needs stays in the
    /// log.
    func checkpoint() { sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil) }

    /// Copies the whole write-ahead log into the file, so that the next commit begins it again at its start.
    ///
    /// Holds the lock of writers while it waits for readers: first for those of earlier states, to copy the rest, then
    /// for those of the newest state. A reader that begins after the copy needs only the file, and is not waited for.
    /// See <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>.
    ///
    /// - Parameter timeout: How long it waits in total; after that, what a reader needs stays in the log as it does
    ///   after ``checkpoint()``.
    func restartLog(waiting timeout: Duration) {
        let usual = busyTimeout
        setBusyTimeout(timeout)
        sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_RESTART, nil, nil)
        setBusyTimeout(usual)
    }

    /// One sentence per defect of the database or of its catalog.
    func defects() throws(StorageError) -> [String] {
        // Another handle may change the schema between two reads.
        try execute("BEGIN")
        defer { rollBack() }
        var defects: [String] = []
        try forEachRow("PRAGMA integrity_check(100)") { row throws(StorageError) in
            let line = row.text(0)
            if line != "ok" { defects.append(line) }
        }
        do throws(StorageError) {
            _ = try lastSequence()
        } catch  where error.kind == .corruption && error.nativeCode == nil {
            defects.append(error.message)
        }
        let catalog = try SQLiteCatalog(reading: self)
        for entity in catalog.entities {
            var columns: Set<String> = []
            try forEachRow("SELECT name FROM pragma_table_info(?)", [.text(entity.table)]) {
                row throws(StorageError) in
                columns.insert(row.text(0))
            }
            if columns.isEmpty {
                defects.append("The table of entity '\(entity.name)' is missing.")
                continue
            }
            let wanted = entity.fields.flatMap { [$0.column] + ($0.tailColumn.map { [$0] } ?? []) }
            for column in wanted + [entity.versionColumn] where !columns.contains(column) {
                defects.append("The table of entity '\(entity.name)' has no column '\(column)'.")
            }
            for index in entity.indexes {
                let count = try integer(
                    "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name = ?",
                    [.text(index.nativeName)])
                if count == 0 {
                    defects.append("Index '\(index.schema.displayName)' of entity '\(entity.name)' is missing.")
                }
            }
        }
        return defects
    }

    /// Copies the database, as it is at one moment, to a path at which nothing exists, nor a log or journal of it.
    func backUp(to destination: String, mode: UInt16) throws(StorageError) {
        let target = try SQLiteFile(.file(destination))
        // SQLite would take the log or journal of an earlier file for that of the copy, and write its pages into it.
        for suffix in ["", "-wal", "-journal"] where SQLiteFile.exists(target.path + suffix) {
            throw StorageError.existingDestination()
        }
        let partial = BackupPath.partial(of: target.path)
        do {
            try SQLiteFile(.file(partial)).create(mode: mode)
            try copy(to: partial)
            try SQLiteFile.move(partial, to: target.path)
        } catch {
            for suffix in ["", "-wal", "-shm", "-journal"] { SQLiteFile.delete(partial + suffix) }
            throw error
        }
    }

    private func copy(to path: String) throws(StorageError) {
        let copy = try SQLiteConnection(path: path, flags: SQLITE_OPEN_READWRITE)
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw SQLiteErrorMapping.error(sqlite3_extended_errcode(copy.handle), detail: nil)
        }
        // All pages in one step: the source stays under one read lock, and writers are not held up in WAL mode.
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        if code != SQLITE_DONE { throw SQLiteErrorMapping.error(code, detail: nil) }
    }
}
#endif

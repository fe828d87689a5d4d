#if SQLite
internal import CSQLite
internal import HoldfastStorage

extension SQLiteConnection {
    /// Reads bytes of the file as they are, without a lock; fewer at its end.
    ///
    /// Through the descriptor that SQLite has: to close another one would give up all locks of this process on the
    /// file.
    ///
    /// - Parameters:
    ///   - offset: Where the bytes begin.
    ///   - count: How many are read.
    /// - Returns: The bytes.
    /// - Throws: ``StorageError`` `.io` if the file cannot be read.
    func fileBytes(at offset: Int64, count: Int) throws(StorageError) -> [UInt8] {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard let file, let methods = file.pointee.pMethods?.pointee, let size = methods.xFileSize,
            let read = methods.xRead
        else { throw SQLiteErrorMapping.error(SQLITE_CANTOPEN, detail: nil) }
        var byteCount: sqlite3_int64 = 0
        var code = size(file, &byteCount)
        var bytes = [UInt8](repeating: 0, count: max(0, min(count, Int(byteCount - offset))))
        if code == SQLITE_OK && !bytes.isEmpty { code = read(file, &bytes, Int32(bytes.count), offset) }
        if code != SQLITE_OK { throw SQLiteErrorMapping.error(code, detail: nil) }
        return bytes
    }

    /// What the store says about itself; `nil` if its line is missing.
    ///
    /// A file that was made before migrations were counted has no such column; the name is then the outer query's.
    func storeLine() throws(StorageError) -> (sequence: Int64, migrationCount: Int64)? {
        let statement = try take(
            "SELECT sequence, (SELECT migration_count FROM holdfast_store) "
                + "FROM (SELECT sequence, 0 AS migration_count FROM holdfast_store)")
        guard try statement.step() else {
            release(statement)
            return nil
        }
        let line = (sequence: statement.integer(0), migrationCount: statement.integer(1))
        release(statement)
        return line
    }

    /// The sequence of the store's last commit.
    ///
    /// - Throws: ``StorageError`` `.corruption` if it is not one that a commit can have.
    func lastSequence() throws(StorageError) -> UInt64 { try Self.sequence(in: try storeLine()) }

    /// The sequence of the store's last commit, unless another handle has migrated the store.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` after a migration; `.corruption` as ``lastSequence()``.
    func lastSequenceUnlessMigrated() throws(StorageError) -> UInt64 {
        let line = try storeLine()
        if let line, line.migrationCount != migrationCount { throw StorageError.migratedStore() }
        return try Self.sequence(in: line)
    }

    private static func sequence(in line: (sequence: Int64, migrationCount: Int64)?) throws(StorageError) -> UInt64 {
        guard let line, 0..<Int64.max ~= line.sequence else {
            throw StorageError(
                .corruption, "The sequence of the store's last commit is damaged; restore a backup.")
        }
        return UInt64(line.sequence)
    }

    /// Runs a read without a snapshot, whose tables may be others; then its error says that the store was migrated.
    func withoutSnapshot<Success>(_ body: () throws(StorageError) -> Success) throws(StorageError) -> Success {
        do {
            return try body()
        } catch {
            _ = try lastSequenceUnlessMigrated()
            throw error
        }
    }

    /// Fails if a statement that has just run may have met tables that another handle has migrated.
    ///
    /// For reads without a snapshot. Asks only after the statement was prepared, which SQLite repeats when the schema
    /// has changed. Migrations are counted upward, so none came before the statement if none has come until now.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch`.
    @inline(__always)
    func checkSchema(of statement: SQLiteStatement) throws(StorageError) {
        if statement.isNewlyPrepared { try confirmSchema(of: statement) }
    }

    private func confirmSchema(of statement: SQLiteStatement) throws(StorageError) {
        _ = try lastSequenceUnlessMigrated()
        statement.noteSchema()
    }
}
#endif

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

    /// The sequence of the store's last commit.
    ///
    /// - Throws: ``StorageError`` `.corruption` if it is not one that a commit can have.
    func lastSequence() throws(StorageError) -> UInt64 {
        guard let stored = try integer("SELECT sequence FROM holdfast_store"), 0..<Int64.max ~= stored else {
            throw StorageError(
                .corruption, "The sequence of the store's last commit is damaged; restore a backup.")
        }
        return UInt64(stored)
    }
}
#endif

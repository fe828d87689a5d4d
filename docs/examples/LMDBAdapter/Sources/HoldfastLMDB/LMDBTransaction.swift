import CLMDB
import HoldfastAdapterKit
import HoldfastStorage

/// A transaction under way, reading or writing; LMDB orders keys as unsigned bytes, a prefix first, as `KeyCodec` does.
///
/// The bytes handed to a closure lie in LMDB's map and are gone after the next write.
struct LMDBTransaction {
    let pointer: OpaquePointer
    let database: MDB_dbi

    /// The value of a key.
    func value<Result>(
        _ key: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result
    ) throws(StorageError) -> Result? {
        // LMDB has no longer key, and would say so instead of that there is none.
        guard key.count <= LMDBEnvironment.maximumKeyByteCount else { return nil }
        var value = MDB_val()
        let code = key.withMDBValue { mdb_get(pointer, database, &$0, &value) }
        if code == MDB_NOTFOUND { return nil }
        try StorageError.check(code)
        return try body(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
    }

    /// Whether a key has a value.
    func contains(_ key: [UInt8]) throws(StorageError) -> Bool { try value(key) { _ in true } ?? false }

    /// Writes the value of a key.
    func put(_ value: [UInt8], at key: [UInt8]) throws(StorageError) {
        try StorageError.check(
            key.withMDBValue { key in value.withMDBValue { value in mdb_put(pointer, database, &key, &value, 0) } })
    }

    /// Deletes a key; whether there was one.
    func delete(_ key: [UInt8]) throws(StorageError) -> Bool {
        guard key.count <= LMDBEnvironment.maximumKeyByteCount else { return false }
        let code = key.withMDBValue { mdb_del(pointer, database, &$0, nil) }
        if code == MDB_NOTFOUND { return false }
        try StorageError.check(code)
        return true
    }

    /// Visits the keys of a range in order, until the closure says `false`.
    func scan(
        _ range: ByteRange,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try eachEntry(of: range) { (_, key, value) throws(StorageError) in try body(key, value) }
    }

    /// Deletes the keys of a range; returns how many there were.
    func deleteAll(_ range: ByteRange) throws(StorageError) -> Int {
        var count = 0
        try eachEntry(of: range) { (cursor, _, _) throws(StorageError) in
            try StorageError.check(mdb_cursor_del(cursor, 0))
            count += 1
            return true
        }
        return count
    }

    private func eachEntry(
        of range: ByteRange,
        _ body: (OpaquePointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        var opened: OpaquePointer?
        try StorageError.check(mdb_cursor_open(pointer, database, &opened))
        guard let cursor = opened else { throw StorageError.lmdb(MDB_PANIC) }
        defer { mdb_cursor_close(cursor) }
        var key = MDB_val()
        var value = MDB_val()
        // A bound may be longer than any key: begin at its beginning and pass over what lies before it.
        let start = Array(range.lower.prefix(LMDBEnvironment.maximumKeyByteCount))
        var code = start.withMDBValue { start in
            key = start
            return mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
        }
        while code == MDB_SUCCESS {
            let bytes = UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)
            if let upper = range.upper, !bytes.lexicographicallyPrecedes(upper) { return }
            if !bytes.lexicographicallyPrecedes(range.lower) {
                let content = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
                if try !body(cursor, bytes, content) { return }
            }
            code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
        }
        if code != MDB_NOTFOUND { throw StorageError.lmdb(code) }
    }
}

extension [UInt8] {
    /// Lends the bytes to LMDB, which does not change them.
    fileprivate func withMDBValue<Result>(_ body: (inout MDB_val) -> Result) -> Result {
        withUnsafeBytes { bytes in
            var value = MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            return body(&value)
        }
    }
}

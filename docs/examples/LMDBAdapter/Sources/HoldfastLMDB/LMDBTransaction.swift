import CLMDB
import HoldfastAdapterKit
import HoldfastStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A transaction in progress, reading or writing; LMDB orders keys as unsigned bytes, a prefix first.
///
/// Unchecked because the adapter kit lets one thread at a time use it. The bytes handed to a closure lie in LMDB's map
/// and are gone after the next write.
struct LMDBTransaction: @unchecked Sendable {
    let pointer: OpaquePointer
    let database: MDB_dbi

    /// Calls a closure with the value of a key; says whether there is one.
    func get(
        _ key: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        // LMDB has no longer key, and would say so instead of that there is none.
        guard key.count <= LMDBEnvironment.maximumKeyByteCount else { return false }
        var value = MDB_val()
        let code = key.withUnsafeBytes { key in
            var key = MDB_val(key)
            return mdb_get(pointer, database, &key, &value)
        }
        if code == MDB_NOTFOUND { return false }
        try StorageError.check(code)
        try body(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
        return true
    }

    /// Writes the value of a key.
    func put(_ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer) throws(StorageError) {
        var key = MDB_val(key)
        var value = MDB_val(value)
        try StorageError.check(mdb_put(pointer, database, &key, &value, 0))
    }

    /// Deletes a key, if there is one.
    func delete(_ key: UnsafeRawBufferPointer) throws(StorageError) {
        var key = MDB_val(key)
        let code = mdb_del(pointer, database, &key, nil)
        if code != MDB_NOTFOUND { try StorageError.check(code) }
    }

    /// Calls a closure with the entries of a range, until it returns false.
    func scan(
        _ range: ByteRange, isReversed: Bool,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        var opened: OpaquePointer?
        try StorageError.check(mdb_cursor_open(pointer, database, &opened))
        guard let cursor = opened else { throw StorageError.lmdb(MDB_PANIC) }
        defer { mdb_cursor_close(cursor) }
        var (key, value) = (MDB_val(), MDB_val())
        var code = isReversed ? MDB_NOTFOUND : MDB_SUCCESS
        // A bound may be longer than any key: begin at its beginning and skip what is outside.
        if let bound = isReversed ? range.upper : range.lower {
            code = bound.prefix(LMDBEnvironment.maximumKeyByteCount).withUnsafeBytes { bound in
                key = MDB_val(bound)
                return mdb_cursor_get(cursor, &key, &value, bound.isEmpty ? MDB_FIRST : MDB_SET_RANGE)
            }
        }
        if isReversed && code == MDB_NOTFOUND { code = mdb_cursor_get(cursor, &key, &value, MDB_LAST) }
        while code == MDB_SUCCESS {
            let bytes = UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)
            let isBelow = bytes.precedes(range.lower)
            let isAbove = range.upper.map { !bytes.precedes($0) } ?? false
            if isReversed ? isBelow : isAbove { return }
            if !isBelow && !isAbove {
                let content = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
                if try !body(bytes, content) { return }
            }
            code = mdb_cursor_get(cursor, &key, &value, isReversed ? MDB_PREV : MDB_NEXT)
        }
        if code != MDB_NOTFOUND { throw StorageError.lmdb(code) }
    }

    /// Commits what was written.
    ///
    /// - Parameter isDiskFull: Asked if a write failed. LMDB calls one that was cut short an error of the disk, also
    ///   where the reason is that there was no more room.
    /// - Throws: ``StorageError``, which says whether the transaction was rolled back or its outcome is unknown.
    func commit(isDiskFull: () -> Bool) throws(StorageError) {
        let code = mdb_txn_commit(pointer)
        if code == MDB_SUCCESS { return }
        if code == EIO && isDiskFull() { throw StorageError.lmdb(ENOSPC, transaction: .outcomeUnknown) }
        throw StorageError.lmdb(code, transaction: code == ENOSPC ? .rolledBack : .outcomeUnknown)
    }

    /// Ends the transaction without effect.
    func abort() { mdb_txn_abort(pointer) }
}

extension MDB_val {
    /// Lends bytes to LMDB, which does not change them.
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
}

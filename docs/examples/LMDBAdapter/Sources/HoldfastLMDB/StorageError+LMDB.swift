import CLMDB
import HoldfastStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension StorageError {
    /// The error for a code that LMDB returned.
    static func lmdb(_ code: Int32, transaction: TransactionState = .untouched) -> StorageError {
        let (kind, message): (Kind, String) =
            switch code {
            case MDB_MAP_FULL, MDB_TXN_FULL, ENOSPC, EDQUOT:
                (.full, "The store has no space left; open it with a larger map or free space on the disk.")
            case MDB_READERS_FULL: (.busy, "Too many snapshots are open; close some.")
            case MDB_CORRUPTED, MDB_PAGE_NOTFOUND:
                (.corruption, "The store is damaged; restore it from a copy.")
            case MDB_INVALID, MDB_VERSION_MISMATCH:
                (.incompatibleStore, "The directory holds something else than an LMDB store; it was left as it is.")
            case EACCES, EPERM, EROFS: (.readOnly, "The store's files may not be written; check their permissions.")
            case MDB_BAD_VALSIZE: (.limitExceeded, "A key is too long for LMDB; use a shorter one.")
            default: (.io, "LMDB failed; the native code says why.")
            }
        return StorageError(
            kind, message, transaction: transaction, nativeCode: "LMDB (\(code))",
            nativeDetail: mdb_strerror(code).map { String(cString: $0) })
    }

    /// Throws the error for a code that is not a success.
    static func check(_ code: Int32) throws(StorageError) {
        if code != MDB_SUCCESS { throw lmdb(code) }
    }
}

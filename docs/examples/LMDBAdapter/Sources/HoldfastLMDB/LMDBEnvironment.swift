import CLMDB
import HoldfastStorage
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An open LMDB environment, shared by all handles of this process on its directory.
///
/// LMDB forbids a second one: closing it would give up the locks of the first.
final class LMDBEnvironment: Sendable {
    /// What LMDB is compiled for unless a distribution says otherwise; checked when the environment is opened.
    static let maximumKeyByteCount = 511
    /// The snapshots that can be open at once, in all processes.
    private static let maximumReaderCount: UInt32 = 4_096

    private static let environments = Mutex<[String: (environment: LMDBEnvironment, userCount: Int)]>([:])

    private let database: MDB_dbi
    /// The directory, without links.
    let path: String
    /// LMDB's own locks guard what it points to.
    nonisolated(unsafe) private let pointer: OpaquePointer

    /// Whether a directory has an environment.
    static func exists(_ path: String) -> Bool { access(path + "/data.mdb", F_OK) == 0 }

    /// The environment of a directory, which is created if it does not exist.
    static func acquire(_ path: String, mapByteCount: Int) throws(StorageError) -> LMDBEnvironment {
        if mkdir(path, 0o700) != 0 && errno != EEXIST { throw StorageError.lmdb(errno) }
        guard let resolved = realpath(path, nil) else { throw StorageError.lmdb(errno) }
        defer { free(resolved) }
        let path = String(cString: resolved)
        return try environments.withLock { environments throws(StorageError) in
            if let (environment, userCount) = environments[path] {
                environments[path] = (environment, userCount + 1)
                return environment
            }
            let environment = try LMDBEnvironment(path, mapByteCount: mapByteCount)
            environments[path] = (environment, 1)
            return environment
        }
    }

    /// Closes the environment if no other handle uses it; all transactions of the caller have ended.
    func release() {
        Self.environments.withLock { environments in
            let userCount = (environments[path]?.userCount ?? 1) - 1
            environments[path] = userCount == 0 ? nil : (self, userCount)
            if userCount == 0 { mdb_env_close(pointer) }
        }
    }

    private init(_ path: String, mapByteCount: Int) throws(StorageError) {
        var created: OpaquePointer?
        try StorageError.check(mdb_env_create(&created))
        guard let pointer = created else { throw StorageError.lmdb(ENOMEM) }
        do throws(StorageError) {
            try StorageError.check(mdb_env_set_mapsize(pointer, mapByteCount))
            try StorageError.check(mdb_env_set_maxreaders(pointer, Self.maximumReaderCount))
            // A snapshot belongs to no thread.
            try StorageError.check(mdb_env_open(pointer, path, UInt32(MDB_NOTLS), 0o600))
            guard mdb_env_get_maxkeysize(pointer) >= Self.maximumKeyByteCount else {
                throw StorageError(
                    .unsupported, "LMDB was built for shorter keys than \(Self.maximumKeyByteCount) bytes.")
            }
            // Processes that were killed leave their snapshots behind, which would keep old pages forever.
            try StorageError.check(mdb_reader_check(pointer, nil))
            database = try Self.openDatabase(pointer)
        } catch {
            mdb_env_close(pointer)
            throw error
        }
        self.pointer = pointer
        self.path = path
    }

    private static func openDatabase(_ environment: OpaquePointer) throws(StorageError) -> MDB_dbi {
        var transaction: OpaquePointer?
        try StorageError.check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
        defer { mdb_txn_abort(transaction) }
        var database: MDB_dbi = 0
        try StorageError.check(mdb_dbi_open(transaction, nil, 0, &database))
        return database
    }

    /// Begins a transaction; a writing one waits for that of another handle.
    func begin(isReading: Bool) throws(StorageError) -> LMDBTransaction {
        var transaction: OpaquePointer?
        try StorageError.check(mdb_txn_begin(pointer, nil, isReading ? UInt32(MDB_RDONLY) : 0, &transaction))
        guard let transaction else { throw StorageError.lmdb(MDB_PANIC) }
        return LMDBTransaction(pointer: transaction, database: database)
    }

    /// Says whether the page that makes a commit valid is synced; LMDB stays whole at any rate.
    ///
    /// Called during a writing transaction only, since LMDB looks at it when that commits.
    func setSynced(_ isSynced: Bool) {
        mdb_env_set_flags(pointer, UInt32(MDB_NOMETASYNC), isSynced ? 0 : 1)
    }
}

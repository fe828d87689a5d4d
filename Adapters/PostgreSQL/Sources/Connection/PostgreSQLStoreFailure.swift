#if PostgreSQL
internal import HoldfastStorage

/// An error on its way out of a transaction: what the caller should see, and what the server said if it was that.
struct PostgreSQLStoreFailure: Error {
    var error: StorageError
    var native: PostgreSQLFailure?

    init(_ error: StorageError) { self.error = error }

    init(_ failure: PostgreSQLFailure) {
        error = failure.storageError
        native = failure
    }

    /// Runs a closure that fails with what the caller should see.
    static func of<Success>(
        _ body: () throws(StorageError) -> Success
    ) throws(PostgreSQLStoreFailure) -> Success {
        do {
            return try body()
        } catch {
            throw PostgreSQLStoreFailure(error)
        }
    }
}
#endif

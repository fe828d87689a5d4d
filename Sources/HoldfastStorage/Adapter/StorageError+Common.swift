/// The errors that every adapter reports in the same words.
extension StorageError {
    // MARK: Any call

    /// What every call fails with once a store or snapshot is closed.
    public static func closedStore() -> StorageError {
        StorageError(.closed, "The store or snapshot is closed; open it again.")
    }

    /// What work ends with if its task was cancelled before anything was changed.
    public static func cancelledWork() -> StorageError {
        StorageError(.cancelled, "The task was cancelled; nothing was done.")
    }

    /// What a request fails with if it names an entity that the store was not opened with.
    public static func unknownEntity(_ name: String) -> StorageError {
        StorageError(.schemaMismatch, "The store has no entity '\(name)'; open it with a schema that declares it.")
    }

    /// What reads and commits fail with once another handle has migrated the store.
    ///
    /// - Parameter transaction: What the failure did to the transaction; `.untouched` by default.
    /// - Returns: The error `.schemaMismatch`.
    public static func migratedStore(transaction: TransactionState = .untouched) -> StorageError {
        StorageError(
            .schemaMismatch, "Another handle changed the schema of the store; close this one and open it again.",
            transaction: transaction)
    }

    /// Ends the work of a task that was cancelled.
    ///
    /// - Throws: ``cancelledWork()``, if the task is cancelled.
    public static func checkCancellation() throws(StorageError) {
        if Task.isCancelled { throw cancelledWork() }
    }

    // MARK: Commits

    /// What a commit fails with if one of its preconditions does not hold.
    ///
    /// - Parameter index: The position of the precondition in the request.
    /// - Returns: The error `.preconditionFailed` with this position.
    public static func failedPrecondition(_ index: Int) -> StorageError {
        StorageError(
            .preconditionFailed, "A precondition failed because the data changed; re-read and retry.",
            position: .precondition(index))
    }

    /// What an insert of a record fails with that exists, or an update of one that does not.
    ///
    /// - Parameters:
    ///   - exists: Whether the record exists.
    ///   - operation: The position of the operation in the request.
    ///   - transaction: What the failure did to the transaction; `.untouched` by default.
    /// - Returns: The error `.preconditionFailed` with the position of the operation.
    public static func failedPut(
        exists: Bool, operation: Int, transaction: TransactionState = .untouched
    ) -> StorageError {
        StorageError(
            .preconditionFailed,
            exists
                ? "A record to insert already exists; update or upsert it."
                : "A record to update does not exist; insert or upsert it.",
            transaction: transaction, position: .operation(operation))
    }

    /// What a put fails with if a unique index refuses it.
    ///
    /// - Parameters:
    ///   - index: The name of the index.
    ///   - entity: The name of the entity.
    ///   - operation: The position of the operation in the request.
    ///   - transaction: What the failure did to the transaction; `.untouched` by default.
    ///   - nativeCode: The database's own code; none by default.
    /// - Returns: The error `.uniqueViolation` with the position of the operation.
    public static func uniqueViolation(
        index: String, of entity: String, operation: Int, transaction: TransactionState = .untouched,
        nativeCode: String? = nil
    ) -> StorageError {
        StorageError(
            .uniqueViolation,
            "Unique index '\(index)' of '\(entity)' already has a record with these values; change one of them.",
            transaction: transaction, position: .operation(operation), nativeCode: nativeCode)
    }

    // MARK: Opening, migration, and maintenance

    /// What opening fails with if the store's catalog holds what no version writes.
    public static func damagedCatalog() -> StorageError {
        StorageError(.corruption, "The store's catalog is damaged; restore a backup.")
    }

    /// What opening fails with if a newer version of the adapter wrote the store.
    ///
    /// - Parameter format: The number of the store's format.
    /// - Returns: The error `.incompatibleStore`, which names the format.
    public static func newerFormat(_ format: some BinaryInteger) -> StorageError {
        StorageError(
            .incompatibleStore,
            "A newer version wrote this store (format \(format)); update the application. It was left as it was.")
    }

    /// What opening fails with if another process migrated the store at the same time.
    public static func schemaChanged() -> StorageError {
        StorageError(.busy, "Another process changed the store's schema; open the store again.")
    }

    /// What opening fails with if the path of a store cannot be the path of a file.
    public static func invalidPath() -> StorageError {
        StorageError(.misuse, "The path of the store is empty or contains NUL; use another path.")
    }

    /// What a migration fails with if it gives two records the same key.
    ///
    /// - Parameter entity: The name of the entity.
    /// - Returns: The error `.uniqueViolation`, which names the entity.
    public static func duplicateKey(in entity: String) -> StorageError {
        StorageError(
            .uniqueViolation, "The migration gives two records of '\(entity)' the same key; change the migration.")
    }

    /// What a change feed fails with if the store was opened without a change log.
    public static func missingChangeLog() -> StorageError {
        StorageError(.unsupported, "The store keeps no change log; configure a changeLogCommitCount.")
    }

    /// What a backup fails with if something exists where it should be written.
    public static func existingDestination() -> StorageError {
        StorageError(.io, "The destination of the backup already exists; choose another.")
    }
}

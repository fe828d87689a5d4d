/// The errors that every adapter gives in the same words.
extension StorageError {
    /// What every call fails with once a store or snapshot is closed.
    public static func closedStore() -> StorageError {
        StorageError(.closed, "The store or snapshot is closed; open it again.")
    }

    /// What work ends with that its task gave up before anything was changed.
    public static func cancelledWork() -> StorageError {
        StorageError(.cancelled, "The task was cancelled; nothing was done.")
    }

    /// What a request fails with that names an entity the store was not opened with.
    public static func unknownEntity(_ name: String) -> StorageError {
        StorageError(.schemaMismatch, "The store has no entity '\(name)'; open it with a schema that declares it.")
    }

    /// Ends work that the current task has given up.
    ///
    /// - Throws: ``cancelledWork()``, if the task is cancelled.
    public static func checkCancellation() throws(StorageError) {
        if Task.isCancelled { throw cancelledWork() }
    }
}

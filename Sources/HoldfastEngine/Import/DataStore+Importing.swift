import HoldfastStorage

extension DataStore {
    /// Takes over the records of another product's store, with what a service said of them and what is unsent.
    ///
    /// Records come in batches, each one commit with its metadata and outbox entries, parents before children, and are
    /// observed as created. What the target has already it keeps: a record that it has, or has deleted, is counted as
    /// present and nothing of it changes. Records that the target cannot hold, or whose parents do not exist, are not
    /// created; the report says which and why. The time of the last synchronization is taken over for models of which
    /// everything was; the first synchronization after the import reads every model in full all the same. Without
    /// ``DataStoreOptions/recordsMutations`` only records are imported. Unsent changes of
    /// ``DataStoreOptions/localModels`` are left out.
    ///
    /// Call it before the store is used. Once it has finished it does nothing when it is called again, so that an
    /// application may call it at every start. After an error everything imported so far is there and consistent;
    /// call it again to continue.
    ///
    /// - Parameters:
    ///   - source: Where the records come from; not closed and not changed.
    ///   - batchSize: Records in one commit; 1,000 by default, at least 1.
    ///   - repeatsFinished: Whether the import runs although an earlier one of a source of that name was finished.
    ///   - progress: Called after each batch, from any thread.
    /// - Returns: What this call did.
    /// - Throws: ``/HoldfastStorage/StorageError`` as the source, `.cancelled`, and as commits.
    @concurrent public func importRecords(
        from source: any ForeignStore, batchSize: Int = 1_000, repeatsFinished: Bool = false,
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws -> ImportReport {
        let setting = "import." + source.name
        if !repeatsFinished, try await store.setting(setting) != nil {
            var report = ImportReport()
            report.wasFinished = true
            return report
        }
        var run = ImportRun(
            store: store, engine: engine, catalog: catalog, source: source, batchSize: batchSize, progress: progress)
        try await run.run()
        try await store.set(Setting(key: setting, value: "finished"))
        return run.report
    }
}

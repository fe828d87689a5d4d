public import HoldfastStorage

extension SyncServer {
    /// Renews all versions if the store continues with another history of commits than it had, and notes that history.
    ///
    /// A store does so at a replica that became the primary of its database. The replica may lack commits that devices
    /// have seen. Call this before devices can reach the service; the first call for a store only notes the history.
    ///
    /// - Parameters:
    ///   - history: What the database calls the history it is in, such as PostgreSQL's timeline.
    ///   - renewsVersions: Whether commits can be missing; `false` only if a replica becomes the primary with every
    ///     commit that was acknowledged.
    /// - Returns: How many records were renewed; `nil` if that was not necessary.
    /// - Throws: ``/HoldfastStorage/StorageError`` as ``renewVersions()``; what was renewed before stays so, and the
    ///   call can be repeated.
    @discardableResult public func follow(
        history: String, renewsVersions: Bool = true
    ) async throws(StorageError) -> Int? {
        try await gate.use { service throws(StorageError) in
            try await service.follow(history: history, renewsVersions: renewsVersions)
        }
    }
}

extension Service {
    /// The name of the note in ``SystemEntity/setting``.
    private static let historyKey = RecordKey("history")

    func follow(history: String, renewsVersions: Bool) async throws(StorageError) -> Int? {
        let entity = SystemEntity.setting.name
        let note: Value = .bytes(Array(history.utf8))
        var count: Int?
        while true {
            var rows = RowBuffer()
            try await store.get([Self.historyKey], of: entity, into: &rows)
            let version = rows.versions[0]
            if version != 0 && rows[0, 1] == note { return count }
            // Noted only afterwards, so that a process which ends meanwhile, or another one, does it again.
            if version != 0 && renewsVersions { count = try await renewVersions() }
            let request = CommitRequest(
                preconditions: [
                    version == 0
                        ? .absent(entity: entity, key: Self.historyKey)
                        : .version(entity: entity, key: Self.historyKey, version)
                ],
                operations: [
                    .put(entity: entity, rows: RowBuffer(row: Self.historyKey.components + [note]), mode: .upsert)
                ])
            if try await store.commitIfFirst(request) { return count }
        }
    }
}

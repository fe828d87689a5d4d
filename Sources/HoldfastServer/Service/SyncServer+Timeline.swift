public import HoldfastStorage

extension SyncServer {
    /// Renews all versions if the store continues with another timeline than it had, and notes it.
    ///
    /// A store does so at a replica that became the primary of its database. The replica may lack commits that devices
    /// have seen. Call this before devices can reach the service; the first call for a store only notes the timeline.
    ///
    /// - Parameters:
    ///   - timeline: What the database calls the history of commits that it is in.
    ///   - renewsVersions: Whether commits can be missing; `false` only if a replica becomes the primary with every
    ///     commit that was acknowledged.
    /// - Returns: How many records were renewed; `nil` if that was not necessary.
    /// - Throws: ``/HoldfastStorage/StorageError`` as ``renewVersions()``; what was renewed before stays so, and the
    ///   call can be repeated.
    @discardableResult public func follow(
        timeline: String, renewsVersions: Bool = true
    ) async throws(StorageError) -> Int? {
        try await gate.use { service throws(StorageError) in
            try await service.follow(timeline: timeline, renewsVersions: renewsVersions)
        }
    }
}

extension Service {
    /// The name of the note in ``SystemEntity/setting``.
    private static let timelineKey = RecordKey("history")

    func follow(timeline: String, renewsVersions: Bool) async throws(StorageError) -> Int? {
        let entity = SystemEntity.setting.name
        let note: Value = .bytes(Array(timeline.utf8))
        var count: Int?
        while true {
            var rows = RowBuffer()
            try await store.get([Self.timelineKey], of: entity, into: &rows)
            let version = rows.versions[0]
            if version != 0 && rows[0, 1] == note { return count }
            // Noted only afterwards, so that a process which ends meanwhile, or another one, does it again.
            if version != 0 && renewsVersions { count = try await renewVersions() }
            let request = CommitRequest(
                preconditions: [
                    version == 0
                        ? .absent(entity: entity, key: Self.timelineKey)
                        : .version(entity: entity, key: Self.timelineKey, version)
                ],
                operations: [
                    .put(entity: entity, rows: RowBuffer(row: Self.timelineKey.components + [note]), mode: .upsert)
                ])
            if try await store.commitIfFirst(request) { return count }
        }
    }
}

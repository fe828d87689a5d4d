import HoldfastStorage

/// A page of what a client needs to synchronize with the service.
///
/// A base page goes through all records by key: what changes before it in key order while the pages are read has a
/// later version than the first page's label. A delta page goes through the records by version, up to the last commit
/// that the first page saw: what is written later comes with the next delta.
struct SyncPage {
    var model: ServerModel
    /// Which records the client may read.
    var permitted: Predicate
    /// Which records the client wants.
    var filter: RecordFilter?
    var limit: Int

    /// What a page has, and what clients keep of it.
    struct Content {
        var rows: RowBuffer
        /// Where the next page begins; `nil` at the end.
        var next: PageToken?
        /// The label of the first page.
        var label: Int64
        /// Where a page begins that follows a record of this one, counted from 0.
        var tokenAfter: @Sendable (Int) -> PageToken
        /// Whether it begins a base query although changes since a label were asked for.
        var isBaseInsteadOfDelta = false
    }

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - token: Where the page begins; `nil` for the first one.
    ///   - lastSync: The label of the client's last synchronization; 0 for none.
    ///   - reader: What is read.
    ///   - labels: The labels of the service.
    /// - Returns: The records, and what follows them.
    /// - Throws: ``RequestFault`` if the request reads too many records, or tombstones were purged since the first page
    ///   of a delta; ``StorageError`` of the store.
    func read(
        _ token: PageToken?, lastSync: Int64, with reader: SnapshotReader, labels: Labels
    ) async throws -> Content {
        let label: Int64
        var after: UInt64?
        let through: UInt64
        if let token {
            (label, after, through) = (token.label, token.through == 0 ? nil : token.after, token.through)
            if let start = after, try await isPurged(since: start, in: reader.snapshot) {
                throw RequestFault.invalidArgument(
                    "Deletions after the first page are no longer known; begin without the nextToken.")
            }
        } else {
            label = try await labels.label(for: reader.snapshot).label
            after = try await labels.sequence(since: lastSync, in: reader.snapshot)
            if let start = after, try await isPurged(since: start, in: reader.snapshot) { after = nil }
            through = after == nil ? 0 : reader.snapshot.sequence
        }
        guard let after else {
            return try await base(token, label, isInsteadOfDelta: token == nil && lastSync > 0, with: reader)
        }
        let isPermitted = try model.bind(permitted)
        let scan = VersionScan(
            entity: model.entity, range: range(after: after, through: through, token), filter: filter
        ) { isPermitted.matches($0) }
        let (rows, end) = try await scan.page(limit, with: reader)
        let entity = model.entity
        let tokenAfter: @Sendable (VersionScan.End) -> PageToken = { end in
            PageToken(
                label: label, after: after, through: through,
                version: end.version, cursor: end.key?.components ?? [])
        }
        return Content(
            rows: rows, next: end.map { tokenAfter($0) }, label: label,
            tokenAfter: { row in
                tokenAfter(VersionScan.End(version: rows.versions[row], key: entity.key(of: rows[row])))
            })
    }

    /// Whether a deletion after a commit can no longer be seen.
    private func isPurged(since sequence: UInt64, in snapshot: StoreSnapshot) async throws(StorageError) -> Bool {
        try await sequence < PurgeNote(model, in: snapshot).through
    }

    /// The versions that are left after the page before.
    private func range(after: UInt64, through: UInt64, _ token: PageToken?) -> VersionRange {
        var range = VersionRange(model.name, after: after, through: through)
        guard let token else { return range }
        if token.cursor.isEmpty {
            range.after = token.version
        } else {
            range.cursor = VersionCursor(version: token.version, key: RecordKey(token.cursor))
        }
        return range
    }

    private func base(
        _ token: PageToken?, _ label: Int64, isInsteadOfDelta: Bool, with reader: SnapshotReader
    ) async throws -> Content {
        let query = SnapshotReader.Query(
            model: model, predicate: permitted, filter: filter, limit: limit, token: nil, context: "")
        let (rows, next) = try await reader.page(query, after: token?.cursor)
        let tokenAfter: @Sendable (Int) -> PageToken = { row in
            PageToken(label: label, cursor: SnapshotReader.token(after: Array(rows[row]), query).cursor)
        }
        return Content(
            rows: rows, next: next.map { PageToken(label: label, cursor: $0.cursor) }, label: label,
            tokenAfter: tokenAfter, isBaseInsteadOfDelta: isInsteadOfDelta)
    }
}

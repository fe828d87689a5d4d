import HoldfastStorage

/// A record as it was read, and its new state.
struct SyncedRecordChange: Sendable {
    let stored: SyncedRecord
    var record: SyncedRecord
    /// The version of the row read; 0 if there was none.
    let rowVersion: UInt64
    /// The versions of the entries read, by their keys.
    let entryVersions: [RecordKey: UInt64]

    /// Whether the new state differs from the one that was read.
    var isChanged: Bool {
        stored.row != record.row || stored.metadata != record.metadata || !stored.hasSameRest(as: record)
    }
}

/// Reads records with everything that is kept of them for the service, from one snapshot.
struct SyncedRecordReader {
    let snapshot: StoreSnapshot
    let catalog: ModelCatalog

    /// Records that are looked for one by one, without a look at whether there are any.
    private static let fewCount = 4

    /// The records of some keys, in their order.
    func records(_ keys: [RecordKey], of entity: EntitySchema) async throws -> [SyncedRecordChange] {
        // One look spares many: few models have unsent changes while many records come, and fewer have what waits.
        let looksFirst = keys.count > Self.fewCount
        if looksFirst, try await isEmpty(entity) { return unknown(keys, of: entity) }
        let shape = catalog.shape(of: entity)
        let texts = keys.map(\.outboxText)
        let storedKeys = texts.map { RecordMetadata.storedKey(entity.name, $0) }
        let (rows, metadata): (RowBuffer, RowBuffer)
        if looksFirst {
            // Side by side, where the adapter can read with several threads.
            async let found = snapshot.get(storedKeys, of: RecordMetadata.entity)
            (rows, metadata) = (try await snapshot.get(keys, of: entity), try await found)
        } else {
            rows = try await snapshot.get(keys, of: entity)
            metadata = try await snapshot.get(storedKeys, of: RecordMetadata.entity)
        }
        let hasEntries = looksFirst ? try await !isEmpty(OutboxEntry.entity, of: entity) : true
        let newest =
            hasEntries
            ? try await snapshot.get(texts.map { OutboxEntry.newestKey(entity.name, $0) }, of: OutboxEntry.entity)
            : RowBuffer()
        let hasShelf = looksFirst ? try await !isEmpty(ShelfItem.entity, of: entity) : true
        let shelf = hasShelf ? try await snapshot.get(storedKeys, of: ShelfItem.entity) : RowBuffer()
        var changes: [SyncedRecordChange] = []
        changes.reserveCapacity(keys.count)
        for (index, key) in keys.enumerated() {
            var record = SyncedRecord(shape, key: key)
            if rows.versions[index] != 0 { record.row = Array(rows[index]) }
            if metadata.versions[index] != 0 { record.metadata = RecordMetadata(metadata[index]) }
            if hasShelf && shelf.versions[index] != 0 { record.shelf = ShelfItem(shelf[index]) }
            var versions: [RecordKey: UInt64] = [:]
            if hasEntries && newest.versions[index] != 0 {
                (record.entries, versions) = try await entries(of: entity.name, texts[index])
                record.letters = try await letters(of: record.entries)
            }
            changes.append(
                SyncedRecordChange(
                    stored: record, record: record, rowVersion: rows.versions[index], entryVersions: versions))
        }
        return changes
    }

    /// Records of some keys that are assumed to be new, without a look at each; `nil` if changes of the model await the
    /// service, or something waits to be applied.
    ///
    /// The assumption holds if the commit can insert both the records and their metadata. What others do in between
    /// does not break it unnoticed:
    ///
    ///     this: no entries    other: saves p, with an entry              this: cannot insert p, reads again
    ///     this: no entries    other: deletes p, which a service knows    this: cannot insert what it said, reads again
    ///     this: no entries    other: deletes p, which no service knows   this: inserts p; nothing had to be sent
    func newRecords(_ keys: [RecordKey], of entity: EntitySchema) async throws -> [SyncedRecordChange]? {
        for system in [OutboxEntry.entity, ShelfItem.entity]
        where try await !isEmpty(system, of: entity) { return nil }
        return unknown(keys, of: entity)
    }

    /// Records of which nothing is known.
    private func unknown(_ keys: [RecordKey], of entity: EntitySchema) -> [SyncedRecordChange] {
        let shape = catalog.shape(of: entity)
        return keys.map {
            let record = SyncedRecord(shape, key: $0)
            return SyncedRecordChange(stored: record, record: record, rowVersion: 0, entryVersions: [:])
        }
    }

    /// All entries of a record, oldest first, and their versions.
    func entries(
        of model: String, _ key: String
    ) async throws -> (entries: [OutboxEntry], versions: [RecordKey: UInt64]) {
        let rows = try await snapshot.rows(
            QueryPlan(
                OutboxEntry.entity.name,
                where: .and([.compare("model", .equal, .text(model)), .compare("key", .equal, .text(key))])))
        var entries: [OutboxEntry] = []
        var versions: [RecordKey: UInt64] = [:]
        for row in 0..<rows.rowCount {
            guard let entry = OutboxEntry(rows[row]) else { continue }
            entries.append(entry)
            versions[entry.storedKey] = rows.versions[row]
        }
        return (entries.sorted { $0.position < $1.position }, versions)
    }

    /// The letters of changes that were given up in part, and are sent again or wait.
    private func letters(of entries: [OutboxEntry]) async throws -> [DeadLetter] {
        let keys = entries.map { DeadLetter.storedKey(position: $0.position, model: $0.model, key: $0.key) }
        if keys.isEmpty { return [] }
        let rows = try await snapshot.get(keys, of: DeadLetter.entity)
        return keys.indices.compactMap { rows.versions[$0] == 0 ? nil : DeadLetter(rows[$0]) }
    }

    /// Whether nothing at all is known of a model's records, so that they need not be looked for.
    private func isEmpty(_ entity: EntitySchema) async throws -> Bool {
        guard try await snapshot.rows(QueryPlan(entity.name, limit: 1, projection: entity.primaryKey)).isEmpty else {
            return false
        }
        for system in [RecordMetadata.entity, OutboxEntry.entity, ShelfItem.entity]
        where try await !isEmpty(system, of: entity) { return false }
        return true
    }

    private func isEmpty(_ system: EntitySchema, of entity: EntitySchema) async throws -> Bool {
        try await snapshot.rows(
            QueryPlan(
                system.name, where: .compare("model", .equal, .text(entity.name)), limit: 1,
                projection: system.primaryKey)
        ).isEmpty
    }
}

extension DataStore {
    /// Records with everything that is kept of them for the service, in the order of the keys.
    func syncedRecords(
        _ keys: [RecordKey], of entity: EntitySchema, in snapshot: StoreSnapshot
    ) async throws -> [SyncedRecordChange] {
        try await SyncedRecordReader(snapshot: snapshot, catalog: catalog).records(keys, of: entity)
    }
}

import HoldfastStorage

/// Turns saves and deletes into single commits: the records, their outbox entries, and the changes to publish.
///
/// Reads what is stored, drafts a commit that holds only if that is still so, and starts over if it is not.
struct StorageEngine: Sendable {
    /// How often a commit is drafted anew when other writers get in between.
    ///
    /// Writers of this process get through long before that; the bound is for those of others.
    static let maximumAttempts = 64

    private let store: Store
    private let publisher: ChangePublisher
    private let durability: Durability?
    private let outbox: OutboxClock?
    private let retries = RetryQueue()

    init(store: Store, publisher: ChangePublisher, options: DataStoreOptions) {
        self.store = store
        self.publisher = publisher
        durability = options.durability
        outbox = options.recordsMutations ? OutboxClock(now: options.now) : nil
    }

    /// Whether changes go to the outbox.
    var recordsMutations: Bool { outbox != nil }

    /// Creates or replaces records in one commit.
    ///
    /// - Parameters:
    ///   - rows: All cells in the order of the entity's fields; of several rows with one key the last counts.
    ///   - entity: Their entity.
    func save(_ rows: RowBuffer, of entity: EntitySchema) async throws(StorageError) -> SaveResult {
        let rows = rows.lastOfEachKey(of: entity)
        let keys = (0..<rows.rowCount).map { entity.key(of: rows[$0]) }
        let changes = try await commit(keys, of: entity) { existing, pending in
            WriteDraft(saving: rows, keys: keys, of: entity, existing: existing, pending: pending, at: position(keys))
        }
        let created = changes.kinds.count { $0 == .created }
        return SaveResult(createdCount: created, updatedCount: changes.kinds.count - created)
    }

    /// Deletes records in one commit; those that do not exist, or do not match, are passed over.
    ///
    /// - Returns: The number of records deleted.
    func delete(
        _ keys: [RecordKey], of entity: EntitySchema, where predicate: BoundPredicate = .constant(true)
    ) async throws(StorageError) -> Int {
        if keys.isEmpty { return 0 }
        return try await commit(keys, of: entity) { existing, pending in
            WriteDraft(
                deleting: keys, of: entity, where: predicate, existing: existing, pending: pending,
                at: position(keys))
        }.kinds.count
    }

    private func position(_ keys: [RecordKey]) -> Int64? { outbox?.reserve(keys.count) }

    private func commit(
        _ keys: [RecordKey], of entity: EntitySchema, draft: (RowBuffer, PendingEntries) -> WriteDraft
    ) async throws(StorageError) -> ChangeSet {
        var existing = RowBuffer()
        var pending = PendingEntries()
        var isQueued = false
        defer { if isQueued { retries.leave() } }
        for attempt in 1...Self.maximumAttempts {
            if !isQueued && (attempt > 1 || retries.isInsisting) {
                await retries.enter()
                isQueued = true
            }
            if attempt == 4 { retries.insist() }
            try await store.get(keys, of: entity.name, into: &existing)
            try await loadPending(&pending, keys, existing, of: entity, all: attempt > 1)
            let draft = draft(existing, pending)
            var changes = ChangeSet(sequence: 0, entity: entity, kinds: draft.kinds, rows: draft.rows)
            if draft.request.operations.isEmpty { return changes }
            var request = draft.request
            request.durability = durability
            let ticket = publisher.begin()
            do {
                changes.sequence = try await store.commit(request).sequence
                publisher.end(ticket, changes)
                return changes
            } catch {
                publisher.end(ticket)
                guard error.kind == .preconditionFailed || error.kind == .conflict else { throw error }
            }
        }
        throw StorageError(
            .conflict, "Other writers kept changing the same records of '\(entity.name)'; try again later.",
            retry: .afterBackoff)
    }

    /// Reads the pending outbox entries that the change may have to fold into.
    ///
    /// A record that does not exist rarely has one (a deletion not yet sent), so at the first attempt none is looked
    /// for; if there is one after all, the commit's precondition fails and the second attempt finds it.
    private func loadPending(
        _ pending: inout PendingEntries, _ keys: [RecordKey], _ existing: RowBuffer, of entity: EntitySchema, all: Bool
    ) async throws(StorageError) {
        guard outbox != nil else { return }
        let sought = keys.indices.filter { all || existing.versions[$0] != 0 }.map {
            OutboxEntry.pendingKey(entity.name, keys[$0].outboxText)
        }
        if sought.isEmpty { return }
        try await store.get(sought, of: OutboxEntry.entity.name, into: &pending.rows)
        pending.index()
    }
}

extension RowBuffer {
    /// The rows without those that a later row of the same key replaces.
    fileprivate func lastOfEachKey(of entity: EntitySchema) -> RowBuffer {
        if rowCount == 1 { return self }
        var last: [RecordKey: Int] = [:]
        last.reserveCapacity(rowCount)
        for row in 0..<rowCount { last[entity.key(of: self[row])] = row }
        if last.count == rowCount { return self }
        var result = RowBuffer(columnCount: columnCount, rowCapacity: last.count)
        for row in 0..<rowCount where last[entity.key(of: self[row])] == row { result.append(self[row]) }
        return result
    }
}

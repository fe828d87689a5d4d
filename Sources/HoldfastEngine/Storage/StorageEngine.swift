import HoldfastModel
import HoldfastStorage

/// Turns saves and transactions into single commits: the records, their outbox entries, and the changes to publish.
///
/// Reads what is stored, drafts a commit that holds only if that is still so, and starts over if it is not.
struct StorageEngine: Sendable {
    /// How often a commit is drafted again when other writers commit first.
    ///
    /// Writers of this process get through long before that; the bound is for those of others.
    static let maximumAttempts = 64

    let store: Store
    let catalog: ModelCatalog
    let publisher: ChangePublisher
    private let durability: Durability?
    private let outbox: OutboxClock?
    private let localModels: Set<String>
    /// The writers that try again.
    let retries: RetryQueue

    init(store: Store, catalog: ModelCatalog, publisher: ChangePublisher, options: DataStoreOptions) {
        self.store = store
        self.catalog = catalog
        self.publisher = publisher
        durability = options.durability
        outbox = options.recordsMutations ? OutboxClock(now: options.surroundings.wallMicroseconds) : nil
        localModels = options.localModels
        retries = RetryQueue(sleep: options.surroundings.sleep)
    }

    /// Whether changes go to the outbox.
    var recordsMutations: Bool { outbox != nil }

    /// Whether changes of a model go to the outbox.
    func records(_ model: String) -> Bool { recordsMutations && !localModels.contains(model) }

    /// Who makes the changes of this handle; `nil` without a session, for the user of the store's last session.
    var author: OutboxClock.Author? {
        get { outbox?.author }
        nonmutating set { outbox?.author = newValue }
    }

    /// As ``OutboxClock/expectAuthor()``.
    func expectAuthor() { outbox?.expectAuthor() }

    /// The present in microseconds since 1970-01-01T00:00Z.
    var present: Int64 { outbox?.present ?? 0 }

    /// Whether the application has just changed something that goes to the outbox.
    var isBusy: Bool { outbox?.isBusy ?? false }

    /// Creates or replaces records in one commit.
    ///
    /// - Parameters:
    ///   - rows: All cells in the order of the entity's fields; of several rows with one key the last counts.
    ///   - entity: Their entity.
    ///   - condition: What every stored record must satisfy; all must exist then.
    ///   - serviceCondition: The condition as the service is asked for it.
    /// - Returns: How many records were created and how many were updated.
    /// - Throws: ``ModelError`` `.conditionFailed` if a record does not satisfy `condition` or, with a condition, does
    ///   not exist, `.brokenRelation` if a parent does not exist; ``StorageError`` if the entity cannot hold the rows,
    ///   and as ``commit(runsCallerCode:atMost:_:)``.
    func save(
        _ rows: RowBuffer, of entity: EntitySchema, where condition: BoundPredicate? = nil,
        atService serviceCondition: String? = nil
    ) async throws -> SaveResult {
        let rows = try store.canonical(rows, of: entity).lastOfEachKey(of: entity)
        let keys = (0..<rows.rowCount).map { entity.key(of: rows[$0]) }
        var existing = RowBuffer()
        let conditions = serviceCondition.map { text in
            Dictionary(keys.map { ($0, text) }, uniquingKeysWith: { first, _ in first })
        }
        let changes = try await commit { attempt in
            try await store.get(keys, of: entity.name, into: &existing)
            if let condition {
                let matches = (0..<existing.rowCount).map { existing.withRow($0, condition.matches) }
                try Self.check(matches, existing, entity)
            }
            let isThere = keys.indices.filter { existing.versions[$0] != 0 }.map { keys[$0] }
            // The commit of a local model has no condition that fails if there is an entry after all.
            let sought = attempt > 1 || !records(entity.name) ? keys : isThere
            let pending = try await pending([(entity, sought, isThere)])
            let saved = try await keepingKeysOfAbsentParents(of: rows, over: existing, of: entity)
            let parents = try await parents(of: saved, over: existing, of: entity)
            let versions = existing.versions + pending.versions + parents.versions
            var draft = draft(pending, at: try await reserve(keys.count, after: versions))
            draft.require(parents.conditions)
            draft.save(saved, keys: keys, of: entity, over: existing, where: conditions ?? [:])
            return draft
        }
        let created = changes.reduce(0) { $0 + $1.kinds.count { $0 == .created } }
        return SaveResult(createdCount: created, updatedCount: keys.count - created)
    }

    /// Begins a draft of local changes.
    func draft(_ pending: PendingEntries, at position: Int64?) -> WriteDraft {
        let author = author
        return WriteDraft(
            pending: pending, at: position, identity: author == nil ? pending.lastIdentity : author?.identity,
            localModels: localModels, shape: catalog.shape(of:))
    }

    /// Drafts a commit until it goes through.
    ///
    /// - Parameters:
    ///   - runsCallerCode: Whether drafting runs code that may itself use the store.
    ///   - limit: The durability that is enough for this commit, if the store's is stronger.
    ///   - draft: Reads and drafts; called again when a condition of the commit failed. Counted from 1.
    /// - Returns: The changes that were published.
    /// - Throws: ``StorageError`` `.conflict` if other writers kept getting in between; what `draft` throws.
    func commit(
        runsCallerCode: Bool = false, atMost limit: Durability? = nil,
        _ draft: (_ attempt: Int) async throws -> WriteDraft
    ) async throws -> [ChangeSet] {
        // The caller's code takes its time, so its turn comes later.
        let freeAttempts = runsCallerCode ? 3 : 1
        var isQueued = false
        defer { if isQueued { retries.leave() } }
        for attempt in 1...Self.maximumAttempts {
            if !isQueued && !RetryQueue.isBypassed && (attempt > freeAttempts || retries.queuesNewWriters) {
                isQueued = await retries.enter()
            }
            if isQueued { retries.beginAttempt(queuesNewWriters: attempt >= 4, runsCallerCode: runsCallerCode) }
            let draft = try await draft(attempt).finish()
            if draft.request.operations.isEmpty && draft.request.preconditions.isEmpty { return [] }
            var request = draft.request
            request.durability = limit.map { min($0, durability ?? store.capabilities.durability) } ?? durability
            let ticket = try publisher.begin()
            do {
                let sequence = try await store.commit(request).sequence
                // A commit that only checks conditions has the sequence of the one before it, perhaps another process's.
                if !request.operations.isEmpty { outbox?.committed(sequence) }
                let changes = draft.changes.map { changes in
                    var changes = changes
                    changes.sequence = sequence
                    return changes
                }
                publisher.end(
                    ticket, sequence: sequence, changes + missed(by: draft).map { .missed($0, through: sequence) })
                return changes
            } catch {
                if error.transaction == .outcomeUnknown {
                    let missed = missed(by: draft).map { ChangeSet.missed($0, through: 0) }
                    publisher.end(ticket, mayHaveHappened: draft.changes + missed)
                } else {
                    publisher.end(ticket)
                }
                guard error.kind == .preconditionFailed || error.kind == .conflict else { throw error }
            }
        }
        throw StorageError(
            .conflict, "Other writers kept changing the same records; try again later.", retry: .afterBackoff)
    }

    /// The entities of which observers learn only that any record may have changed.
    private func missed(by draft: WriteDraft) -> [EntitySchema] {
        draft.request.observedQueues + (publisher.readsRelatedRecords ? draft.unexamined : [])
    }

    /// A position in the outbox for each of some changes, or `nil` if mutations are not recorded.
    ///
    /// - Parameters:
    ///   - count: The number of changes.
    ///   - commits: The sequences of those that they build on; the positions are after those of their entries.
    ///   - snapshot: A snapshot that has this commit, if the caller holds one: those who hold one and wait for another
    ///     could wait for each other.
    /// - Returns: The first of `count` consecutive positions.
    /// - Throws: What reading the outbox throws.
    func reserve(
        _ count: Int, after commits: some Sequence<UInt64>, in snapshot: StoreSnapshot? = nil
    ) async throws -> Int64? {
        guard let outbox else { return nil }
        if !outbox.covers(commits) || outbox.isAhead {
            if let snapshot {
                try await outbox.update(from: snapshot)
            } else {
                try await store.withSnapshot { try await outbox.update(from: $0) }
            }
        }
        return outbox.reserve(count)
    }

    /// The newest outbox entries of records, the service's metadata of records without an entry, and who makes changes if
    /// this handle does not know it.
    ///
    /// A record that does not exist rarely has one (a deletion not yet sent), so a first attempt need not look for it;
    /// if there is one after all, the commit's condition fails and the second attempt finds it.
    ///
    /// With a deletion that is not yet sent come those that go with it: its record is saved again.
    ///
    /// - Parameters:
    ///   - records: The keys to be looked for, and those of them whose records exist.
    ///   - known: What was found for other records.
    ///   - snapshot: A snapshot, if the caller holds one, as for ``reserve(_:after:in:)``.
    /// - Returns: All that was found; nothing if mutations are not recorded.
    /// - Throws: What reading the store throws.
    func pending(
        _ records: [(entity: EntitySchema, keys: [RecordKey], existing: [RecordKey])],
        besides known: PendingEntries = PendingEntries(), in snapshot: StoreSnapshot? = nil
    ) async throws -> PendingEntries {
        var pending = known
        guard let outbox else { return pending }
        var requests = records.flatMap { PendingEntries.reads($0.entity, $0.keys, existing: $0.existing) }
        // The user can be another one by now: the session is that of another handle, or another process.
        let needsUser = outbox.needsLastUser
        if needsUser { requests.append(GetRequest(SyncSession.entity.name, keys: [SyncSession.storedKey])) }
        if !requests.isEmpty {
            let answers = try await store.get(requests)
            if needsUser, answers.last?.versions[0] == 0 { outbox.noteNoSession() }
            pending.insert(answers, to: requests)
        }
        for part in pending.deletions.chunks(of: 100) {
            let plan = QueryPlan(OutboxEntry.entity.name, where: .isIn("cascade", part.map { .text($0.text) }))
            if let snapshot {
                pending.insert(cascaded: try await snapshot.rows(plan))
            } else {
                pending.insert(cascaded: try await store.withSnapshot { try await $0.rows(plan) })
            }
        }
        return pending
    }

    /// Rows with the foreign keys that their models could not show.
    ///
    /// An eager model holds `nil` for a related record that is not stored, for instance because it is outside the sync
    /// expression. To save that `nil` would clear the key, here and at the service.
    ///
    /// - Parameters:
    ///   - rows: The records to be saved.
    ///   - existing: The stored ones.
    ///   - entity: Their entity.
    ///   - snapshot: Where the parents are looked up; `nil` for the store as it is.
    /// - Returns: The rows; a foreign key that they clear stays if it leads to no record.
    /// - Throws: What reading the store throws.
    func keepingKeysOfAbsentParents(
        of rows: RowBuffer, over existing: RowBuffer, of entity: EntitySchema, in snapshot: StoreSnapshot? = nil
    ) async throws -> RowBuffer {
        guard let model = catalog.model(named: entity.name), model.needsParents else { return rows }
        var kept: [Int: [Value]] = [:]
        // A key that the model shows is cleared on purpose.
        for foreignKey in catalog.unshownKeys(of: model) {
            let cleared = (0..<rows.rowCount).filter {
                existing.versions[$0] != 0 && foreignKey.isCleared(by: rows, $0, over: existing)
            }
            if cleared.isEmpty { continue }
            let keys = cleared.compactMap { foreignKey.parentKey(existing, $0) }
            let parents = try await get(keys, of: foreignKey.parent, in: snapshot)
            for (index, row) in cleared.enumerated() where parents.versions[index] == 0 {
                var cells = kept[row] ?? Array(rows[row])
                for column in foreignKey.columns { cells[column] = existing[row, column] }
                kept[row] = cells
            }
        }
        return rows.replacing(kept)
    }

    /// The conditions that the parents of records exist when the commit is applied.
    ///
    /// - Parameters:
    ///   - rows: The records to be saved.
    ///   - existing: The stored ones; a foreign key that does not change is not looked up.
    ///   - entity: Their entity.
    ///   - saved: Records that the same commit saves, by entity.
    ///   - deleted: Records that the same commit deletes, by entity.
    ///   - snapshot: Where the parents are looked up, so that one that is gone since makes the commit start over;
    ///     `nil` for the store as it is.
    /// - Returns: The conditions, and the versions of the parents looked up.
    /// - Throws: ``ModelError`` `.brokenRelation` if a parent does not exist.
    func parents(
        of rows: RowBuffer, over existing: RowBuffer, of entity: EntitySchema,
        besides saved: [String: Set<RecordKey>] = [:], without deleted: [String: Set<RecordKey>] = [:],
        in snapshot: StoreSnapshot? = nil
    ) async throws -> (conditions: [Precondition], versions: [UInt64]) {
        var preconditions: [Precondition] = []
        var versions: [UInt64] = []
        for foreignKey in catalog.owningKeys(of: entity) {
            var sought: Set<RecordKey> = []
            let parent = foreignKey.parent.name
            let ownKeys = parent == entity.name ? Set((0..<rows.rowCount).map { entity.key(of: rows[$0]) }) : []
            for row in 0..<rows.rowCount {
                guard let key = foreignKey.parentKey(rows, row) else { continue }
                if deleted[parent]?.contains(key) ?? false { throw Self.broken(foreignKey) }
                if existing.versions[row] != 0 && foreignKey.parentKey(existing, row) == key { continue }
                if ownKeys.contains(key) || saved[parent]?.contains(key) ?? false { continue }
                sought.insert(key)
            }
            if sought.isEmpty { continue }
            let keys = sought.sorted()
            let found = try await get(keys, of: foreignKey.parent, in: snapshot)
            guard found.versions.allSatisfy({ $0 != 0 }) else { throw Self.broken(foreignKey) }
            versions += found.versions
            preconditions += keys.map { .present(entity: parent, key: $0) }
        }
        return (preconditions, versions)
    }

    /// Records of a snapshot; of the store as it is without one.
    private func get(
        _ keys: [RecordKey], of entity: EntitySchema, in snapshot: StoreSnapshot?
    ) async throws -> RowBuffer {
        if let snapshot { return try await snapshot.get(keys, of: entity) }
        var rows = RowBuffer()
        try await store.get(keys, of: entity.name, into: &rows)
        return rows
    }

    private static func broken(_ foreignKey: ForeignKey) -> ModelError {
        ModelError(
            .brokenRelation,
            "'\(foreignKey.child.name).\(foreignKey.field)' leads to a '\(foreignKey.parent.name)' that does not exist; "
                + "save that first.")
    }

    /// Checks that every record exists and satisfies a condition.
    static func check(
        _ matches: [Bool], _ existing: RowBuffer, _ entity: EntitySchema
    ) throws(ModelError) {
        for row in 0..<existing.rowCount {
            guard existing.versions[row] != 0 else {
                throw ModelError(
                    .conditionFailed,
                    "A '\(entity.name)' that does not exist was saved with a condition; save it without.")
            }
            guard matches[row] else {
                throw ModelError(.conditionFailed, "The stored '\(entity.name)' does not satisfy the condition.")
            }
        }
    }
}

extension CommitRequest {
    /// The queues that observers of the outbox look at and that the commit changes.
    fileprivate var observedQueues: [EntitySchema] {
        [OutboxEntry.entity, DeadLetter.entity].filter { queue in operations.contains { $0.entity == queue.name } }
    }
}

extension OutboxClock {
    /// Remembers the greatest position in the store.
    ///
    /// Changes that were given up keep theirs. If the clock has gone back since, another change of the record could get
    /// the same position, and its letter would replace theirs.
    fileprivate func update(from snapshot: StoreSnapshot) async throws {
        var positions: [Int64] = []
        for queue in [OutboxEntry.entity, DeadLetter.entity] {
            let last = try await snapshot.rows(
                QueryPlan(
                    queue.name, sort: [SortKey("position", .descending)], limit: 1, projection: ["position"]))
            if !last.isEmpty, case .integer(let position) = last[0, 0] { positions.append(position) }
        }
        update(positions.max(), asOf: snapshot.sequence)
    }
}

extension RowBuffer {
    /// The rows with other cells at some positions.
    func replacing(_ cells: [Int: [Value]]) -> RowBuffer {
        if cells.isEmpty { return self }
        var result = RowBuffer(columnCount: columnCount, rowCapacity: rowCount)
        for row in 0..<rowCount { result.append(cells[row] ?? Array(self[row])) }
        return result
    }

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

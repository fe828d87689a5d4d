import HoldfastStorage

/// Reads the head of the outbox with what it depends on, from one snapshot.
struct OutboxQueue {
    /// How many entries are read at first for each one that is wanted, and by how much that grows if too few of them
    /// can be sent; those that they wait for come in addition.
    private static let growth = 4
    /// How many entries are wanted at most.
    private static let largestLimit = 1_000
    /// How many records a read can name whose deletions others wait for.
    private static let largestNameCount = 100

    let snapshot: StoreSnapshot
    let catalog: ModelCatalog
    /// The models that are sent; `nil` for all.
    private let models: Set<String>?

    private var items: [SendOrder.Item] = []
    private var known: Set<RecordKey> = []
    /// Models of which all entries were read.
    private var readModels: Set<String> = []

    init(snapshot: StoreSnapshot, catalog: ModelCatalog, models: Set<String>?) {
        self.snapshot = snapshot
        self.catalog = catalog
        self.models = models
    }

    /// The first entries that do not wait for another one, in the order in which they should be sent.
    ///
    /// - Parameters:
    ///   - limit: The largest number of entries; more than 1,000 counts as 1,000.
    ///   - isSendable: Whether an entry may be sent now.
    /// - Returns: The entries.
    /// - Throws: ``StorageError`` if the store cannot be read.
    /// - Complexity: O(limit) where the head of the outbox can be sent; what cannot is read, too. If it has a deletion of
    ///   a record to which others may belong, which was folded into an earlier change, and more follows, O(n) for n
    ///   changes of their models in the whole outbox.
    mutating func sendable(
        _ limit: Int, where isSendable: (OutboxEntry) -> Bool
    ) async throws -> ArraySlice<OutboxEntry> {
        let limit = min(limit, Self.largestLimit)
        var count = limit * Self.growth
        var first = Int64.min
        while true {
            var conditions = [Predicate.compare("position", .greaterOrEqual, .integer(first))]
            if models != nil { conditions.append(OutboxEntry.isChange(of: models)) }
            // Very many records may go with one whose deletion is in flight.
            let awaited = awaitedDeletions
            if !awaited.isEmpty { conditions.append(OutboxEntry.goesAlone(besides: awaited)) }
            let rows = try await snapshot.rows(
                QueryPlan(
                    OutboxEntry.entity.name, where: conditions.count == 1 ? conditions[0] : .and(conditions),
                    sort: [SortKey("position")], limit: count))
            let added = try await add(rows)
            let hasMore = rows.rowCount == count
            let last = rows.isEmpty ? nil : OutboxEntry(rows[rows.rowCount - 1])?.position
            if hasMore { try await addRequirements(of: added) }
            let found = SendOrder(items).sendable { entry in
                isSendable(entry) && (!hasMore || hasRequirements(of: entry, before: last ?? first))
            }.prefix(limit)
            guard found.count < limit, hasMore else { return found }
            // Positions of several processes may be equal, so a read begins with the last one of the read before.
            if let last { first = last }
            count *= Self.growth
        }
    }

    /// Whether all changes were read that a deletion may have to wait for.
    ///
    /// - Parameters:
    ///   - entry: A change, perhaps a deletion.
    ///   - position: All changes before this position were read.
    /// - Returns: `true` also for every other change.
    private func hasRequirements(of entry: OutboxEntry, before position: Int64) -> Bool {
        guard entry.operation == .delete else { return true }
        // What led to the record was changed before it was deleted.
        if let deletedAt = entry.deletedAt, deletedAt <= position { return true }
        return children(of: entry.model).isSubset(of: readModels)
    }

    /// The models whose records belong to those of a model.
    private func children(of model: String) -> Set<String> {
        guard let parent = catalog.model(named: model)?.entity else { return [] }
        return Set(catalog.foreignKeys(to: parent).map(\.child.name))
    }

    /// Records whose deletions are in the queue, and with which others go.
    private var awaitedDeletions: [SendOrder.Record] {
        let deleted = Set(items.filter { $0.entry.operation == .delete }.map(\.record))
        let awaited = Set(items.compactMap(\.entry.cascade)).intersection(deleted)
        return Array(awaited.sorted { $0.text < $1.text }.prefix(Self.largestNameCount))
    }

    /// Adds what entries wait for, which may come after what was read.
    private mutating func addRequirements(of items: [SendOrder.Item]) async throws {
        var added = items
        while !added.isEmpty {
            var parents: Set<SendOrder.Record> = []
            var deleted: Set<String> = []
            for item in added {
                parents.formUnion(item.parents)
                if let cascade = item.entry.cascade { parents.insert(cascade) }
                // One that was not folded comes after all changes for which it waits.
                if item.entry.operation == .delete, item.entry.deletedAt != item.entry.position {
                    deleted.insert(item.entry.model)
                }
            }
            added = try await addEntries(of: parents)
            for model in deleted { added += try await addChildren(of: model) }
        }
    }

    /// Adds the entries of records.
    private mutating func addEntries(of records: Set<SendOrder.Record>) async throws -> [SendOrder.Item] {
        let keys = records.map { OutboxEntry.newestKey($0.model, $0.key) }.filter { !known.contains($0) }
        guard !keys.isEmpty else { return [] }
        let newest = try await snapshot.get(keys.sorted(), of: OutboxEntry.entity)
        var entries: [OutboxEntry] = []
        for row in 0..<newest.rowCount where newest.versions[row] != 0 {
            guard let entry = OutboxEntry(newest[row]) else { continue }
            entries += try await self.entries(of: entry.model, entry.key)
        }
        return try await add(entries)
    }

    /// Adds the changes of records that may lead to those of a model, without deletions that go with others.
    private mutating func addChildren(of model: String) async throws -> [SendOrder.Item] {
        var added: [SendOrder.Item] = []
        for child in children(of: model) where readModels.insert(child).inserted {
            let rows = try await snapshot.rows(
                QueryPlan(
                    OutboxEntry.entity.name,
                    where: .and([.compare("model", .equal, .text(child)), .compare("cascade", .equal, .null)])))
            added += try await add(rows)
        }
        return added
    }

    private mutating func add(_ rows: RowBuffer) async throws -> [SendOrder.Item] {
        var entries: [OutboxEntry] = []
        var found: Set<SendOrder.Record> = []
        for row in 0..<rows.rowCount {
            guard let entry = OutboxEntry(rows[row]), !known.contains(entry.storedKey) else { continue }
            if entry.isNewest {
                entries.append(entry)
            } else if found.insert(SendOrder.Record(model: entry.model, key: entry.key)).inserted {
                // What a record led to at an entry is found from its newest one on.
                entries += try await self.entries(of: entry.model, entry.key)
            }
        }
        return try await add(entries)
    }

    private func entries(of model: String, _ key: String) async throws -> [OutboxEntry] {
        try await SyncedRecordReader(snapshot: snapshot, catalog: catalog).entries(of: model, key).entries
    }

    private mutating func add(_ entries: [OutboxEntry]) async throws -> [SendOrder.Item] {
        let unknown = entries.filter { known.insert($0.storedKey).inserted }
        var added: [SendOrder.Item] = []
        for (model, entries) in Dictionary(grouping: unknown, by: \.model) {
            added += try await items(entries, of: model)
        }
        items += added
        return added
    }

    private func items(_ entries: [OutboxEntry], of model: String) async throws -> [SendOrder.Item] {
        // What waited for a change that is never sent would wait forever.
        guard models?.contains(model) ?? true, let entity = catalog.model(named: model)?.entity else { return [] }
        let relations = catalog.foreignKeys(of: entity)
        if relations.isEmpty { return entries.map { SendOrder.Item(entry: $0) } }
        let records = Dictionary(grouping: entries, by: \.key).compactMap { text, entries in
            RecordKey(outboxText: text, of: entity).map { (key: $0, entries: entries) }
        }
        let rows = try await snapshot.get(records.map(\.key), of: entity)
        var items: [SendOrder.Item] = []
        for (index, record) in records.enumerated() {
            // From the newest change back: a creation leads to what its record led to then, which may be deleted now.
            var row = rows.versions[index] == 0 ? nil : Array(rows[index])
            for entry in record.entries.sorted(by: { $0.position > $1.position }) {
                var item = SendOrder.Item(entry: entry)
                item.note(row, relations)
                row = entry.undone(row, of: entity) ?? row
                item.note(row, relations)
                items.append(item)
            }
        }
        return items
    }
}

extension SendOrder.Item {
    fileprivate mutating func note(_ row: [Value]?, _ relations: [ForeignKey]) {
        guard let row else { return }
        let rows = RowBuffer(row: row)
        for relation in relations {
            guard let key = relation.parentKey(rows, 0) else { continue }
            parents.insert(SendOrder.Record(model: relation.parent.name, key: key.outboxText))
        }
    }
}

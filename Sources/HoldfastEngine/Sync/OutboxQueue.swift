import HoldfastStorage

/// Reads the head of the outbox with what it depends on, from one snapshot.
struct OutboxQueue {
    /// How many entries from the head are looked at; those that they wait for come in addition.
    static let windowSize = 1_000

    let snapshot: StoreSnapshot
    let catalog: ModelCatalog

    private var items: [SendOrder.Item] = []
    private var known: Set<RecordKey> = []

    init(snapshot: StoreSnapshot, catalog: ModelCatalog) {
        self.snapshot = snapshot
        self.catalog = catalog
    }

    /// The order in which entries at the head may be sent.
    mutating func order() async throws -> SendOrder {
        let head = try await snapshot.rows(
            QueryPlan(OutboxEntry.entity.name, sort: [SortKey("position")], limit: Self.windowSize))
        var added = try await add(head)
        let hasMore = head.rowCount == Self.windowSize
        while hasMore && !added.isEmpty {
            // What an entry waits for may be behind the window.
            var parents: Set<SendOrder.Record> = []
            var deleted: [SendOrder.Item] = []
            for item in added {
                parents.formUnion(item.parents)
                if item.entry.operation == .delete { deleted.append(item) }
            }
            let keys = parents.map { OutboxEntry.newestKey($0.model, $0.key) }.filter { !known.contains($0) }
            added = []
            if !keys.isEmpty {
                let found = try await snapshot.get(keys.sorted(), of: OutboxEntry.entity)
                added += try await add(found.present)
            }
            for model in Set(deleted.map(\.entry.model)) { added += try await addChildren(of: model) }
        }
        return SendOrder(items)
    }

    /// Adds the deletions of records that lead to those of a model.
    private mutating func addChildren(of model: String) async throws -> [SendOrder.Item] {
        guard let parent = catalog.model(named: model)?.entity else { return [] }
        var added: [SendOrder.Item] = []
        for child in Set(catalog.foreignKeys(to: parent).map(\.child.name)) {
            let rows = try await snapshot.rows(
                QueryPlan(
                    OutboxEntry.entity.name,
                    where: .and([
                        .compare("model", .equal, .text(child)),
                        .compare("operation", .equal, .text(OutboxEntry.Operation.delete.rawValue)),
                    ])))
            added += try await add(rows)
        }
        return added
    }

    private mutating func add(_ rows: RowBuffer) async throws -> [SendOrder.Item] {
        var entries: [OutboxEntry] = []
        for row in 0..<rows.rowCount {
            guard let entry = OutboxEntry(rows[row]), known.insert(entry.storedKey).inserted else { continue }
            entries.append(entry)
        }
        var added: [SendOrder.Item] = []
        for (model, entries) in Dictionary(grouping: entries, by: \.model) {
            added += try await items(entries, of: model)
        }
        items += added
        return added
    }

    private func items(_ entries: [OutboxEntry], of model: String) async throws -> [SendOrder.Item] {
        guard let entity = catalog.model(named: model)?.entity else { return [] }
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

extension RowBuffer {
    /// The rows that exist.
    fileprivate var present: RowBuffer {
        var result = RowBuffer(columnCount: columnCount)
        for row in 0..<rowCount where versions[row] != 0 { result.append(self[row], version: versions[row]) }
        return result
    }
}

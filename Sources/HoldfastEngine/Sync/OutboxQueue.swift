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
        var items = entries.map { SendOrder.Item(entry: $0) }
        if relations.isEmpty { return items }
        var places: [(index: Int, key: RecordKey)] = []
        for (index, entry) in entries.enumerated() where entry.operation != .delete {
            if let key = RecordKey(outboxText: entry.key, of: entity) { places.append((index, key)) }
        }
        let rows = try await snapshot.get(places.map(\.key), of: entity)
        for (row, place) in places.enumerated() where rows.versions[row] != 0 {
            items[place.index].note(rows, row, relations)
        }
        for (index, entry) in entries.enumerated() {
            guard let before = entry.before, before != FieldValues.noRecord else { continue }
            items[index].note(RowBuffer(row: FieldValues.row(before, of: entity)), 0, relations)
        }
        return items
    }
}

extension SendOrder.Item {
    fileprivate mutating func note(_ rows: RowBuffer, _ row: Int, _ relations: [ForeignKey]) {
        for relation in relations {
            guard let key = relation.parentKey(rows, row) else { continue }
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

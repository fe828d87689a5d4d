import HoldfastEngine
import HoldfastStorage

/// Compares what clients have in the end with what the service has.
struct FinalComparison {
    let schema: SimulatedSchema
    let rights: Rights
    let history: ServiceHistory

    /// How a client differs; each difference in words.
    ///
    /// - Throws: ``StorageError`` if its store cannot be read.
    func differences(of client: SimulatedClient) async throws -> [String] {
        guard client.life != nil, let stored = client.store.schema else { return ["client \(client.number) is dead"] }
        var found: [String] = []
        let outbox = try await client.store.rows(of: OutboxEntry.entity.name)
        if !outbox.isEmpty { found.append("client \(client.number) has \(outbox.rowCount) unsent changes") }
        let shelf = try await client.store.rows(of: ShelfItem.entity.name)
        let waiting = (0..<shelf.rowCount).compactMap { ShelfItem(shelf[$0]) }.filter { $0.reason != .notStorable }
        if !waiting.isEmpty { found.append("client \(client.number) has \(waiting.count) records on its shelf") }
        for model in schema.models {
            let entity = try stored.entity(named: model.name)
            let rows = try await client.store.rows(of: entity.name)
            var expected = history.content(of: entity.name)
            if let wanted = schema.interest, wanted.model == model.name, let limit = client.interest {
                expected = expected.filter { $0.value.fields[wanted.field]?.text.map { $0 < limit } ?? false }
            }
            if !rights.isOpen {
                expected = expected.filter { rights.shows(model, $0.value.fields, to: client.provider.user) }
            }
            let unread = client.isTruncated ? try await unread(model.name, at: client) : []
            // Without a parent that it must have, the service shows a record to no one.
            let hidden = expected.filter { hidesParent(of: $0.value, model, from: client.provider.user) }
            for key in hidden.keys { expected[key] = nil }
            for row in 0..<rows.rowCount {
                let key = entity.key(of: rows[row])
                if unread.contains(key.outboxText) || hidden[key] != nil { continue }
                let name = "\(entity.name) \(key.outboxText) of client \(client.number)"
                guard let state = expected.removeValue(forKey: key) else {
                    // It was deleted while the device was away for longer than tombstones live.
                    let record = ServiceHistory.Record(model: entity.name, key: key)
                    if client.isTruncated, history.hasForgotten(record) { continue }
                    found.append("\(name) is not at the service")
                    continue
                }
                for (field, value) in zip(entity.fields, rows[row])
                where !field.type.meansTheSame(value, state.fields[field.name] ?? .null) {
                    found.append(
                        "\(field.name) of \(name) is \(value.plain), and \((state.fields[field.name] ?? .null).plain) at the service"
                    )
                }
            }
            if client.isTruncated { continue }
            for key in expected.keys.map(\.outboxText).sorted() {
                found.append("\(entity.name) \(key) is not at client \(client.number)")
            }
        }
        return found
    }

    /// Whether no rule shows a user a record that another one must belong to.
    private func hidesParent(of state: ServiceHistory.State, _ model: SimulatedModel, from user: Int) -> Bool {
        if rights.isOpen { return false }
        return model.requiredParents(of: state).contains { parent in
            guard let model = schema.model(parent.model),
                let shown = history.states[parent]?.last(where: { !$0.isLost })
            else { return false }
            return !rights.shows(model, shown.fields, to: user)
        }
    }

    /// The keys of the records that the newest full sync of a model did not reach, which stay as they were.
    private func unread(_ model: String, at client: SimulatedClient) async throws -> Set<String> {
        let states = try await client.store.rows(of: ModelState.entity.name)
        let generation = (0..<states.rowCount).compactMap { ModelState(states[$0]) }.first { $0.model == model }?
            .generation
        let rows = try await client.store.rows(of: RecordMetadata.entity.name)
        let metadata = (0..<rows.rowCount).compactMap { RecordMetadata(rows[$0]) }
        return Set(metadata.filter { $0.model == model && $0.generation < generation ?? 0 }.map(\.key))
    }
}

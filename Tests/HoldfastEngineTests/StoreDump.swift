import HoldfastConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport

@testable import HoldfastEngine

/// Everything in a store but its settings, to see whether something changed.
struct StoreDump: Equatable {
    var sequence: UInt64
    var rows: [String: [StoredRow]] = [:]
}

extension DataStore {
    func dump() async throws -> StoreDump {
        try await store.withSnapshot { snapshot in
            var dump = StoreDump(sequence: snapshot.sequence)
            for entity in store.schema.entities where entity.name != Setting.entity.name {
                dump.rows[entity.name] = try await snapshot.rows(QueryPlan(entity.name))
            }
            return dump
        }
    }

    /// Empties the outbox, as if the service had received everything, with the versions that it gave.
    func sendOutbox() async throws { try await store.sendOutbox() }

    /// Empties the outbox, as if the changes had been made while nothing was recorded.
    func forgetOutbox() async throws {
        _ = try await store.commit(CommitRequest(operations: [.clear(entity: OutboxEntry.entity.name)]))
    }

    /// The sequences of the commits that change an entity, as they are published.
    func subscribe(to entity: String) -> () async -> [UInt64]? {
        let subscription = publisher.subscribe(to: entity)
        return { try? await subscription.next()?.map(\.sequence) }
    }

    /// The changes up to that of the record of an identifier, which is left out.
    func collect<M: Model>(_ changes: ModelChanges<M>, until id: String) async throws -> [ModelChange<M>] {
        var result: [ModelChange<M>] = []
        for try await change in changes {
            if try change.model.recordKey().outboxText == id { break }
            result.append(change)
        }
        return result
    }

    /// Closes the store and returns all changes that an observer of it has not yet taken.
    func close<M: Model>(andCollect changes: ModelChanges<M>) async throws -> [ModelChange<M>] {
        try await close()
        var result: [ModelChange<M>] = []
        for try await change in changes { result.append(change) }
        return result
    }
}

/// A measurement; its key is a number that may be written in several ways.
struct Reading: Model {
    let place: Double
    let at: Temporal.DateTime
    var value: Double?

    enum CodingKeys: String, ModelKey { case place, at, value }
    static let keys = CodingKeys.self
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.place, keys.at]))
        model.fields(
            .field(keys.place, ofType: .double), .field(keys.at, ofType: .dateTime),
            .field(keys.value, is: .optional, ofType: .double))
    }

    init(place: Double, at: Temporal.DateTime, value: Double? = nil) {
        self.place = place
        self.at = at
        self.value = value
    }

    init(row: RowReader) throws(ModelError) {
        place = try row.read(0)
        at = try row.read(1)
        value = try row.read(2)
    }

    func write(to row: inout RowWriter) throws(ModelError) {
        row.write(place)
        row.write(at)
        row.write(value)
    }
}

extension Store {
    /// Empties the outbox, as if the service had received everything, with the versions that it gave.
    func sendOutbox() async throws {
        let metadata = try await withSnapshot { snapshot in
            let rows =
                try await snapshot.rows(
                    QueryPlan(OutboxEntry.entity.name, sort: [SortKey("position")])) as RowBuffer
            var metadata: [RecordKey: RecordMetadata] = [:]
            for entry in (0..<rows.rowCount).compactMap({ OutboxEntry(rows[$0]) }) {
                let key = RecordMetadata.storedKey(entry.model, entry.key)
                let stored = try await snapshot.get([key], of: RecordMetadata.entity)
                metadata[key] = RecordMetadata(
                    model: entry.model, key: entry.key, version: (RecordMetadata(stored[0])?.version ?? 0) + 1,
                    lastChangedAt: 0, isDeleted: entry.operation == .delete)
            }
            return metadata
        }
        _ = try await commit(
            CommitRequest(
                operations: [.clear(entity: OutboxEntry.entity.name)]
                    + WriteOperation.put(metadata.values.map(\.row), in: RecordMetadata.entity)))
    }
}

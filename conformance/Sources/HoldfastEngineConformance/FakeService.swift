package import HoldfastEngine
package import HoldfastStorage

/// A service of one model in memory, with optimistic concurrency.
package struct FakeService: Sendable {
    /// What it has records of.
    package let entity: EntitySchema
    /// Every version that each record ever had, the newest last.
    package private(set) var history: [RecordKey: [RemoteRecord]] = [:]
    private var time: Int64 = 1_000

    /// Creates a service without records.
    package init(_ entity: EntitySchema) { self.entity = entity }

    /// The newest version of every record.
    package var newest: [RemoteRecord] { history.values.compactMap(\.last).sorted { $0.key < $1.key } }

    /// The record of a version; `nil` if there never was one.
    package func record(_ key: RecordKey, version: Int64) -> RemoteRecord? {
        history[key]?.first { $0.version == version }
    }

    /// Writes a record, as some other client does.
    @discardableResult
    package mutating func write(_ key: RecordKey, _ row: [Value]?) -> RemoteRecord {
        time += 1
        let record = RemoteRecord(
            key: key, row: row, version: (history[key]?.last?.version ?? 0) + 1, lastChangedAt: time)
        history[key, default: []].append(record)
        return record
    }

    /// Carries a mutation out or refuses it.
    package mutating func receive(
        _ mutation: OutgoingMutation, refusing: Bool = false, retrying: Bool = false
    ) -> MutationOutcome {
        let current = history[mutation.recordKey]?.last
        if refusing || mutation.operation == .create && current != nil
            || mutation.operation != .create && current == nil
        {
            return .refused(mutation.id, errorType: "ConditionalCheckFailedException", message: nil, remote: nil)
        }
        if mutation.operation != .create && mutation.version != current?.version, let current {
            if retrying && !current.isDeleted { return .retried(mutation.id, on: current, row: nil) }
            return .refused(mutation.id, errorType: "ConflictUnhandled", message: nil, remote: current)
        }
        if mutation.operation == .delete { return .accepted(mutation.id, write(mutation.recordKey, nil)) }
        var row = current?.row ?? Array(repeating: .null, count: entity.fields.count)
        for (position, value) in zip(entity.primaryKeyPositions, mutation.recordKey.components) {
            row[position] = value
        }
        for (field, value) in mutation.values {
            if let position = entity.position(of: field) { row[position] = value }
        }
        return .accepted(mutation.id, write(mutation.recordKey, row))
    }
}

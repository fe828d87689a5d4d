import HoldfastEngine
import HoldfastStorage

/// A foreign store that a test makes up: records by identifier, of which positions count from 1.
struct FakeForeignStore: ForeignStore {
    var name = "made-up"
    var content: [String: [ForeignRecord]] = [:]
    var fields: [String: [String]] = [:]
    var deleted: [ForeignMetadata] = []
    var synced: [ForeignState] = []
    var unsent: [ForeignMutation] = []

    /// Adds a record whose identifier is its first cell.
    mutating func add(_ entity: String, _ cells: [Value], version: Int64? = nil, fault: String? = nil) {
        guard case .text(let identifier) = cells[0] else { return }
        let position = Int64(content[entity, default: []].count + 1)
        content[entity, default: []].append(
            ForeignRecord(
                position: position, identifier: identifier, cells: cells,
                metadata: version.map {
                    ForeignMetadata(
                        position: position, entity: entity, identifier: identifier, version: $0, lastChangedAt: 1_000)
                }, fault: fault))
    }

    /// Adds an unsent change.
    mutating func change(
        _ entity: String, _ identifier: String, _ operation: ForeignMutation.Operation?, at time: Int64 = 7,
        base: Int64? = nil, hasCondition: Bool = false
    ) {
        unsent.append(
            ForeignMutation(
                position: Int64(unsent.count + 1), entity: entity, identifier: identifier, operation: operation,
                madeAt: time, baseVersion: base, hasCondition: hasCondition))
    }

    /// Adds metadata of a record that is not there.
    mutating func delete(_ entity: String, _ identifier: String, version: Int64, isDeleted: Bool = true) {
        deleted.append(
            ForeignMetadata(
                position: Int64(deleted.count + 1), entity: entity, identifier: identifier, version: version,
                lastChangedAt: 2_000, isDeleted: isDeleted))
    }

    func entities() async throws(StorageError) -> [ForeignEntity] {
        content.map { ForeignEntity(name: $0, fields: fields[$0] ?? [], recordCount: $1.count) }
    }

    func records(_ request: ForeignRecordRequest) async throws(StorageError) -> [ForeignRecord] {
        let records = (content[request.entity.name] ?? []).filter { $0.position > request.position ?? .min }
        return Array(records.prefix(request.limit))
    }

    func tombstones(after position: Int64?, limit: Int) async throws(StorageError) -> [ForeignMetadata] {
        Array(deleted.filter { $0.position > position ?? .min }.prefix(limit))
    }

    func states() async throws(StorageError) -> [ForeignState] { synced }
    func mutations() async throws(StorageError) -> [ForeignMutation] { unsent }

    func key(_ identifier: String, of entity: EntitySchema) -> RecordKey? {
        identifier == "?" ? nil : RecordKey(identifier)
    }

    func close() async {}
}

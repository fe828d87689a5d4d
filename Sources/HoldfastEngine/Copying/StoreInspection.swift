public import HoldfastStorage

/// What a store holds, read without the application that wrote it.
///
/// ```swift
/// let store = try await Store.openAsStored { SQLiteAdapter(path: path) }
/// let inspection = try await StoreInspection(of: store)
/// let models = inspection.entities.filter { !$0.isSystem }.map { "\($0.name): \($0.recordCount)" }
/// try await store.close()
/// ```
public struct StoreInspection: Sendable, Hashable {
    /// One entity.
    public struct Entity: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// Whether it is one of the engine's and not a model's.
        public var isSystem: Bool
        /// Its records.
        public var recordCount: Int
        /// Its fields.
        public var fieldCount: Int
        /// The fields of its primary key.
        public var primaryKey: [String]
        /// Its secondary indexes.
        public var indexes: [IndexSchema]
        /// ``EntityDigest/hash`` of its records; `nil` if it was not asked for.
        public var digest: String?
    }

    /// The changes of one model that await the service.
    public struct Outbox: Sendable, Hashable {
        /// The model's name.
        public var model: String
        /// Those that were not sent.
        public var pendingCount = 0
        /// Those that were sent, without an answer yet.
        public var inFlightCount = 0
    }

    /// The adapter's name.
    public var adapterName: String
    /// The back end's own version; `nil` if it has none.
    public var engineVersion: String?
    /// The sequence of the last commit.
    public var sequence: UInt64
    /// Whether a copy to the store was begun and not finished.
    public var isUnfinishedCopy: Bool
    /// ``SchemaVersion/hash`` of the models' entities as they are stored.
    public var schemaVersion: String
    /// The version that the store was last opened with, if the engine has opened it.
    public var recordedSchemaVersion: String?
    /// Models first, each by name.
    public var entities: [Entity]
    /// The outbox, by model name; empty if there is none.
    public var outbox: [Outbox]
    /// Records of which the service said that it has deleted them.
    public var tombstoneCount: Int

    /// Looks at a store as it is at one moment.
    ///
    /// - Parameters:
    ///   - store: Open, for instance by ``/HoldfastStorage/Store/openAsStored(_:)``.
    ///   - digests: Whether all records are read for their digests; `false` by default.
    /// - Throws: ``/HoldfastStorage/StorageError`` as the store.
    @concurrent public init(of store: Store, digests: Bool = false) async throws {
        self = try await store.withSnapshot { snapshot in
            try await Inspector(snapshot: snapshot, store: store).inspection(digests: digests)
        }
    }

    fileprivate init(
        _ store: Store, sequence: UInt64, models: [EntitySchema], recordedSchemaVersion: String?, entities: [Entity],
        outbox: [Outbox], tombstoneCount: Int
    ) {
        adapterName = store.capabilities.adapterName
        engineVersion = store.capabilities.engineVersion
        isUnfinishedCopy = store.schema.isUnfinishedCopy
        schemaVersion = SchemaVersion(of: models).hash
        self.sequence = sequence
        self.recordedSchemaVersion = recordedSchemaVersion
        self.entities = entities
        self.outbox = outbox
        self.tombstoneCount = tombstoneCount
    }
}

/// Reads what an inspection reports from one snapshot.
private struct Inspector {
    let snapshot: StoreSnapshot
    let store: Store

    func inspection(digests: Bool) async throws -> StoreInspection {
        let all = store.schema.entities.filter { $0.name != EntitySchema.copyMark.name }.sorted { $0.name < $1.name }
        let models = all.filter { !SystemEntities.contains($0.name) }
        let system = all.filter { SystemEntities.contains($0.name) }
        var entities: [StoreInspection.Entity] = []
        for entity in models + system { entities.append(try await describe(entity, digests: digests)) }
        return StoreInspection(
            store, sequence: snapshot.sequence, models: models, recordedSchemaVersion: try await recordedVersion(),
            entities: entities, outbox: try await outbox(), tombstoneCount: try await tombstoneCount())
    }

    private func describe(_ entity: EntitySchema, digests: Bool) async throws -> StoreInspection.Entity {
        let digest = digests ? try await snapshot.digest(of: entity) : nil
        let count: Int
        if let digest { count = digest.recordCount } else { count = try await snapshot.count(entity.name) }
        return StoreInspection.Entity(
            name: entity.name, isSystem: SystemEntities.contains(entity.name), recordCount: count,
            fieldCount: entity.fields.count, primaryKey: entity.primaryKey,
            indexes: entity.indexes.sorted { $0.name < $1.name }, digest: digest?.hash)
    }

    /// Whether the store has a system entity in the form that this version knows.
    private func holds(_ entity: EntitySchema) -> Bool {
        guard let stored = try? store.schema.entity(named: entity.name) else { return false }
        return SchemaChange.differences(from: stored, to: entity).allSatisfy(\.isAdditive)
    }

    private func recordedVersion() async throws -> String? {
        guard holds(Setting.entity) else { return nil }
        let plan = QueryPlan(
            Setting.entity.name, where: .compare("key", .equal, .text(SchemaVersion.settingKey)), limit: 1,
            projection: ["value"])
        let rows = try await snapshot.rows(plan)
        guard !rows.isEmpty, case .text(let version) = rows[0, 0] else { return nil }
        return version
    }

    private func tombstoneCount() async throws -> Int {
        guard holds(RecordMetadata.entity) else { return 0 }
        return try await snapshot.count(
            RecordMetadata.entity.name, where: .compare("isDeleted", .equal, .boolean(true)))
    }

    private func outbox() async throws -> [StoreInspection.Outbox] {
        guard holds(OutboxEntry.entity) else { return [] }
        // An older version's outbox does not say what is in flight, since nothing ever was.
        let tellsPayload = try store.schema.entity(named: OutboxEntry.entity.name).position(of: "payload") != nil
        var models: [String: StoreInspection.Outbox] = [:]
        var scan = try await snapshot.query(
            QueryPlan(OutboxEntry.entity.name, projection: ["model"] + (tellsPayload ? ["payload"] : [])))
        var rows = RowBuffer()
        repeat {
            try await scan.next(into: &rows)
            for row in 0..<rows.rowCount {
                guard let model = rows[row, 0].textValue else { continue }
                var counts = models[model] ?? StoreInspection.Outbox(model: model)
                if tellsPayload && !rows[row, 1].isNull { counts.inFlightCount += 1 } else { counts.pendingCount += 1 }
                models[model] = counts
            }
        } while !rows.isEmpty
        return models.values.sorted { $0.model < $1.model }
    }
}

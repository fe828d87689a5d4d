import HoldfastEngine
package import HoldfastModel
package import HoldfastStorage
import HoldfastWire

/// A model that is synchronized.
package struct SyncedModel: Sendable {
    let schema: ModelSchema
    let wire: WireModel
    let entity: EntitySchema
    let expression: @Sendable () throws -> Predicate?
    let filtersDeltas: Bool
    /// A hash of what is asked for; another one means that records must be read again.
    let shape: String

    /// Compiles a model.
    ///
    /// - Parameters:
    ///   - schema: The model.
    ///   - models: The schemas of all models of the store, by name.
    ///   - filtersDeltas: Whether delta queries send the expression too; right only if no record ever leaves it.
    ///   - expression: Which records are wanted, evaluated once per start; `nil` for all. An error keeps the session
    ///     from starting.
    /// - Throws: `ModelError` for a model that the store refuses too.
    package init(
        _ schema: ModelSchema, among models: [String: ModelSchema], filtersDeltas: Bool = false,
        expression: @escaping @Sendable () throws -> Predicate? = { nil }
    ) throws(ModelError) {
        self.schema = schema
        wire = try WireModel(schema, among: models)
        entity = try schema.entity(among: models)
        self.filtersDeltas = filtersDeltas
        shape = Self.shape(of: wire)
        self.expression = expression
    }

    private static func shape(of wire: WireModel) -> String {
        var hash = FNVHash()
        // A record without a required value cannot be kept, and can be once the field is optional.
        let columns = wire.columns.map { "\($0.name) \($0.type)\($0.isRequired ? "!" : "")" }.joined(separator: ",")
        for byte in (wire.sync().document + columns).utf8 { hash.add(byte) }
        return hash.digits
    }

    /// The records of an answer, and what of it cannot be a record.
    func content(of items: RemoteItems, in scope: SyncScope) -> SyncContent {
        var content = SyncContent(model: entity.name)
        content.records.reserveCapacity(items.count)
        for index in 0..<items.count {
            let item = items.items[index]
            let row = Array(items.rows[index])
            content.records.append(
                RemoteRecord(
                    key: RecordKey(wire.keyColumns.map { row[$0] }), row: item.isDeleted ? nil : row,
                    version: item.version, lastChangedAt: item.lastChangedAt,
                    isInScope: item.isDeleted || scope.contains(row)))
        }
        content.faults = items.faults.map { fault in
            ShelfItem(
                model: entity.name, key: fault.key?.outboxText ?? "unreadable \(fault.index)",
                version: fault.item?.version ?? 0, lastChangedAt: fault.item?.lastChangedAt ?? 0,
                isDeleted: fault.item?.isDeleted ?? false, item: fault.json, reason: .notStorable)
        }
        return content
    }
}

/// Which records of a model are wanted, as of the last start.
struct SyncScope: Sendable {
    /// What the service is asked for; `nil` for everything.
    var filter: WireValue?
    private var predicate: BoundPredicate?
    /// The expression as text, the same for every form of one condition; `nil` for all records.
    private(set) var text: String?

    /// All records.
    init() {}

    /// The records of an expression.
    ///
    /// - Throws: ``StorageError`` if the expression names what the model does not have.
    init(_ expression: Predicate, of model: SyncedModel) throws(StorageError) {
        // A service takes no filter of any size; what is not sent is decided here alone.
        if let sent = model.wire.syncFilter(for: expression).json, sent.leafCount <= FilterLimits.valueCount {
            filter = sent
        }
        predicate = try StorageSchema(entities: [model.entity])
            .bind(QueryPlan(model.entity.name, where: expression)).predicate
        text = expression.canonicalText
    }

    func contains(_ row: [Value]) -> Bool { predicate?.matches(row) ?? true }
}

extension [SyncedModel] {
    /// The models with parents before children; where relations run in circles, in the given order.
    func withParents() -> [(model: SyncedModel, parents: [String])] {
        let names = Dictionary(map { ($0.entity.name, $0) }, uniquingKeysWith: { first, _ in first })
        var order: [(model: SyncedModel, parents: [String])] = []
        var placed: Set<String> = []
        var visited: Set<String> = []
        func place(_ model: SyncedModel) {
            guard visited.insert(model.entity.name).inserted else { return }
            let parents = model.parentNames.compactMap { names[$0] }
            parents.forEach(place)
            order.append((model, parents.map(\.entity.name).filter(placed.contains)))
            placed.insert(model.entity.name)
        }
        forEach(place)
        return order
    }
}

extension SyncedModel {
    /// The models that the foreign keys name.
    fileprivate var parentNames: [String] {
        schema.orderedFields.compactMap { field in
            if case .belongsTo = field.association { field.associatedModelName } else { nil }
        }
    }
}

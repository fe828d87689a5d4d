import HoldfastModel
import HoldfastStorage

/// The models a store was opened with, and the entities that hold their records.
struct ModelCatalog: Sendable {
    struct RegisteredModel: Sendable {
        /// `nil` where models are known by their schemas only.
        let type: (any Model.Type)?
        let schema: ModelSchema
        let entity: EntitySchema
        /// Whether the model holds the records it relates to itself.
        let isEager: Bool
        /// The relations to at most one record.
        let eagerRelations: [EagerRelation]
        /// Whether the model is hidden while some related record is not there.
        fileprivate(set) var canBeHidden = false

        /// Whether reading the model needs related records.
        var needsParents: Bool { isEager && !eagerRelations.isEmpty }
    }

    /// A relation by which a model holds records of another one itself.
    struct Holder: Sendable {
        let model: RegisteredModel
        let relation: EagerRelation

        /// The fields of the model by which the holders of a record are found.
        var fields: [String] { relation.keyColumns.map { model.entity.fields[$0].name } }

        /// Whether they are found without reading all records of the model.
        var isIndexed: Bool {
            model.entity.primaryKey.starts(with: fields)
                || model.entity.indexes.contains { $0.fields.starts(with: fields) }
        }
    }

    private let models: [ObjectIdentifier: RegisteredModel]
    private let byName: [String: RegisteredModel]
    private let parents: [String: [ForeignKey]]
    private let children: [String: [ForeignKey]]
    private let holders: [String: [Holder]]
    private let shapes: [String: RecordShape]
    /// The entities, in the order of the models.
    let entities: [EntitySchema]

    init(models types: [any Model.Type]) throws(ModelError) {
        try self.init(schemas: types.map { $0.schema }, types: types)
    }

    /// The catalog of schemas; without their types it answers by name only.
    init(schemas: [ModelSchema], types: [any Model.Type] = []) throws(ModelError) {
        var byName: [String: ModelSchema] = [:]
        for schema in schemas where byName.updateValue(schema, forKey: schema.name) != nil {
            throw ModelError(.invalidSchema, "Two models are called '\(schema.name)'.")
        }
        var models: [RegisteredModel] = []
        for (index, schema) in schemas.enumerated() {
            models.append(
                RegisteredModel(
                    type: types.isEmpty ? nil : types[index], schema: schema, entity: try schema.entity(among: byName),
                    isEager: types.isEmpty || types[index].isEager, eagerRelations: schema.eagerRelations))
        }
        let registered = Dictionary(uniqueKeysWithValues: models.map { ($0.entity.name, $0) })
        for index in models.indices { models[index].canBeHidden = Self.canBeHidden(models[index], among: registered) }
        self.models = Dictionary(uniqueKeysWithValues: zip(types.map { ObjectIdentifier($0) }, models))
        self.byName = Dictionary(uniqueKeysWithValues: models.map { ($0.entity.name, $0) })
        holders = Dictionary(
            grouping: models.filter(\.isEager).flatMap { model in
                model.eagerRelations.map { Holder(model: model, relation: $0) }
            }
        ) { $0.relation.model }
        entities = models.map(\.entity)
        (parents, children) = Self.relations(schemas, entities)
        let foreignKeys = parents
        shapes = self.byName.mapValues { model in
            RecordShape(
                model.entity,
                jointColumns: (foreignKeys[model.entity.name] ?? []).map(\.columns).filter { $0.count > 1 },
                readOnlyColumns: model.schema.orderedFields.filter(\.isReadOnly).compactMap {
                    model.entity.position(of: $0.name)
                })
        }
    }

    /// The foreign keys that an entity has.
    func foreignKeys(of child: EntitySchema) -> [ForeignKey] { parents[child.name] ?? [] }

    /// What all records of an entity have in common.
    func shape(of entity: EntitySchema) -> RecordShape { shapes[entity.name] ?? RecordShape(entity) }

    /// The foreign keys by which an entity's records belong to others; they have to lead to a record.
    func owningKeys(of child: EntitySchema) -> [ForeignKey] { foreignKeys(of: child).filter(\.isOwned) }

    /// Those owning keys of a model that it shows only through the related record: `nil` if that is not stored.
    ///
    /// The others have columns that are fields of the model, too.
    func unshownKeys(of model: RegisteredModel) -> [ForeignKey] {
        owningKeys(of: model.entity).filter { key in
            !key.columns.allSatisfy { model.schema.field(withName: model.entity.fields[$0].name) != nil }
        }
    }

    /// The foreign keys of the records that belong to those of an entity.
    func foreignKeys(to parent: EntitySchema) -> [ForeignKey] { children[parent.name] ?? [] }

    /// The relations by which models hold the records of an entity themselves.
    func holders(of entity: EntitySchema) -> [Holder] { holders[entity.name] ?? [] }

    /// The entities of the models that hold records of some entities themselves, at every depth.
    func holdingEntities(of entities: [EntitySchema]) -> [EntitySchema] {
        var found: [String: EntitySchema] = [:]
        var rest = entities
        while let next = rest.popLast() {
            for holder in holders(of: next)
            where found.updateValue(holder.model.entity, forKey: holder.model.entity.name) == nil {
                rest.append(holder.model.entity)
            }
        }
        return found.values.sorted { $0.name < $1.name }
    }

    /// Whether a record must have a parent by a foreign key to be shown.
    func isRequired(_ relation: ForeignKey) -> Bool {
        model(named: relation.child.name)?.schema.field(withName: relation.field)?.isRequired ?? false
    }

    /// The model of a name, or `nil` if the store was opened without it.
    func model(named name: String) -> RegisteredModel? { byName[name] }

    /// Whether a model, or one that it holds, requires a related record.
    private static func canBeHidden(
        _ model: RegisteredModel, among models: [String: RegisteredModel], path: Set<String> = []
    ) -> Bool {
        if !model.isEager { return false }
        // Of a model that leads back to itself only so many records are looked up.
        if path.contains(model.entity.name) { return true }
        let path = path.union([model.entity.name])
        return model.eagerRelations.contains { relation in
            let isRequired = model.schema.field(withName: relation.field)?.isRequired ?? true
            return isRequired || models[relation.model].map { canBeHidden($0, among: models, path: path) } ?? true
        }
    }

    private static func relations(
        _ schemas: [ModelSchema], _ entities: [EntitySchema]
    ) -> (parents: [String: [ForeignKey]], children: [String: [ForeignKey]]) {
        let foreignKeys = foreignKeys(schemas, entities)
        return (
            Dictionary(grouping: foreignKeys) { $0.child.name },
            Dictionary(grouping: foreignKeys.filter(\.isOwned)) { $0.parent.name }
        )
    }

    private static func foreignKeys(_ schemas: [ModelSchema], _ entities: [EntitySchema]) -> [ForeignKey] {
        let byName = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
        return zip(schemas, entities).flatMap { schema, entity in
            schema.orderedFields.compactMap { field -> ForeignKey? in
                let targetNames: [String]
                switch field.association {
                case .belongsTo: targetNames = field.columns
                case .hasOne(_, _, let names): targetNames = names
                case .hasMany, nil: return nil
                }
                let columns = targetNames.compactMap(entity.position(of:))
                guard !columns.isEmpty, columns.count == targetNames.count,
                    let parent = field.associatedModelName.flatMap({ byName[$0] }),
                    parent.primaryKey.count == columns.count
                else { return nil }
                return ForeignKey(
                    child: entity, field: field.name, columns: columns, parent: parent,
                    isOwned: field.isAssociationOwner)
            }
        }
    }

    func model<M: Model>(_ type: M.Type) throws(ModelError) -> RegisteredModel {
        guard let model = models[ObjectIdentifier(type)] else { throw ModelError.unregistered(M.modelName) }
        return model
    }

    func entity<M: Model>(of type: M.Type) throws(ModelError) -> EntitySchema {
        try model(type).entity
    }
}

import HoldfastModel
import HoldfastStorage

/// The models a store was opened with, and the entities that hold their records.
struct ModelCatalog: Sendable {
    struct RegisteredModel: Sendable {
        let type: any Model.Type
        let schema: ModelSchema
        let entity: EntitySchema
        /// Whether the model holds the records it relates to itself.
        let isEager: Bool
        /// The relations to at most one record.
        let eagerRelations: [EagerRelation]

        /// Whether reading the model needs related records.
        var needsParents: Bool { isEager && !eagerRelations.isEmpty }
    }

    private let models: [ObjectIdentifier: RegisteredModel]
    private let byName: [String: RegisteredModel]
    private let parents: [String: [ForeignKey]]
    private let children: [String: [ForeignKey]]
    /// The entities, in the order of the models.
    let entities: [EntitySchema]

    init(models types: [any Model.Type]) throws(ModelError) {
        var schemas: [String: ModelSchema] = [:]
        for type in types where schemas.updateValue(type.schema, forKey: type.schema.name) != nil {
            throw ModelError(.invalidSchema, "Two models are called '\(type.schema.name)'.")
        }
        var models: [ObjectIdentifier: RegisteredModel] = [:]
        var entities: [EntitySchema] = []
        for type in types {
            let schema = type.schema
            let entity = try schema.entity(among: schemas)
            models[ObjectIdentifier(type)] = RegisteredModel(
                type: type, schema: schema, entity: entity, isEager: type.isEager, eagerRelations: schema.eagerRelations
            )
            entities.append(entity)
        }
        self.models = models
        byName = Self.byName(models)
        self.entities = entities
        (parents, children) = Self.relations(types.map { $0.schema }, entities)
    }

    /// The foreign keys that an entity has.
    func foreignKeys(of child: EntitySchema) -> [ForeignKey] { parents[child.name] ?? [] }

    /// The foreign keys that lead to an entity.
    func foreignKeys(to parent: EntitySchema) -> [ForeignKey] { children[parent.name] ?? [] }

    /// The model of a name, or `nil` if the store was opened without it.
    func model(named name: String) -> RegisteredModel? { byName[name] }

    private static func byName(_ models: [ObjectIdentifier: RegisteredModel]) -> [String: RegisteredModel] {
        Dictionary(uniqueKeysWithValues: models.values.map { ($0.entity.name, $0) })
    }

    private static func relations(
        _ schemas: [ModelSchema], _ entities: [EntitySchema]
    ) -> (parents: [String: [ForeignKey]], children: [String: [ForeignKey]]) {
        let foreignKeys = foreignKeys(schemas, entities)
        return (
            Dictionary(grouping: foreignKeys) { $0.child.name }, Dictionary(grouping: foreignKeys) { $0.parent.name }
        )
    }

    private static func foreignKeys(_ schemas: [ModelSchema], _ entities: [EntitySchema]) -> [ForeignKey] {
        let byName = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
        return zip(schemas, entities).flatMap { schema, entity in
            schema.orderedFields.compactMap { field -> ForeignKey? in
                guard field.association != nil, !field.columns.isEmpty,
                    let parent = field.associatedModelName.flatMap({ byName[$0] })
                else { return nil }
                return ForeignKey(
                    child: entity, field: field.name, columns: field.columns.compactMap(entity.position(of:)),
                    parent: parent)
            }
        }
    }

    func model<M: Model>(_ type: M.Type) throws(ModelError) -> RegisteredModel {
        guard let model = models[ObjectIdentifier(type)] else {
            throw ModelError(
                .unregistered, "The store was opened without model '\(M.modelName)'; name it when opening.")
        }
        return model
    }

    func entity<M: Model>(of type: M.Type) throws(ModelError) -> EntitySchema {
        try model(type).entity
    }
}

import HoldfastModel
import HoldfastStorage

/// The models a store was opened with, and the entities that hold their records.
struct ModelCatalog: Sendable {
    struct RegisteredModel: Sendable {
        let schema: ModelSchema
        let entity: EntitySchema
    }

    private let models: [ObjectIdentifier: RegisteredModel]
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
            models[ObjectIdentifier(type)] = RegisteredModel(schema: schema, entity: entity)
            entities.append(entity)
        }
        self.models = models
        self.entities = entities
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

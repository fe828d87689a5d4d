import HoldfastStorage

/// The entities that the engine keeps beside those of the models.
///
/// GraphQL reserves names that begin with two underscores, so no model can have one of theirs.
enum SystemEntities {
    /// Those of a store: the settings always, the rest if mutations are recorded.
    static func entities(recordsMutations: Bool) -> [EntitySchema] {
        recordsMutations
            ? [OutboxEntry.entity, RecordMetadata.entity, ModelState.entity, Setting.entity] : [Setting.entity]
    }

    /// Whether the rows of an entity name models.
    static func speaksOfModels(_ entity: String) -> Bool {
        [OutboxEntry.entity.name, RecordMetadata.entity.name, ModelState.entity.name].contains(entity)
    }

    /// Whether an entity is one of the engine's.
    static func contains(_ entity: String) -> Bool { entity.hasPrefix("__") }
}

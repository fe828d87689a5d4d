import HoldfastStorage

/// The entities that the engine keeps beside those of the models.
///
/// GraphQL reserves names that begin with two underscores, so no model can have one of theirs.
enum SystemEntities {
    /// Those whose rows name models.
    static let ofModels = [
        OutboxEntry.entity, RecordMetadata.entity, ModelState.entity, ShelfItem.entity, DeadLetter.entity,
    ]

    /// Those of a store: the settings always, the rest if mutations are recorded.
    static func entities(recordsMutations: Bool) -> [EntitySchema] {
        recordsMutations ? ofModels + [SyncSession.entity, Setting.entity] : [Setting.entity]
    }

    /// Whether the rows of an entity name models.
    static func speaksOfModels(_ entity: String) -> Bool { ofModels.contains { $0.name == entity } }

    /// Whether an entity is one of the engine's.
    static func contains(_ entity: String) -> Bool { entity.hasPrefix("__") }
}

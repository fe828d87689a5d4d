import HoldfastStorage

extension StorageError {
    /// What an observer of an entity gets in place of changes that it cannot have.
    static func changesMissed(of entity: EntitySchema) -> StorageError {
        StorageError(
            .changesMissed,
            "Changes of '\(entity.name)' are not known one by one; query again what matters, then go on observing.")
    }
}

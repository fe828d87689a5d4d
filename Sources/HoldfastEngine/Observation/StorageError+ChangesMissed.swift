import HoldfastStorage

extension StorageError {
    /// What an observer of an entity gets in place of changes that it cannot have.
    static func changesMissed(of entity: EntitySchema) -> StorageError {
        StorageError(
            .changesMissed,
            "Individual changes of '\(entity.name)' are not known; query again, then continue observing.")
    }
}

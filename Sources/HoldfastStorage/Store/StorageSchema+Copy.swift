extension EntitySchema {
    /// The mark in the schema of a store that is being copied to, until everything is there and was compared.
    ///
    /// It holds one record, which each copy writes again when it begins. As long as the entity exists, no other schema fits
    /// the store, with any adapter.
    package static let copyMark = EntitySchema("__copy", fields: [FieldSchema("id", .string)])
}

extension StorageSchema {
    /// Whether this is the schema of a store to which a copy was begun and not finished.
    public var isUnfinishedCopy: Bool { entities.contains { $0.name == EntitySchema.copyMark.name } }

    /// Refuses a stored schema of an unfinished copy, unless the new one is that of the copy.
    func checkIsWhole(for schema: StorageSchema) throws(StorageError) {
        if isUnfinishedCopy && !schema.isUnfinishedCopy {
            throw StorageError(
                .incompatibleStore,
                "A copy to this store was begun and not finished; run it again. The store was left as it was.")
        }
    }
}

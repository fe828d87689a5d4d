/// How to open a store.
public struct OpenRequest: Sendable {
    /// The entities that the store should hold.
    public var schema: StorageSchema
    /// The migration from a stored schema that differs, or `nil` if there is none.
    ///
    /// Asked only if there is a difference, and once, unless the adapter begins again since its server went away. What it
    /// throws ends `open` with the store untouched.
    public var migration: @Sendable (_ stored: StorageSchema) throws(StorageError) -> SchemaMigration?
    /// Whether a store is created where there is none; `true` by default.
    ///
    /// Otherwise `open` then fails with ``missingStore``, and nothing is made.
    public var createsStore: Bool

    /// Creates a request; without a migration unless one is given.
    public init(
        schema: StorageSchema, createsStore: Bool = true,
        migration: @escaping @Sendable (_ stored: StorageSchema) throws(StorageError) -> SchemaMigration? = { _ in nil }
    ) {
        self.schema = schema
        self.createsStore = createsStore
        self.migration = migration
    }

    /// What `open` throws if there is no store and ``createsStore`` is `false`.
    public static var missingStore: StorageError {
        StorageError(.incompatibleStore, "There is no store at this location, and none was created; check the address.")
    }

    /// The migration to run, or `nil` if the difference must be made in place.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` listing the differences that are not additive and that no step
    ///   covers.
    public func migration(
        from stored: StorageSchema, _ change: SchemaChange
    ) throws(StorageError) -> SchemaMigration? {
        if change.differences.isEmpty { return nil }
        guard let migration = try migration(stored) else {
            if change.isAdditive { return nil }
            throw SchemaChange.mismatch(change.differences.filter { !$0.isAdditive })
        }
        try migration.check(from: stored, to: schema)
        return change.isAdditive && migration.steps.isEmpty ? nil : migration
    }
}

/// How the records of a stored schema become records of a new one, where the difference is not additive.
///
/// A value made for one pair of schemas. The adapter reads the rows of each step's source, hands them to
/// ``Step/migrate(_:)`` and stores what comes back, in one change: after an interruption the store is as before, or
/// continues where it stopped, never in between.
public struct SchemaMigration: Sendable {
    /// The way of one entity.
    public struct Step: Sendable {
        /// The stored entity whose rows are read, in the order of its fields; `nil` to begin empty.
        public let source: EntitySchema?
        /// The entity of the new schema.
        public let target: EntitySchema
        private let transform: @Sendable ([Value]) throws(StorageError) -> [Value]?
        /// What a new row may take; an adapter's limits once its ``Store`` is opened with the migration.
        fileprivate var limits = Capabilities.Limits(keyByteCount: .max, cellByteCount: .max)

        /// Creates a step.
        ///
        /// - Parameters:
        ///   - source: The stored entity to read, or `nil` to begin empty.
        ///   - target: The entity of the new schema.
        ///   - transform: A stored row in the source's order to a row in the target's order, or `nil` to drop it.
        public init(
            from source: EntitySchema?, to target: EntitySchema,
            transform: @escaping @Sendable ([Value]) throws(StorageError) -> [Value]?
        ) {
            self.source = source
            self.target = target
            self.transform = transform
        }

        /// The new row for a stored one, validated and in canonical form, or `nil` if the record is dropped.
        ///
        /// - Throws: ``StorageError`` `.unrepresentable` if the transform yields a row the target cannot hold,
        ///   `.limitExceeded` if it is beyond the limits of the adapter that is opened.
        public func migrate(_ row: [Value]) throws(StorageError) -> [Value]? {
            guard let transformed = try transform(row) else { return nil }
            return try target.canonicalIfOther(transformed, limits: limits) ?? transformed
        }
    }

    /// How far a migration has come.
    public struct Progress: Sendable, Hashable {
        /// The entity in progress.
        public var entity: String
        /// Records of the entity read so far.
        public var recordCount: Int

        /// Creates a report.
        public init(entity: String, recordCount: Int) {
            self.entity = entity
            self.recordCount = recordCount
        }
    }

    /// The entities that are rebuilt, in the order in which it is done; all others must differ additively at most.
    public var steps: [Step]
    /// Stored entities that the new schema lacks and whose records are given up.
    public var removedEntities: Set<String>
    /// Called now and then, from any thread.
    public var progress: (@Sendable (Progress) -> Void)?

    /// Creates a migration.
    ///
    /// - Parameters:
    ///   - steps: The entities that are rebuilt; a stored entity that one reads and the new schema lacks is given up.
    ///   - removedEntities: Stored entities that are given up without being read.
    ///   - progress: Called now and then, from any thread.
    public init(
        steps: [Step], removedEntities: Set<String> = [], progress: (@Sendable (Progress) -> Void)? = nil
    ) {
        self.steps = steps
        self.removedEntities = removedEntities
        self.progress = progress
    }

    /// The step that builds an entity of the new schema, or `nil` if its records stay where they are.
    public func step(for entity: String) -> Step? { steps.first { $0.target.name == entity } }

    /// The same migration, whose steps yield nothing beyond some limits.
    func limited(to limits: Capabilities.Limits) -> SchemaMigration {
        var migration = self
        for index in migration.steps.indices { migration.steps[index].limits = limits }
        return migration
    }

    /// Checks that the migration leads from one schema to the other.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` listing the differences that no step covers.
    public func check(from old: StorageSchema, to new: StorageSchema) throws(StorageError) {
        let covered = Set(steps.map(\.target.name))
        let sources = Set(steps.compactMap(\.source?.name))
        let open = SchemaChange(from: old, to: new).differences.filter { difference in
            switch difference {
            case .entityRemoved(let name): !sources.contains(name) && !removedEntities.contains(name)
            default: !difference.isAdditive && !covered.contains(difference.entity)
            }
        }
        if !open.isEmpty { throw SchemaChange.mismatch(open) }
    }
}

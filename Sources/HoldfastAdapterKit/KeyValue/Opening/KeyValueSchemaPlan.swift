internal import HoldfastStorage

/// How a catalog becomes another: the one to come, and what has to be built for it.
struct KeyValueSchemaPlan {
    /// Records read from one table, and what is made of each in another.
    struct Build {
        let source: KeyValueTable
        /// Where records go, or, without a step, with the indexes that get entries.
        let target: KeyValueTable
        /// `nil` if only indexes are made.
        let step: SchemaMigration.Step?
    }

    /// The catalog to come; its garbage is what is dropped.
    private(set) var next: KeyValueCatalog
    private(set) var builds: [Build] = []
    /// The spaces that are filled before the catalog names them.
    private(set) var filled: [KeyValueCatalog.Space] = []
    private let old: KeyValueCatalog
    private let hasIndexes: Bool

    init(_ catalog: KeyValueCatalog, hasIndexes: Bool) {
        old = catalog
        self.hasIndexes = hasIndexes
        next = catalog
    }

    /// Plans the steps of a migration.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.schemaMismatch` if a step reads an entity that is not stored.
    mutating func run(_ migration: SchemaMigration, to schema: StorageSchema) throws(StorageError) {
        let wanted = Set(schema.entities.map(\.name))
        let rebuilt = Set(migration.steps.map(\.target.name))
        next.entities.removeAll { entity in
            let isObsolete = rebuilt.contains(entity.name) || !wanted.contains(entity.name)
            if isObsolete { next.garbage += entity.spaces }
            return isObsolete
        }
        for step in migration.steps {
            let entity = next.makeEntity(step.target)
            next.entities.append(entity)
            filled += entity.spaces
            guard let source = step.source else { continue }
            guard let stored = old.entity(named: source.name) else { throw StorageError.unknownEntity(source.name) }
            let unindexed = EntitySchema(source.name, fields: source.fields, primaryKey: source.primaryKey)
            builds.append(
                Build(
                    source: try KeyValueTable(unindexed, stored: stored, hasIndexes: hasIndexes),
                    target: try KeyValueTable(step.target, stored: entity, hasIndexes: hasIndexes),
                    step: step))
        }
    }

    /// Plans additive changes.
    mutating func add(_ change: SchemaChange, to schema: StorageSchema) throws(StorageError) {
        for difference in change.differences {
            let wanted = try schema.entity(named: difference.entity)
            switch difference {
            case .entityAdded: next.entities.append(next.makeEntity(wanted))
            case .fieldAdded(let entity, let field, _):
                guard let field = wanted.field(named: field) else { continue }
                next.update(entity) { $0.fields.append(KeyValueCatalog.Field(field)) }
            case .indexRemoved(let entity, let name): drop(name, of: entity)
            case .versionOrderRemoved(let entity): drop(IndexSchema.versionOrder.name, of: entity)
            default: break
            }
        }
        // An index that differs is removed before it is added; and it may need a field that is new.
        for difference in change.differences {
            switch difference {
            case .indexAdded(let entity, let name): try make(name, of: try schema.entity(named: entity))
            case .versionOrderAdded(let entity):
                try make(IndexSchema.versionOrder.name, of: try schema.entity(named: entity))
            default: break
            }
        }
    }

    private mutating func drop(_ index: String, of entity: String) {
        let spaces = next.entity(named: entity)?.indexes.filter { $0.schema.name == index }.map(\.space)
        next.garbage += spaces ?? []
        next.update(entity) { $0.indexes.removeAll { $0.schema.name == index } }
    }

    private mutating func make(_ name: String, of entity: EntitySchema) throws(StorageError) {
        for schema in entity.catalogIndexes where schema.name == name {
            let index = next.makeIndex(schema)
            next.update(entity.name) { $0.indexes.append(index) }
            filled.append(index.space)
            guard hasIndexes || schema.isVersionOrder, let stored = next.entity(named: entity.name) else { continue }
            let only = EntitySchema(
                entity.name, fields: entity.fields, primaryKey: entity.primaryKey, catalogIndexes: [schema])
            let table = try KeyValueTable(only, stored: stored, hasIndexes: hasIndexes)
            builds.append(Build(source: table, target: table, step: nil))
        }
    }
}

extension KeyValueCatalog {
    fileprivate mutating func update(_ entity: String, _ body: (inout Entity) -> Void) {
        guard let position = entities.firstIndex(where: { $0.name == entity }) else { return }
        body(&entities[position])
    }
}

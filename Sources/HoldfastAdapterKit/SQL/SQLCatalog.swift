package import HoldfastStorage

/// What a store in an SQL database holds and under which native names, as its catalog tables keep it.
package struct SQLCatalog: Sendable {
    package struct Field: Sendable {
        package var name: String
        package var type: StorageType
        package var isRequired: Bool
        package var column: String
        /// The column that holds how dates and times were written.
        package var tailColumn: String?

        package init(name: String, type: StorageType, isRequired: Bool, column: String, tailColumn: String? = nil) {
            self.name = name
            self.type = type
            self.isRequired = isRequired
            self.column = column
            self.tailColumn = tailColumn
        }
    }

    package struct Index: Sendable {
        package var schema: IndexSchema
        package var nativeName: String

        package init(schema: IndexSchema, nativeName: String) {
            self.schema = schema
            self.nativeName = nativeName
        }
    }

    package struct Entity: Sendable {
        /// Never given to another entity, in stores that keep it.
        package var number: Int64
        package var name: String
        package var table: String
        /// The database's own number of the table; 0 if it is not known.
        package var tableNumber: UInt32 = 0
        package var versionColumn: String
        package var primaryKey: [String]
        package var fields: [Field] = []
        package var indexes: [Index] = []

        package init(number: Int64 = 0, name: String, table: String, versionColumn: String, primaryKey: [String]) {
            self.number = number
            self.name = name
            self.table = table
            self.versionColumn = versionColumn
            self.primaryKey = primaryKey
        }

        /// The quoted columns of the order by version.
        package var versionOrderColumns: [String] {
            [versionColumn.quotedIdentifier] + primaryKey.compactMap { field(named: $0)?.column.quotedIdentifier }
        }

        package func field(named name: String) -> Field? { fields.first { $0.name == name } }
    }

    package var entities: [Entity] = []
    /// The number of the next entity.
    package var nextNumber: Int64 = 1
    /// How many migrations the store has had; an additive change counts if it drops a unique index.
    package var migrationCount: Int64 = 0
    private let naming: SQLNaming

    /// Creates the catalog of an empty store.
    package init(naming: SQLNaming) { self.naming = naming }

    package func entity(named name: String) -> Entity? { entities.first { $0.name == name } }

    /// The stored schema, every type as a representative of its storage type.
    package func schema() throws(StorageError) -> StorageSchema {
        try StorageSchema(
            entities: entities.map { entity in
                EntitySchema(
                    entity.name,
                    fields: entity.fields.map {
                        FieldSchema($0.name, $0.type.representativeFieldType, isRequired: $0.isRequired)
                    },
                    primaryKey: entity.primaryKey, catalogIndexes: entity.indexes.map(\.schema))
            })
    }

    // MARK: - Changes

    /// Adds an entity without indexes.
    package mutating func add(_ schema: EntitySchema) -> Entity {
        var entity = Entity(
            number: nextNumber, name: schema.name, table: freeObjectName(schema.name),
            versionColumn: "holdfast_version", primaryKey: schema.primaryKey)
        nextNumber += 1
        for field in schema.fields {
            entity.fields.append(
                Field(
                    name: field.name, type: field.type.storageType, isRequired: field.isRequired,
                    column: freeColumn(field.name, in: entity)))
        }
        for index in entity.fields.indices where entity.fields[index].type.hasTail {
            entity.fields[index].tailColumn = freeColumn(entity.fields[index].name + "_tail", in: entity)
        }
        entities.append(entity)
        return entity
    }

    /// Adds a field to an entity.
    package mutating func add(_ schema: FieldSchema, to entityName: String) -> Field? {
        guard let position = entities.firstIndex(where: { $0.name == entityName }) else { return nil }
        var field = Field(
            name: schema.name, type: schema.type.storageType, isRequired: schema.isRequired,
            column: freeColumn(schema.name, in: entities[position]))
        entities[position].fields.append(field)
        if field.type.hasTail {
            field.tailColumn = freeColumn(schema.name + "_tail", in: entities[position])
            entities[position].fields[entities[position].fields.count - 1] = field
        }
        return field
    }

    /// Adds an index to an entity.
    package mutating func add(_ schema: IndexSchema, to entityName: String) -> Index? {
        guard let position = entities.firstIndex(where: { $0.name == entityName }) else { return nil }
        let index = Index(
            schema: schema,
            nativeName: freeObjectName("\(entityName)_\(schema.isVersionOrder ? "version" : schema.name)"))
        entities[position].indexes.append(index)
        return index
    }

    /// Removes an entity.
    package mutating func removeEntity(_ name: String) -> Entity? {
        guard let position = entities.firstIndex(where: { $0.name == name }) else { return nil }
        return entities.remove(at: position)
    }

    /// Removes an index.
    package mutating func removeIndex(_ name: String, from entityName: String) -> Index? {
        guard let position = entities.firstIndex(where: { $0.name == entityName }),
            let index = entities[position].indexes.firstIndex(where: { $0.schema.name == name })
        else { return nil }
        return entities[position].indexes.remove(at: index)
    }

    // MARK: - Native names

    private func freeObjectName(_ wanted: String) -> String {
        naming.freeObjectName(wanted, beside: entities.flatMap { [$0.table] + $0.indexes.map(\.nativeName) })
    }

    private func freeColumn(_ wanted: String, in entity: Entity) -> String {
        let used = entity.fields.flatMap { [$0.column, $0.tailColumn].compactMap(\.self) }
        return naming.freeColumn(wanted, beside: used + [entity.versionColumn])
    }

    // MARK: - Reading

    /// A list of names that a catalog table keeps.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.corruption` if it is not a list of names.
    package static func names(_ list: [Value]?) throws(StorageError) -> [String] {
        var names: [String] = []
        for value in list ?? [.null] {
            guard case .text(let name) = value else { throw StorageError.damagedCatalog() }
            names.append(name)
        }
        return names
    }
}

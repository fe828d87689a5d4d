#if SQLite
    internal import HoldfastAdapterKit
    internal import HoldfastStorage

    /// What the store holds and under which native names, as its catalog tables keep it.
    ///
    /// SQLite folds the case of names and keeps some for itself, so tables, columns and indexes get the plain name where
    /// it is free and one with a number otherwise.
    struct SQLiteCatalog: Sendable {
        struct Field: Sendable {
            var name: String
            var type: StorageType
            var isRequired: Bool
            var column: String
            var tailColumn: String?
        }

        struct Index: Sendable {
            var schema: IndexSchema
            var nativeName: String
        }

        struct Entity: Sendable {
            var name: String
            var table: String
            var versionColumn: String
            var primaryKey: [String]
            var fields: [Field]
            var indexes: [Index]

            func field(named name: String) -> Field? {
                fields.first { $0.name == name }
            }
        }

        var entities: [Entity] = []

        func entity(named name: String) -> Entity? {
            entities.first { $0.name == name }
        }

        /// The stored schema, every type as a representative of its storage type.
        func schema() throws(StorageError) -> StorageSchema {
            try StorageSchema(
                entities: entities.map { entity in
                    EntitySchema(
                        entity.name,
                        fields: entity.fields.map {
                            FieldSchema($0.name, $0.type.representativeFieldType, isRequired: $0.isRequired)
                        },
                        primaryKey: entity.primaryKey, indexes: entity.indexes.map(\.schema))
                })
        }

        // MARK: - Native names

        private func freeObjectName(_ wanted: String) -> String {
            var used: Set<[UInt8]> = []
            for entity in entities {
                used.insert(entity.table.foldedIdentifier)
                for index in entity.indexes { used.insert(index.nativeName.foldedIdentifier) }
            }
            let isReserved = ["sqlite_", "holdfast_"].contains { wanted.foldedIdentifier.starts(with: $0.utf8) }
            return Self.freeName(isReserved ? "entity_" + wanted : wanted, used: used)
        }

        private static func freeName(_ wanted: String, used: Set<[UInt8]>) -> String {
            var name = wanted
            var number = 2
            while used.contains(name.foldedIdentifier) {
                name = "\(wanted)_\(number)"
                number += 1
            }
            return name
        }

        private static func usedColumns(_ entity: Entity) -> Set<[UInt8]> {
            var used: Set = [entity.versionColumn.foldedIdentifier]
            for field in entity.fields {
                used.insert(field.column.foldedIdentifier)
                if let tail = field.tailColumn { used.insert(tail.foldedIdentifier) }
            }
            return used
        }

        /// Adds an entity without indexes.
        mutating func add(_ schema: EntitySchema) -> Entity {
            var entity = Entity(
                name: schema.name, table: freeObjectName(schema.name), versionColumn: "holdfast_version",
                primaryKey: schema.primaryKey, fields: [], indexes: [])
            for field in schema.fields {
                let column = Self.freeName(field.name, used: Self.usedColumns(entity))
                entity.fields.append(
                    Field(
                        name: field.name, type: field.type.storageType, isRequired: field.isRequired, column: column))
            }
            for index in entity.fields.indices where entity.fields[index].type.hasTail {
                entity.fields[index].tailColumn = Self.freeName(
                    entity.fields[index].name + "_tail", used: Self.usedColumns(entity))
            }
            entities.append(entity)
            return entity
        }

        /// Adds a field to an entity.
        mutating func add(_ schema: FieldSchema, to entityName: String) -> Field? {
            guard let position = entities.firstIndex(where: { $0.name == entityName }) else { return nil }
            var field = Field(
                name: schema.name, type: schema.type.storageType, isRequired: schema.isRequired,
                column: Self.freeName(schema.name, used: Self.usedColumns(entities[position])))
            entities[position].fields.append(field)
            if field.type.hasTail {
                field.tailColumn = Self.freeName(schema.name + "_tail", used: Self.usedColumns(entities[position]))
                entities[position].fields[entities[position].fields.count - 1] = field
            }
            return field
        }

        /// Adds an index to an entity.
        mutating func add(_ schema: IndexSchema, to entityName: String) -> Index? {
            guard let position = entities.firstIndex(where: { $0.name == entityName }) else { return nil }
            let index = Index(schema: schema, nativeName: freeObjectName("\(entityName)_\(schema.name)"))
            entities[position].indexes.append(index)
            return index
        }

        /// Removes an entity.
        mutating func removeEntity(_ name: String) -> Entity? {
            guard let position = entities.firstIndex(where: { $0.name == name }) else { return nil }
            return entities.remove(at: position)
        }

        /// Removes an index.
        mutating func removeIndex(_ name: String, from entityName: String) -> Index? {
            guard let position = entities.firstIndex(where: { $0.name == entityName }),
                let index = entities[position].indexes.firstIndex(where: { $0.schema.name == name })
            else { return nil }
            return entities[position].indexes.remove(at: index)
        }
    }

    // MARK: - Reading and writing

    extension SQLiteCatalog {
        /// The tables that hold the catalog; made to be read by people too.
        static let tables = [
            """
            CREATE TABLE holdfast_store(
                id INTEGER PRIMARY KEY CHECK (id = 1),
                sequence INTEGER NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE holdfast_entity(
                name TEXT NOT NULL PRIMARY KEY,
                position INTEGER NOT NULL,
                native_table TEXT NOT NULL,
                version_column TEXT NOT NULL,
                primary_key TEXT NOT NULL,
                last_deletion INTEGER NOT NULL DEFAULT 0
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE holdfast_field(
                entity TEXT NOT NULL,
                name TEXT NOT NULL,
                position INTEGER NOT NULL,
                type TEXT NOT NULL,
                is_required INTEGER NOT NULL,
                native_column TEXT NOT NULL,
                tail_column TEXT,
                PRIMARY KEY (entity, name)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE holdfast_index(
                entity TEXT NOT NULL,
                name TEXT NOT NULL,
                position INTEGER NOT NULL,
                fields TEXT NOT NULL,
                is_unique INTEGER NOT NULL,
                native_index TEXT NOT NULL,
                PRIMARY KEY (entity, name)
            ) STRICT, WITHOUT ROWID
            """,
        ]

        /// Reads the catalog of a store.
        init(reading connection: SQLiteConnection) throws(StorageError) {
            var entities: [Entity] = []
            try connection.forEachRow(
                "SELECT name, native_table, version_column, primary_key FROM holdfast_entity ORDER BY position"
            ) { row throws(StorageError) in
                entities.append(
                    Entity(
                        name: row.text(0), table: row.text(1), versionColumn: row.text(2),
                        primaryKey: try Self.names(row.utf8(3)), fields: [], indexes: []))
            }
            for position in entities.indices {
                try Self.readFields(of: &entities[position], connection)
                try Self.readIndexes(of: &entities[position], connection)
            }
            self.entities = entities
        }

        private static func readFields(of entity: inout Entity, _ connection: SQLiteConnection) throws(StorageError) {
            var fields: [Field] = []
            try connection.forEachRow(
                """
                SELECT name, type, is_required, native_column, tail_column FROM holdfast_field
                WHERE entity = ? ORDER BY position
                """, [.text(entity.name)]
            ) { row throws(StorageError) in
                guard let type = StorageType(catalogName: row.text(1)[...]) else { throw malformed() }
                fields.append(
                    Field(
                        name: row.text(0), type: type, isRequired: row.integer(2) != 0, column: row.text(3),
                        tailColumn: row.isNull(4) ? nil : row.text(4)))
            }
            entity.fields = fields
        }

        private static func readIndexes(of entity: inout Entity, _ connection: SQLiteConnection) throws(StorageError) {
            var indexes: [Index] = []
            try connection.forEachRow(
                "SELECT name, fields, is_unique, native_index FROM holdfast_index WHERE entity = ? ORDER BY position",
                [.text(entity.name)]
            ) { row throws(StorageError) in
                let schema = IndexSchema(row.text(0), on: try names(row.utf8(1)), isUnique: row.integer(2) != 0)
                indexes.append(Index(schema: schema, nativeName: row.text(3)))
            }
            entity.indexes = indexes
        }

        private static func names(_ json: UnsafeBufferPointer<UInt8>) throws(StorageError) -> [String] {
            let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
            guard let values = SQLiteListCodec.decode(json, tails: none, of: .text) else { throw malformed() }
            var names: [String] = []
            for value in values {
                guard case .text(let name) = value else { throw malformed() }
                names.append(name)
            }
            return names
        }

        private static func malformed() -> StorageError {
            StorageError(.corruption, "The store's catalog is damaged; restore it from a backup.")
        }

        /// A list of names as the catalog keeps it.
        static func text(_ names: [String]) -> String { SQLiteListCodec.json(names.map { .text($0) }) }
    }
#endif

#if PostgreSQL
    internal import HoldfastAdapterKit
    internal import HoldfastStorage

    /// What the store holds and under which native names, as its catalog tables keep it.
    ///
    /// PostgreSQL cuts names after 63 bytes and keeps some for itself, so tables, columns and indexes get the plain name
    /// where it is free and short enough, and a shorter one with a number otherwise.
    struct PostgreSQLCatalog: Sendable {
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
            /// Never given to another entity.
            var number: Int64
            var name: String
            var table: String
            var versionColumn: String
            var primaryKey: [String]
            var fields: [Field]
            var indexes: [Index]

            /// The native name of the primary key.
            var keyName: String { "holdfast_key_\(number)" }

            func field(named name: String) -> Field? { fields.first { $0.name == name } }
        }

        var entities: [Entity] = []
        /// The number of the next entity.
        var nextNumber: Int64 = 1

        func entity(named name: String) -> Entity? { entities.first { $0.name == name } }

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

        private static let maximumNameByteCount = 63

        private func freeObjectName(_ wanted: String) -> String {
            var used: Set<String> = []
            for entity in entities {
                used.insert(Self.key(entity.table))
                for index in entity.indexes { used.insert(Self.key(index.nativeName)) }
            }
            return Self.freeName(wanted.hasPrefix("holdfast_") ? "entity_" + wanted : wanted, used: used)
        }

        /// Swift takes texts for equal that PostgreSQL tells apart, so names are compared by their bytes.
        private static func key(_ name: String) -> String {
            name.utf8.map { String($0) }.joined(separator: ",")
        }

        private static func freeName(_ wanted: String, used: Set<String>) -> String {
            var name = cut(wanted, to: maximumNameByteCount)
            var number = 2
            while used.contains(key(name)) {
                let suffix = "_\(number)"
                name = cut(wanted, to: maximumNameByteCount - suffix.utf8.count) + suffix
                number += 1
            }
            return name
        }

        /// The beginning of a name in at most so many bytes.
        private static func cut(_ name: String, to byteCount: Int) -> String {
            var result = String.UnicodeScalarView()
            var count = 0
            for scalar in name.unicodeScalars {
                count += UTF8.width(scalar)
                if count > byteCount { break }
                result.append(scalar)
            }
            return String(result)
        }

        /// Columns that every table has already.
        private static let systemColumns: Set<String> = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid", "oid"]

        private static func usedColumns(_ entity: Entity) -> Set<String> {
            var used: Set = [key(entity.versionColumn)]
            for field in entity.fields {
                used.insert(key(field.column))
                if let tail = field.tailColumn { used.insert(key(tail)) }
            }
            return used
        }

        private static func freeColumn(_ wanted: String, in entity: Entity) -> String {
            freeName(systemColumns.contains(wanted) ? "field_" + wanted : wanted, used: usedColumns(entity))
        }

        /// Adds an entity without indexes.
        mutating func add(_ schema: EntitySchema) -> Entity {
            var entity = Entity(
                number: nextNumber, name: schema.name, table: freeObjectName(schema.name),
                versionColumn: "holdfast_version", primaryKey: schema.primaryKey, fields: [], indexes: [])
            nextNumber += 1
            for field in schema.fields {
                entity.fields.append(
                    Field(
                        name: field.name, type: field.type.storageType, isRequired: field.isRequired,
                        column: Self.freeColumn(field.name, in: entity)))
            }
            for index in entity.fields.indices where entity.fields[index].type.hasTail {
                entity.fields[index].tailColumn = Self.freeColumn(entity.fields[index].name + "_tail", in: entity)
            }
            entities.append(entity)
            return entity
        }

        /// Adds a field to an entity.
        mutating func add(_ schema: FieldSchema, to entityName: String) -> Field? {
            guard let position = entities.firstIndex(where: { $0.name == entityName }) else { return nil }
            var field = Field(
                name: schema.name, type: schema.type.storageType, isRequired: schema.isRequired,
                column: Self.freeColumn(schema.name, in: entities[position]))
            entities[position].fields.append(field)
            if field.type.hasTail {
                field.tailColumn = Self.freeColumn(schema.name + "_tail", in: entities[position])
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

    extension PostgreSQLCatalog {
        /// The tables that hold the catalog and the history; made to be read by people too.
        ///
        /// - Parameter schema: The quoted name of the store's schema.
        static func tables(in schema: String) -> [String] {
            [
                """
                CREATE TABLE \(schema).holdfast_store (
                    id integer PRIMARY KEY CHECK (id = 1),
                    format integer NOT NULL,
                    sequence_base bigint NOT NULL,
                    next_entity bigint NOT NULL,
                    change_log_count bigint NOT NULL DEFAULT 0,
                    forgotten_through bigint NOT NULL DEFAULT 0
                )
                """,
                """
                CREATE TABLE \(schema).holdfast_commit (
                    sequence bigint NOT NULL CONSTRAINT holdfast_commit_sequence PRIMARY KEY,
                    token bytea NOT NULL CONSTRAINT holdfast_commit_token UNIQUE,
                    put_count bigint NOT NULL,
                    changes bytea,
                    committed_at timestamp with time zone NOT NULL DEFAULT now()
                )
                """,
                """
                CREATE TABLE \(schema).holdfast_deletion (
                    entity bigint NOT NULL,
                    sequence bigint NOT NULL,
                    record_count bigint NOT NULL
                )
                """,
                "CREATE INDEX holdfast_deletion_entity ON \(schema).holdfast_deletion (entity, sequence)",
                """
                CREATE TABLE \(schema).holdfast_entity (
                    number bigint NOT NULL PRIMARY KEY,
                    name text COLLATE "C" NOT NULL UNIQUE,
                    native_table text COLLATE "C" NOT NULL,
                    version_column text COLLATE "C" NOT NULL,
                    primary_key text[] COLLATE "C" NOT NULL
                )
                """,
                """
                CREATE TABLE \(schema).holdfast_field (
                    entity bigint NOT NULL REFERENCES \(schema).holdfast_entity ON DELETE CASCADE,
                    name text COLLATE "C" NOT NULL,
                    position bigint NOT NULL,
                    type text NOT NULL,
                    is_required boolean NOT NULL,
                    native_column text COLLATE "C" NOT NULL,
                    tail_column text COLLATE "C",
                    PRIMARY KEY (entity, name)
                )
                """,
                """
                CREATE TABLE \(schema).holdfast_index (
                    entity bigint NOT NULL REFERENCES \(schema).holdfast_entity ON DELETE CASCADE,
                    name text COLLATE "C" NOT NULL,
                    position bigint NOT NULL,
                    fields text[] COLLATE "C" NOT NULL,
                    is_unique boolean NOT NULL,
                    native_index text COLLATE "C" NOT NULL,
                    PRIMARY KEY (entity, name)
                )
                """,
            ]
        }

        /// Reads the catalog of a store.
        ///
        /// - Parameter schema: The quoted name of the store's schema.
        init(reading connection: PostgreSQLConnection, schema: String) throws(PostgreSQLStoreFailure) {
            let results = try connection.perform([
                PostgreSQLCommand("SELECT next_entity FROM \(schema).holdfast_store"),
                PostgreSQLCommand(
                    "SELECT number, name, native_table, version_column, primary_key "
                        + "FROM \(schema).holdfast_entity ORDER BY number"),
                PostgreSQLCommand(
                    "SELECT entity, name, type, is_required, native_column, tail_column "
                        + "FROM \(schema).holdfast_field ORDER BY entity, position"),
                PostgreSQLCommand(
                    "SELECT entity, name, fields, is_unique, native_index "
                        + "FROM \(schema).holdfast_index ORDER BY entity, position"),
            ])
            do {
                if results[0].rowCount == 1 { nextNumber = results[0].integer(0, 0) }
                try read(entities: results[1], fields: results[2], indexes: results[3])
            } catch {
                throw PostgreSQLStoreFailure(error)
            }
        }

        private mutating func read(
            entities: PostgreSQLResult, fields: PostgreSQLResult, indexes: PostgreSQLResult
        ) throws(StorageError) {
            var places: [Int64: Int] = [:]
            for row in 0..<entities.rowCount {
                places[entities.integer(row, 0)] = row
                self.entities.append(
                    Entity(
                        number: entities.integer(row, 0), name: entities.text(row, 1), table: entities.text(row, 2),
                        versionColumn: entities.text(row, 3), primaryKey: try Self.names(entities, row, 4),
                        fields: [], indexes: []))
            }
            for row in 0..<fields.rowCount {
                guard let place = places[fields.integer(row, 0)],
                    let type = StorageType(catalogName: fields.text(row, 2)[...])
                else { throw Self.malformed() }
                self.entities[place].fields.append(
                    Field(
                        name: fields.text(row, 1), type: type, isRequired: fields.boolean(row, 3),
                        column: fields.text(row, 4),
                        tailColumn: fields.isNull(row, 5) ? nil : fields.text(row, 5)))
            }
            for row in 0..<indexes.rowCount {
                guard let place = places[indexes.integer(row, 0)] else { throw Self.malformed() }
                let schema = IndexSchema(
                    indexes.text(row, 1), on: try Self.names(indexes, row, 2), isUnique: indexes.boolean(row, 3))
                self.entities[place].indexes.append(Index(schema: schema, nativeName: indexes.text(row, 4)))
            }
        }

        private static func names(
            _ result: PostgreSQLResult, _ row: Int, _ column: Int
        ) throws(StorageError) -> [String] {
            guard case .list(let values) = try PostgreSQLRowLayout.value(.list(.text), result, row, column) else {
                throw malformed()
            }
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
    }
#endif

#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Creates and changes the tables of a store; runs inside a transaction of its caller.
struct PostgreSQLSchemaWriter {
    let connection: PostgreSQLConnection
    /// The plain name of the store's schema.
    let schemaName: String
    var catalog: PostgreSQLCatalog

    /// The quoted name of the store's schema.
    var schema: String { schemaName.quotedIdentifier }

    func execute(
        _ sql: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters()
    ) throws(PostgreSQLStoreFailure) {
        _ = try connection.perform([PostgreSQLCommand(sql, parameters, isKept: false)])
    }

    /// Creates the catalog of an empty store.
    func createCatalog() throws(PostgreSQLStoreFailure) {
        for table in PostgreSQLCatalog.tables(in: schema) { try execute(table) }
        try execute("INSERT INTO \(schema).holdfast_store VALUES (1, \(PostgreSQLOpening.formatVersion), 0, 1)")
    }

    /// Remembers which number the next entity gets.
    func saveCounter() throws(PostgreSQLStoreFailure) {
        try execute("UPDATE \(schema).holdfast_store SET next_entity = \(catalog.nextNumber)")
    }

    /// Makes additive differences in place.
    mutating func apply(_ change: SchemaChange, to schema: StorageSchema) throws(PostgreSQLStoreFailure) {
        for difference in change.differences {
            if case .indexRemoved(let entity, let index) = difference { try drop(index, of: entity) }
        }
        for difference in change.differences {
            switch difference {
            case .entityAdded(let name):
                try create(PostgreSQLStoreFailure.of { () throws(StorageError) in try schema.entity(named: name) })
            case .fieldAdded(let entity, let field, _):
                let entitySchema = try PostgreSQLStoreFailure.of { () throws(StorageError) in
                    try schema.entity(named: entity)
                }
                if let field = entitySchema.field(named: field) { try add(field, to: entity) }
            default: break
            }
        }
        for difference in change.differences {
            guard case .indexAdded(let entity, let name) = difference else { continue }
            let entitySchema = try PostgreSQLStoreFailure.of { () throws(StorageError) in
                try schema.entity(named: entity)
            }
            for index in entitySchema.indexes where index.name == name { try create(index, of: entity) }
        }
    }

    private mutating func create(_ schema: EntitySchema) throws(PostgreSQLStoreFailure) {
        let entity = catalog.add(schema)
        try createTable(of: entity, named: entity.table)
        try record(entity)
        for index in schema.indexes { try create(index, of: entity.name) }
    }

    /// Creates the table of an entity, without its indexes.
    func createTable(of entity: PostgreSQLCatalog.Entity, named name: String) throws(PostgreSQLStoreFailure) {
        var columns: [String] = []
        for field in entity.fields {
            columns.append(Self.declaration(field))
            if let tail = Self.tailDeclaration(field) { columns.append(tail) }
        }
        columns.append("\(entity.versionColumn.quotedIdentifier) bigint NOT NULL")
        if columns.count > 1_600 {
            throw PostgreSQLStoreFailure(
                StorageError(
                    .limitExceeded,
                    "Entity '\(entity.name)' needs \(columns.count) columns; PostgreSQL allows 1600."
                ))
        }
        if entity.primaryKey.count > 32 { throw Self.tooManyKeyFields("The primary key of '\(entity.name)'") }
        let key = entity.primaryKey.compactMap { entity.field(named: $0)?.column.quotedIdentifier }
        columns.append("CONSTRAINT \(entity.keyName) PRIMARY KEY (\(key.joined(separator: ", ")))")
        try execute("CREATE TABLE \(schema).\(name.quotedIdentifier) (\(columns.joined(separator: ", ")))")
    }

    private static func tooManyKeyFields(_ subject: String) -> PostgreSQLStoreFailure {
        PostgreSQLStoreFailure(
            StorageError(.limitExceeded, "\(subject) has more than the 32 fields that PostgreSQL allows."))
    }

    /// Writes an entity, without its indexes, into the catalog.
    func record(_ entity: PostgreSQLCatalog.Entity) throws(PostgreSQLStoreFailure) {
        var parameters = PostgreSQLParameters()
        parameters.append(entity.number)
        parameters.append(entity.name)
        parameters.append(entity.table)
        parameters.append(entity.versionColumn)
        parameters.append(entity.primaryKey.map { Optional($0) })
        try execute("INSERT INTO \(schema).holdfast_entity VALUES ($1, $2, $3, $4, $5)", parameters)
        for (position, field) in entity.fields.enumerated() {
            try record(field, of: entity.number, position: position)
        }
    }

    private mutating func add(_ field: FieldSchema, to entityName: String) throws(PostgreSQLStoreFailure) {
        guard let field = catalog.add(field, to: entityName), let entity = catalog.entity(named: entityName)
        else { return }
        let alter = "ALTER TABLE \(schema).\(entity.table.quotedIdentifier) ADD COLUMN "
        try execute(alter + Self.declaration(field))
        if let tail = Self.tailDeclaration(field) { try execute(alter + tail) }
        try record(field, of: entity.number, position: entity.fields.count - 1)
    }

    private func record(
        _ field: PostgreSQLCatalog.Field, of entity: Int64, position: Int
    ) throws(PostgreSQLStoreFailure) {
        var parameters = PostgreSQLParameters()
        parameters.append(entity)
        parameters.append(field.name)
        parameters.append(Int64(position))
        parameters.append(field.type.catalogName)
        parameters.append(.boolean(field.isRequired), as: .boolean)
        parameters.append(field.column)
        parameters.append(field.tailColumn.map { .text($0) } ?? .null, as: .text)
        try execute("INSERT INTO \(schema).holdfast_field VALUES ($1, $2, $3, $4, $5, $6, $7)", parameters)
    }

    private static func declaration(_ field: PostgreSQLCatalog.Field) -> String {
        "\(field.column.quotedIdentifier) \(field.type.postgreSQLColumnType)"
            + (field.isRequired ? " NOT NULL" : "")
    }

    private static func tailDeclaration(_ field: PostgreSQLCatalog.Field) -> String? {
        field.tailColumn.map { "\($0.quotedIdentifier) text COLLATE \"C\"" + (field.isRequired ? " NOT NULL" : "") }
    }

    mutating func create(_ index: IndexSchema, of entityName: String) throws(PostgreSQLStoreFailure) {
        guard let native = catalog.add(index, to: entityName), let entity = catalog.entity(named: entityName)
        else { return }
        if index.fields.count > 32 { throw Self.tooManyKeyFields("Index '\(index.name)' of '\(entityName)'") }
        let columns = index.fields.compactMap { name in
            entity.field(named: name).map { $0.column.quotedIdentifier + ($0.isRequired ? "" : " NULLS FIRST") }
        }
        do throws(PostgreSQLStoreFailure) {
            try execute(
                "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(native.nativeName.quotedIdentifier)"
                    + " ON \(schema).\(entity.table.quotedIdentifier) (\(columns.joined(separator: ", ")))")
        } catch {
            guard error.native?.isUniqueViolation == true else { throw error }
            throw PostgreSQLStoreFailure(
                StorageError(
                    .schemaMismatch,
                    "Unique index '\(index.name)' of '\(entityName)' cannot be made: records with equal values "
                        + "exist; open the store without it and change them first.",
                    nativeCode: "SQLSTATE 23505"))
        }
        var parameters = PostgreSQLParameters()
        parameters.append(entity.number)
        parameters.append(index.name)
        parameters.append(Int64(entity.indexes.count - 1))
        parameters.append(index.fields.map { Optional($0) })
        parameters.append(.boolean(index.isUnique), as: .boolean)
        parameters.append(native.nativeName)
        try execute("INSERT INTO \(schema).holdfast_index VALUES ($1, $2, $3, $4, $5, $6)", parameters)
    }

    private mutating func drop(_ name: String, of entityName: String) throws(PostgreSQLStoreFailure) {
        guard let entity = catalog.entity(named: entityName),
            let index = catalog.removeIndex(name, from: entityName)
        else { return }
        try execute("DROP INDEX \(schema).\(index.nativeName.quotedIdentifier)")
        var parameters = PostgreSQLParameters()
        parameters.append(entity.number)
        parameters.append(name)
        try execute("DELETE FROM \(schema).holdfast_index WHERE entity = $1 AND name = $2", parameters)
    }
}
#endif

#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// How PostgreSQL creates and changes the tables of a store.
struct PostgreSQLSchemaWriter: SQLSchemaWriter {
    let connection: PostgreSQLConnection
    /// The plain name of the store's schema.
    let schemaName: String
    var catalog: PostgreSQLCatalog

    /// The quoted name of the store's schema.
    var schema: String { schemaName.quotedIdentifier }

    func execute(_ sql: String) throws(PostgreSQLStoreFailure) { try execute(sql, PostgreSQLParameters()) }

    func execute(_ sql: String, _ parameters: PostgreSQLParameters) throws(PostgreSQLStoreFailure) {
        _ = try connection.perform([PostgreSQLCommand(sql, parameters, isKept: false)])
    }

    func failure(_ error: StorageError) -> PostgreSQLStoreFailure { PostgreSQLStoreFailure(error) }

    /// Creates the catalog of an empty store.
    func createCatalog() throws(PostgreSQLStoreFailure) {
        for table in PostgreSQLCatalog.tables(in: schema) { try execute(table) }
        try execute("INSERT INTO \(schema).holdfast_store VALUES (1, \(PostgreSQLOpening.formatVersion), 0, 1)")
    }

    /// Remembers which number the next entity gets.
    func saveCounter() throws(PostgreSQLStoreFailure) {
        try execute("UPDATE \(schema).holdfast_store SET next_entity = \(catalog.nextNumber)")
    }

    // MARK: Locks

    /// Locks the tables that additive differences are about, each as its changes need it.
    ///
    /// Changes come in another order than that in which commits lock tables, so that both would wait:
    ///
    ///     the change                             a commit
    ///     drops an index of the second table     locks the first table
    ///     waits for the first, to add one        waits for the second
    func lockTables(of change: SchemaChange) throws(PostgreSQLStoreFailure) {
        for entity in catalog.entities {
            let differences = change.differences.filter { $0.entity == entity.name }
            if differences.isEmpty { continue }
            // Others may read while an index is built.
            let addsIndexes = differences.allSatisfy { difference in
                switch difference {
                case .indexAdded, .versionOrderAdded: true
                default: false
                }
            }
            try lock(entity, addsIndexes ? "SHARE" : "ACCESS EXCLUSIVE")
        }
    }

    /// Locks a table; the caller locks several in the order of their numbers, as commits do.
    func lock(_ entity: PostgreSQLCatalog.Entity, _ mode: String) throws(PostgreSQLStoreFailure) {
        try execute("LOCK TABLE \(qualified(entity.table)) IN \(mode) MODE")
    }

    // MARK: Tables

    static func columnType(_ type: StorageType) -> String { type.postgreSQLColumnType }
    static let tailType = "text COLLATE \"C\""
    static let versionType = "bigint"
    static let databaseName = "PostgreSQL"
    var maximumColumnCount: Int { 1_600 }

    func qualified(_ name: String) -> String { "\(schema).\(name.quotedIdentifier)" }

    func createTable(
        of entity: PostgreSQLCatalog.Entity, columns: [String], key: [String]
    ) throws(PostgreSQLStoreFailure) {
        if key.count > 32 { throw tooManyKeyFields("The primary key of '\(entity.name)'") }
        let declarations = columns + ["CONSTRAINT \(entity.keyName) PRIMARY KEY (\(key.joined(separator: ", ")))"]
        try execute("CREATE TABLE \(qualified(entity.table)) (\(declarations.joined(separator: ", ")))")
    }

    func createIndex(
        _ index: PostgreSQLCatalog.Index, of entity: PostgreSQLCatalog.Entity
    ) throws(PostgreSQLStoreFailure) {
        let fields = index.schema.fields
        if fields.count > 32 { throw tooManyKeyFields("Index '\(index.schema.name)' of '\(entity.name)'") }
        let columns =
            index.schema.isVersionOrder
            // A longer key is sorted from its last field on.
            ? Array(entity.versionOrderColumns.prefix(32))
            : fields.compactMap { name in
                entity.field(named: name).map { $0.column.quotedIdentifier + ($0.isRequired ? "" : " NULLS FIRST") }
            }
        do throws(PostgreSQLStoreFailure) {
            try execute(
                "CREATE \(index.schema.isUnique ? "UNIQUE " : "")INDEX \(index.nativeName.quotedIdentifier)"
                    + " ON \(qualified(entity.table)) (\(columns.joined(separator: ", ")))")
        } catch {
            guard error.native?.isUniqueViolation == true else { throw error }
            throw duplicates(index, in: entity, nativeCode: "SQLSTATE 23505")
        }
    }

    private func tooManyKeyFields(_ subject: String) -> PostgreSQLStoreFailure {
        failure(StorageError(.limitExceeded, "\(subject) has more than the 32 fields that PostgreSQL allows."))
    }

    // MARK: Catalog tables

    func recordEntity(_ entity: PostgreSQLCatalog.Entity) throws(PostgreSQLStoreFailure) {
        var parameters = PostgreSQLParameters()
        parameters.append(entity.number)
        parameters.append(entity.name)
        parameters.append(entity.table)
        parameters.append(entity.versionColumn)
        parameters.append(entity.primaryKey.map { Optional($0) })
        try execute("INSERT INTO \(schema).holdfast_entity VALUES ($1, $2, $3, $4, $5)", parameters)
    }

    func recordField(
        _ field: PostgreSQLCatalog.Field, of entity: PostgreSQLCatalog.Entity, position: Int
    ) throws(PostgreSQLStoreFailure) {
        var parameters = PostgreSQLParameters()
        parameters.append(entity.number)
        parameters.append(field.name)
        parameters.append(Int64(position))
        parameters.append(field.type.catalogName)
        parameters.append(.boolean(field.isRequired), as: .boolean)
        parameters.append(field.column)
        parameters.append(field.tailColumn.map { .text($0) } ?? .null, as: .text)
        try execute("INSERT INTO \(schema).holdfast_field VALUES ($1, $2, $3, $4, $5, $6, $7)", parameters)
    }

    func recordIndex(
        _ index: PostgreSQLCatalog.Index, of entity: PostgreSQLCatalog.Entity, position: Int
    ) throws(PostgreSQLStoreFailure) {
        var parameters = PostgreSQLParameters()
        parameters.append(entity.number)
        parameters.append(index.schema.name)
        parameters.append(Int64(position))
        parameters.append(index.schema.fields.map { Optional($0) })
        parameters.append(.boolean(index.schema.isUnique), as: .boolean)
        parameters.append(index.nativeName)
        try execute("INSERT INTO \(schema).holdfast_index VALUES ($1, $2, $3, $4, $5, $6)", parameters)
    }

    func forgetIndex(_ name: String, of entity: PostgreSQLCatalog.Entity) throws(PostgreSQLStoreFailure) {
        var parameters = PostgreSQLParameters()
        parameters.append(entity.number)
        parameters.append(name)
        try execute("DELETE FROM \(schema).holdfast_index WHERE entity = $1 AND name = $2", parameters)
    }

    /// Its fields and indexes go with it.
    func forgetEntity(_ entity: PostgreSQLCatalog.Entity) throws(PostgreSQLStoreFailure) {
        try execute("DELETE FROM \(schema).holdfast_entity WHERE number = \(entity.number)")
    }

    func markDeletion(in entity: PostgreSQLCatalog.Entity) throws(PostgreSQLStoreFailure) {
        try execute(
            "INSERT INTO \(schema).holdfast_deletion (entity, sequence, record_count) "
                + "SELECT \(entity.number), coalesce(max(sequence), 0), 0 FROM \(schema).holdfast_commit")
    }
}
#endif

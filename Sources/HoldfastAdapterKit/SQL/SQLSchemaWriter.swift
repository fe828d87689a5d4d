package import HoldfastStorage

/// Creates and changes the tables of a store; runs inside a write transaction of its caller.
///
/// The database says how a statement runs, what a table looks like, and how its catalog is written. What is done in
/// which order is the same for all.
package protocol SQLSchemaWriter {
    /// What running a statement throws.
    associatedtype Failure: Error

    /// What the store holds, with the changes made so far.
    var catalog: SQLCatalog { get set }

    /// Runs a statement without parameters and without results.
    func execute(_ sql: String) throws(Failure)
    /// An error of the framework's own as one of this writer.
    func failure(_ error: StorageError) -> Failure

    // MARK: Tables

    /// The declared type of a field's main column.
    static func columnType(_ type: StorageType) -> String
    /// The declared type of a column that holds how dates and times were written.
    static var tailType: String { get }
    /// The declared type of the version column.
    static var versionType: String { get }
    /// The most columns that a table can have.
    var maximumColumnCount: Int { get }
    /// What the database is called in messages.
    static var databaseName: String { get }

    /// The quoted name of a table or an index, its schema before it if it has one.
    func qualified(_ name: String) -> String
    /// Creates a table with declared columns, its primary key still to be declared.
    func createTable(of entity: SQLCatalog.Entity, columns: [String], key: [String]) throws(Failure)
    /// Creates an index; its name and its columns are those of the catalog.
    ///
    /// - Throws: ``SQLSchemaWriter/duplicates(_:in:nativeCode:)`` if a unique index meets records with equal values.
    func createIndex(_ index: SQLCatalog.Index, of entity: SQLCatalog.Entity) throws(Failure)

    // MARK: Catalog tables

    func recordEntity(_ entity: SQLCatalog.Entity) throws(Failure)
    func recordField(_ field: SQLCatalog.Field, of entity: SQLCatalog.Entity, position: Int) throws(Failure)
    func recordIndex(_ index: SQLCatalog.Index, of entity: SQLCatalog.Entity, position: Int) throws(Failure)
    func forgetIndex(_ name: String, of entity: SQLCatalog.Entity) throws(Failure)
    func forgetEntity(_ entity: SQLCatalog.Entity) throws(Failure)
    /// Makes what was read of an entity before count as changed, since a migration may have dropped records.
    func markDeletion(in entity: SQLCatalog.Entity) throws(Failure)
    /// Makes the calls of handles that were opened before fail.
    mutating func countMigration() throws(Failure)
}

extension SQLSchemaWriter {
    /// Makes additive differences in place.
    package mutating func apply(_ change: SchemaChange, to schema: StorageSchema) throws(Failure) {
        for difference in change.differences {
            switch difference {
            case .indexRemoved(let entity, let index): try drop(index, of: entity)
            case .versionOrderRemoved(let entity): try drop(IndexSchema.versionOrder.name, of: entity)
            default: break
            }
        }
        for difference in change.differences {
            switch difference {
            case .entityAdded(let name):
                if let entity = schema.entities.first(where: { $0.name == name }) { try create(entity) }
            case .fieldAdded(let entity, let name, _):
                let fields = schema.entities.first { $0.name == entity }?.fields ?? []
                if let field = fields.first(where: { $0.name == name }) { try add(field, to: entity) }
            default: break
            }
        }
        for difference in change.differences {
            switch difference {
            case .indexAdded(let entity, let name):
                let indexes = schema.entities.first { $0.name == entity }?.indexes ?? []
                for index in indexes where index.name == name { try create(index, of: entity) }
            case .versionOrderAdded(let entity): try create(.versionOrder, of: entity)
            default: break
            }
        }
    }

    // MARK: Entities

    private mutating func create(_ schema: EntitySchema) throws(Failure) {
        let entity = catalog.add(schema)
        try createTable(of: entity)
        try record(entity)
        for index in schema.catalogIndexes { try create(index, of: entity.name) }
    }

    /// Creates the table of an entity, without its indexes.
    package func createTable(of entity: SQLCatalog.Entity) throws(Failure) {
        var columns: [String] = []
        for field in entity.fields { columns += Self.declarations(field) }
        columns.append("\(entity.versionColumn.quotedIdentifier) \(Self.versionType) NOT NULL")
        if columns.count > maximumColumnCount {
            throw failure(
                StorageError(
                    .limitExceeded,
                    "Entity '\(entity.name)' needs \(columns.count) columns; \(Self.databaseName) allows "
                        + "\(maximumColumnCount)."))
        }
        let key = entity.primaryKey.compactMap { entity.field(named: $0)?.column.quotedIdentifier }
        try createTable(of: entity, columns: columns, key: key)
    }

    /// Writes an entity, without its indexes, into the catalog tables.
    package func record(_ entity: SQLCatalog.Entity) throws(Failure) {
        try recordEntity(entity)
        for (position, field) in entity.fields.enumerated() {
            try recordField(field, of: entity, position: position)
        }
    }

    /// Drops an entity with its table, its indexes, and its lines in the catalog tables.
    package mutating func drop(_ name: String) throws(Failure) {
        guard let entity = catalog.removeEntity(name) else { return }
        try execute("DROP TABLE \(qualified(entity.table))")
        try forgetEntity(entity)
    }

    /// Gives a filled table its name, its indexes, and its lines in the catalog tables.
    ///
    /// - Parameters:
    ///   - schema: The entity that the table holds.
    ///   - table: The name of the table so far.
    /// - Throws: What running a statement throws; ``SQLSchemaWriter/duplicates(_:in:nativeCode:)`` if a unique index
    ///   meets records with equal values.
    package mutating func install(_ schema: EntitySchema, from table: String) throws(Failure) {
        let entity = catalog.add(schema)
        try execute("ALTER TABLE \(qualified(table)) RENAME TO \(entity.table.quotedIdentifier)")
        try record(entity)
        try markDeletion(in: entity)
        for index in schema.catalogIndexes { try create(index, of: schema.name) }
    }

    // MARK: Fields

    private mutating func add(_ schema: FieldSchema, to entityName: String) throws(Failure) {
        guard let field = catalog.add(schema, to: entityName), let entity = catalog.entity(named: entityName)
        else { return }
        for declaration in Self.declarations(field) {
            try execute("ALTER TABLE \(qualified(entity.table)) ADD COLUMN \(declaration)")
        }
        try recordField(field, of: entity, position: entity.fields.count - 1)
    }

    /// The main column and, for dates and times, the one for the tail.
    private static func declarations(_ field: SQLCatalog.Field) -> [String] {
        let constraint = field.isRequired ? " NOT NULL" : ""
        let main = "\(field.column.quotedIdentifier) \(columnType(field.type))\(constraint)"
        return [main] + (field.tailColumn.map { ["\($0.quotedIdentifier) \(tailType)\(constraint)"] } ?? [])
    }

    // MARK: Indexes

    private mutating func create(_ schema: IndexSchema, of entityName: String) throws(Failure) {
        guard let index = catalog.add(schema, to: entityName), let entity = catalog.entity(named: entityName)
        else { return }
        try createIndex(index, of: entity)
        try recordIndex(index, of: entity, position: entity.indexes.count - 1)
    }

    private mutating func drop(_ name: String, of entityName: String) throws(Failure) {
        guard let entity = catalog.entity(named: entityName), let index = catalog.removeIndex(name, from: entityName)
        else { return }
        try execute("DROP INDEX \(qualified(index.nativeName))")
        try forgetIndex(name, of: entity)
        // Handles that declare it would store equal values, and never know.
        if index.schema.isUnique { try countMigration() }
    }

    /// What creating a unique index fails with if records have equal values.
    package func duplicates(_ index: SQLCatalog.Index, in entity: SQLCatalog.Entity, nativeCode: String?) -> Failure {
        failure(
            StorageError(
                .schemaMismatch,
                "Unique index '\(index.schema.name)' of '\(entity.name)' cannot be made: records with equal values "
                    + "exist; open the store without it and change them first.", nativeCode: nativeCode))
    }
}

#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension SQLiteSchemaWriter {
    /// Records after which progress is reported.
    private static let progressInterval = 1_000
    /// Rows that are in memory at once.
    private static let batchRowCount = 256

    /// Rebuilds the entities of a migration, gives up those that are not wanted, and makes the rest in place.
    ///
    /// New tables are filled under temporary names while all old ones are there still, so that several steps may
    /// read one of them. The caller's transaction makes it one change.
    mutating func run(_ migration: SchemaMigration, to schema: StorageSchema) throws(StorageError) {
        var obsolete: [String] = []
        for entity in catalog.entities where migration.step(for: entity.name) != nil || !schema.has(entity.name) {
            obsolete.append(entity.name)
        }
        var built: [(step: SchemaMigration.Step, table: String)] = []
        for (number, step) in migration.steps.enumerated() {
            // Names that begin so are never given to an entity's table.
            let table = "holdfast_migration_\(number)"
            try build(step, as: table, progress: migration.progress)
            built.append((step, table))
        }
        for name in obsolete { try drop(name) }
        for (step, table) in built { try install(step.target, from: table) }
        let rest = SchemaChange(from: try catalog.schema(), to: schema)
        if !rest.isAdditive { throw SchemaChange.mismatch(rest.differences.filter { !$0.isAdditive }) }
        try apply(rest, to: schema)
        try SQLiteChangeLog.clear(connection)
        try countMigration()
    }

    mutating func countMigration() throws(StorageError) {
        let counts = "SELECT 1 FROM pragma_table_info('holdfast_store') WHERE name = 'migration_count'"
        if try connection.integer(counts) == nil {
            try execute("ALTER TABLE holdfast_store ADD COLUMN migration_count INTEGER NOT NULL DEFAULT 0")
        }
        catalog.migrationCount += 1
        try execute("UPDATE holdfast_store SET migration_count = \(catalog.migrationCount)")
    }

    /// Fills the new table of a step.
    private func build(
        _ step: SchemaMigration.Step, as name: String, progress: (@Sendable (SchemaMigration.Progress) -> Void)?
    ) throws(StorageError) {
        var scratch = SQLiteCatalog()
        var entity = scratch.add(step.target)
        entity.table = name
        try createTable(of: entity)
        guard let source = step.source else { return }
        guard let stored = catalog.entity(named: source.name) else { throw StorageError.unknownEntity(source.name) }
        try copy(
            from: SQLiteTable(source, number: 0, stored: stored),
            into: SQLiteTable(step.target, number: 0, stored: entity), step, progress)
    }

    private func copy(
        from source: SQLiteTable, into target: SQLiteTable, _ step: SchemaMigration.Step,
        _ progress: (@Sendable (SchemaMigration.Progress) -> Void)?
    ) throws(StorageError) {
        let key = source.entity.primaryKeyPositions.map { source.columns[$0].name }.joined(separator: ", ")
        let selection = "\(source.layout.selection), \(source.versionName)"
        let reading = try SQLiteStatement(
            "SELECT \(selection) FROM \(source.name) ORDER BY \(key)", connection: connection.handle)
        let writing = try SQLiteStatement(
            target.insert(onConflict: .skip), connection: connection.handle)
        let writer = SQLiteRowWriter()
        var batch = RowBuffer()
        var migrated = RowBuffer()
        var count = 0
        var isLast = false
        while !isLast {
            batch.reset(columnCount: source.columns.count)
            migrated.reset(columnCount: target.columns.count)
            while !isLast && batch.rowCount < Self.batchRowCount {
                isLast = try !reading.step()
                if !isLast { try source.layout.append(reading, to: &batch) }
            }
            for row in 0..<batch.rowCount {
                if let cells = try step.migrate(Array(batch[row])) {
                    migrated.append(cells, version: batch.versions[row])
                }
                count += 1
                if count.isMultiple(of: Self.progressInterval) {
                    progress?(SchemaMigration.Progress(entity: target.entity.name, recordCount: count))
                }
            }
            try writer.copy(migrated, into: target, with: writing, on: connection)
        }
        if !count.isMultiple(of: Self.progressInterval) {
            progress?(SchemaMigration.Progress(entity: target.entity.name, recordCount: count))
        }
    }
}

extension StorageSchema {
    fileprivate func has(_ entity: String) -> Bool { entities.contains { $0.name == entity } }
}
#endif

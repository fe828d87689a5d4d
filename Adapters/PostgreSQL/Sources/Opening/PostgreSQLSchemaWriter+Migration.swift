#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension PostgreSQLSchemaWriter {
    /// Rows that are in memory at once, and after which progress is reported.
    private static let batchRowCount = 1_000

    /// Rebuilds the entities of a migration, gives up those that are not wanted, and makes the rest in place.
    ///
    /// New tables are filled under temporary names while all old ones are there still, so that several steps may
    /// read one of them. The caller's transaction makes it one change.
    mutating func run(
        _ migration: SchemaMigration, to target: StorageSchema
    ) throws(PostgreSQLStoreFailure) {
        // No other session may write what has been read already.
        for entity in catalog.entities { try lock(entity, "ACCESS EXCLUSIVE") }
        let wanted = Set(target.entities.map(\.name))
        let obsolete = catalog.entities.map(\.name).filter { name in
            migration.step(for: name) != nil || !wanted.contains(name)
        }
        var built: [(step: SchemaMigration.Step, entity: PostgreSQLCatalog.Entity)] = []
        for (number, step) in migration.steps.enumerated() {
            // Names that begin so are never given to an entity's table.
            var scratch = PostgreSQLCatalog()
            scratch.nextNumber = catalog.nextNumber
            var entity = scratch.add(step.target)
            catalog.nextNumber = scratch.nextNumber
            entity.table = "holdfast_migration_\(number)"
            try build(step, as: entity, progress: migration.progress)
            built.append((step, entity))
        }
        for name in obsolete { try drop(name) }
        for (step, entity) in built { try install(step.target, from: entity) }
        let rest = try PostgreSQLStoreFailure.of { () throws(StorageError) in
            let rest = SchemaChange(from: try catalog.schema(), to: target)
            if !rest.isAdditive { throw SchemaChange.mismatch(rest.differences.filter { !$0.isAdditive }) }
            return rest
        }
        try apply(rest, to: target)
        // The log is about entities that are no longer the same.
        try execute(
            "UPDATE \(schema).holdfast_store SET forgotten_through = greatest(forgotten_through, "
                + "(SELECT max(sequence) FROM \(schema).holdfast_commit))")
        try countMigration()
    }

    mutating func countMigration() throws(PostgreSQLStoreFailure) {
        catalog.nextNumber += PostgreSQLCatalog.numbersPerMigration
    }

    /// Fills the new table of a step.
    private func build(
        _ step: SchemaMigration.Step, as entity: PostgreSQLCatalog.Entity,
        progress: (@Sendable (SchemaMigration.Progress) -> Void)?
    ) throws(PostgreSQLStoreFailure) {
        try createTable(of: entity)
        guard let source = step.source else { return }
        let (from, to) = try PostgreSQLStoreFailure.of { () throws(StorageError) in
            guard let stored = catalog.entity(named: source.name) else {
                throw StorageError.unknownEntity(source.name)
            }
            return (
                try PostgreSQLTable(source, stored: stored, schema: schemaName),
                try PostgreSQLTable(step.target, stored: entity, schema: schemaName)
            )
        }
        try execute(
            "DECLARE holdfast_migration NO SCROLL CURSOR FOR SELECT \(from.layout.selection), \(from.versionName) "
                + "FROM \(from.name) ORDER BY \(from.keyNames.joined(separator: ", "))")
        var count = 0
        while true {
            let batch = try connection.perform([
                PostgreSQLCommand("FETCH \(Self.batchRowCount) FROM holdfast_migration", isKept: false)
            ])[0]
            let content = try PostgreSQLStoreFailure.of { () throws(StorageError) in
                try Self.content(of: batch, from, to, step)
            }
            if !content.isEmpty { try load(content, into: to) }
            count += batch.rowCount
            if batch.rowCount > 0 {
                progress?(SchemaMigration.Progress(entity: step.target.name, recordCount: count))
            }
            if batch.rowCount < Self.batchRowCount { break }
        }
        try execute("CLOSE holdfast_migration")
    }

    /// The migrated rows of a batch, each with the version it had.
    private static func content(
        of batch: PostgreSQLResult, _ from: PostgreSQLTable, _ to: PostgreSQLTable, _ step: SchemaMigration.Step
    ) throws(StorageError) -> [UInt8] {
        var rows = RowBuffer()
        rows.reset(columnCount: from.layout.cellCount)
        var migrated = RowBuffer()
        migrated.reset(columnCount: to.layout.cellCount)
        var content: [UInt8] = []
        for row in 0..<batch.rowCount {
            try from.layout.append(batch, row: row, to: &rows)
            guard let cells = try step.migrate(Array(rows[row])) else { continue }
            migrated.append(cells)
            to.append(
                migrated, row: migrated.rowCount - 1, version: Int64(bitPattern: rows.versions[row]),
                toCopy: &content)
        }
        return content
    }

    private func load(_ content: [UInt8], into table: PostgreSQLTable) throws(PostgreSQLStoreFailure) {
        do throws(PostgreSQLFailure) {
            try connection.copy(table.copy, content)
        } catch {
            guard error.isUniqueViolation else { throw PostgreSQLStoreFailure(error) }
            throw PostgreSQLStoreFailure(StorageError.duplicateKey(in: table.entity.name))
        }
    }

    /// Gives a filled table its name, under the number that its primary key was named with.
    private mutating func install(
        _ target: EntitySchema, from built: PostgreSQLCatalog.Entity
    ) throws(PostgreSQLStoreFailure) {
        let next = catalog.nextNumber
        catalog.nextNumber = built.number
        defer { catalog.nextNumber = next }
        try install(target, from: built.table)
    }
}
#endif

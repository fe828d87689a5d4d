import HoldfastAdapterKit
import HoldfastStorage

/// Brings a store to the schema it is opened with, as one change.
struct LMDBOpening {
    let transaction: LMDBTransaction
    var catalog = LMDBCatalog()
    var head = LMDBCatalog.Head()

    /// - Returns: Whether something was changed.
    mutating func run(_ request: OpenRequest) throws(StorageError) -> Bool {
        head = try LMDBCatalog.Head(reading: transaction)
        guard let stored = try LMDBCatalog(reading: transaction) else {
            guard request.createsStore else { throw OpenRequest.missingStore }
            try extend(to: request.schema)
            return true
        }
        catalog = stored
        let schema = try stored.schema()
        let change = SchemaChange(from: schema, to: request.schema)
        if change.differences.isEmpty { return false }
        if let migration = try request.migration(from: schema, change) {
            try run(migration, to: request.schema)
        } else {
            try extend(to: request.schema)
        }
        return true
    }

    /// Makes the additive differences.
    private mutating func extend(to schema: StorageSchema) throws(StorageError) {
        for entity in schema.entities {
            if catalog.entity(named: entity.name) == nil {
                _ = try catalog.add(entity)
            } else {
                catalog.extend(entity.name, to: entity)
            }
        }
        try catalog.write(transaction)
        try head.write(transaction)
    }

    /// Rebuilds the entities of a migration into new tables, then gives up the old ones.
    private mutating func run(_ migration: SchemaMigration, to schema: StorageSchema) throws(StorageError) {
        let old = catalog
        catalog.entities.removeAll { entity in
            migration.step(for: entity.schema.name) != nil
                || !schema.entities.contains { $0.name == entity.schema.name }
        }
        for step in migration.steps {
            let target = LMDBTable(step.target, stored: try catalog.add(step.target))
            if let source = step.source, let stored = old.entity(named: source.name) {
                try copy(from: LMDBTable(source, stored: stored), into: target, step, migration.progress)
            }
            var sequence: [UInt8] = []
            LMDBRowCodec.append(head.sequence, to: &sequence)
            try transaction.put(sequence, at: target.deletionKey)
        }
        for entity in old.entities where !catalog.entities.contains(where: { $0.number == entity.number }) {
            let table = LMDBTable(entity.schema, stored: entity)
            _ = try transaction.deleteAll(table.range)
            _ = try transaction.delete(table.deletionKey)
        }
        head.generation += 1
        try extend(to: schema)
    }

    private func copy(
        from source: LMDBTable, into target: LMDBTable, _ step: SchemaMigration.Step,
        _ progress: (@Sendable (SchemaMigration.Progress) -> Void)?
    ) throws(StorageError) {
        var count = 0
        var row = RowBuffer()
        try transaction.scan(source.range) { (_, bytes) throws(StorageError) in
            row.reset(columnCount: source.entity.fields.count)
            try source.append(bytes, to: &row)
            if let migrated = try step.migrate(Array(row[0])) {
                let key = target.key(target.entity.key(of: migrated))
                if try transaction.contains(key) {
                    throw StorageError(
                        .uniqueViolation, "The migration gives two records of '\(target.entity.name)' the same key.")
                }
                try transaction.put(target.encode(migrated[...], version: row.versions[0]), at: key)
            }
            count += 1
            if count.isMultiple(of: 1_000) {
                progress?(SchemaMigration.Progress(entity: target.entity.name, recordCount: count))
            }
            return true
        }
        if !count.isMultiple(of: 1_000) {
            progress?(SchemaMigration.Progress(entity: target.entity.name, recordCount: count))
        }
    }
}

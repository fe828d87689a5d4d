#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Changes the schema of a store that nobody else uses yet.
///
/// What has to be made is made in new spaces, beside what is there, and then one synced write of the catalog puts it
/// in the place of the old. Before it begins, the catalog names the new spaces as garbage, and after it the old ones:
/// whatever an interruption leaves is deleted when the store is opened next.
struct LevelDBSchemaWriter {
    private(set) var catalog: LevelDBCatalog
    private let writer: LevelDBWriter
    private let sequence: UInt64
    /// The bytes of a batch after which it is written.
    private static let batchByteCount = 1 << 20
    /// Records after which progress is told.
    private static let progressInterval = 1_000

    init(_ writer: LevelDBWriter, _ catalog: LevelDBCatalog, sequence: UInt64) {
        self.writer = writer
        self.catalog = catalog
        self.sequence = sequence
    }

    /// Brings the store to the schema of a request.
    ///
    /// - Throws: ``StorageError`` as ``StorageAdapter/open(_:)``; the store is as before.
    mutating func change(to request: OpenRequest, isNew: Bool) throws(StorageError) {
        let stored = try catalog.schema()
        let change = SchemaChange(from: stored, to: request.schema)
        if change.differences.isEmpty && !isNew { return }
        let migration = try request.migration(from: stored, change)
        var plan = LevelDBSchemaPlan(catalog)
        if let migration { try plan.run(migration, to: request.schema) }
        let rest = SchemaChange(from: try plan.next.schema(), to: request.schema)
        if !rest.isAdditive { throw SchemaChange.mismatch(rest.differences.filter { !$0.isAdditive }) }
        try plan.add(rest, to: request.schema)
        try carryOut(plan, migration)
    }

    private mutating func carryOut(
        _ plan: LevelDBSchemaPlan, _ migration: SchemaMigration?
    ) throws(StorageError) {
        let old = catalog
        if !plan.filled.isEmpty {
            var intention = plan.next
            intention.entities = old.entities
            intention.garbage = plan.filled
            try store(intention)
        }
        do throws(StorageError) {
            for build in plan.builds { try run(build, migration?.progress) }
            try writer.sync()
            // Their commits speak of entities that are no longer the same.
            try store(plan.next, forgettingCommits: migration != nil)
        } catch {
            // If this fails too, the next opening does it.
            try? collectGarbage()
            if error.kind == .uniqueViolation && migration == nil { throw Self.cannotMakeIndex(error) }
            throw error
        }
        try collectGarbage()
    }

    /// Makes a catalog the store's.
    private mutating func store(
        _ next: LevelDBCatalog, forgettingCommits: Bool = false
    ) throws(StorageError) {
        let batch = LevelDBBatch()
        if forgettingCommits { try LevelDBChangeLog.forget(writer.handle, batch) }
        batch.put(LevelDBCatalog.key, next.encoded)
        try writer.write(batch, isSynced: true)
        catalog = next
    }

    private static func cannotMakeIndex(_ error: StorageError) -> StorageError {
        StorageError(
            .schemaMismatch,
            "A unique index cannot be made, since records with equal values exist; open the store without it and "
                + "change them first. \(error.message)")
    }

    /// Deletes what dropped and unfinished spaces hold.
    mutating func collectGarbage() throws(StorageError) {
        if catalog.garbage.isEmpty { return }
        let batch = LevelDBBatch()
        for space in catalog.garbage {
            let prefix = LevelDBCatalog.prefix(of: space)
            let place = writer.handle.iterator(LevelDBReadOptions(fillsCache: false))
            place.seek(prefix)
            while place.isValid && place.key.starts(with: prefix) {
                batch.delete(place.key)
                try writer.flush(batch, over: Self.batchByteCount)
                place.next()
            }
            try place.check()
        }
        try writer.write(batch, isSynced: false)
        try writer.sync()
        var next = catalog
        next.garbage = []
        try store(next)
    }

    // MARK: Building

    private func run(
        _ build: LevelDBSchemaPlan.Build, _ progress: (@Sendable (SchemaMigration.Progress) -> Void)?
    ) throws(StorageError) {
        var change = LevelDBCommit(writer.handle)
        let place = writer.handle.iterator(LevelDBReadOptions(fillsCache: false))
        place.seek(build.source.prefix)
        var count = 0
        var cells: [Value] = []
        while place.isValid && place.key.starts(with: build.source.prefix) {
            let version = try build.source.read(place.value, into: &cells)
            try add(cells, version: version, build, to: &change)
            count += 1
            if count.isMultiple(of: Self.progressInterval) { build.tell(progress, count) }
            if change.batch.byteCount > Self.batchByteCount {
                try writer.write(change.batch, isSynced: false)
                change = LevelDBCommit(writer.handle)
            }
            place.next()
        }
        try place.check()
        try writer.write(change.batch, isSynced: false)
        if !count.isMultiple(of: Self.progressInterval) { build.tell(progress, count) }
    }

    private func add(
        _ cells: [Value], version: UInt64, _ build: LevelDBSchemaPlan.Build, to change: inout LevelDBCommit
    ) throws(StorageError) {
        var row = cells
        if let step = build.step {
            guard let migrated = try step.migrate(cells) else { return }
            row = migrated
        }
        let outcome = row.withUnsafeBufferPointer { row -> Result<Void, StorageError> in
            do throws(StorageError) {
                if build.step == nil {
                    for index in build.target.indexes
                    where try !change.addEntry(row, to: index, in: build.target) {
                        throw StorageError.uniqueViolation(
                            index: index.schema.name, of: build.target.entity.name, operation: 0)
                    }
                } else if try change.version(of: build.target.key(ofRow: row), in: build.target) != nil {
                    throw StorageError(
                        .uniqueViolation,
                        "The migration gives two records of '\(build.target.entity.name)' the same key.")
                } else {
                    try change.put(row, version: version, in: build.target, .upsert, operation: 0)
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try outcome.get()
    }
}

extension LevelDBSchemaPlan.Build {
    fileprivate func tell(_ progress: (@Sendable (SchemaMigration.Progress) -> Void)?, _ count: Int) {
        guard step != nil else { return }
        progress?(SchemaMigration.Progress(entity: target.entity.name, recordCount: count))
    }
}
#endif

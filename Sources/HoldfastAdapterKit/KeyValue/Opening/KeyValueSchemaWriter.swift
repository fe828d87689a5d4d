package import HoldfastStorage

/// Changes the schema of a store before its first use.
///
/// What has to be made is made in new spaces, beside what is there, and then one synced write of the catalog puts it
/// in the place of the old. Before it begins, the catalog names the new spaces as garbage, and after it the old ones:
/// what an interruption leaves is deleted when the store is opened next.
struct KeyValueSchemaWriter {
    private(set) var catalog: KeyValueCatalog
    private let engine: any KeyValueEngine
    private let options: KeyValueStore.Options
    private let sequence: UInt64
    /// What to write as the mark before anything is made; `nil` if the store has it.
    private let mark: [UInt8]?
    /// The bytes of a batch after which it is written.
    static let batchByteCount = 1 << 20
    /// Records after which progress is reported.
    private static let progressInterval = 1_000

    init(
        _ engine: any KeyValueEngine, _ catalog: KeyValueCatalog, _ options: KeyValueStore.Options, sequence: UInt64,
        mark: [UInt8]?
    ) {
        self.engine = engine
        self.catalog = catalog
        self.options = options
        self.sequence = sequence
        self.mark = mark
    }

    /// Brings the store to the schema of a request.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` as ``StorageAdapter/open(_:)``; the store is as before.
    mutating func change(to request: OpenRequest, isNew: Bool) throws(StorageError) {
        let stored = try catalog.schema()
        let change = SchemaChange(from: stored, to: request.schema)
        if change.differences.isEmpty && !isNew { return }
        let migration = try request.migration(from: stored, change)
        var plan = KeyValueSchemaPlan(catalog, hasIndexes: options.hasIndexes)
        if let migration { try plan.run(migration, to: request.schema) }
        let rest = SchemaChange(from: try plan.next.schema(), to: request.schema)
        if !rest.isAdditive { throw SchemaChange.mismatch(rest.differences.filter { !$0.isAdditive }) }
        try plan.add(rest, to: request.schema)
        try carryOut(plan, migration)
    }

    private mutating func carryOut(
        _ plan: KeyValueSchemaPlan, _ migration: SchemaMigration?
    ) throws(StorageError) {
        let old = catalog
        if let mark {
            var batch = KeyValueBatch()
            batch.put(KeyValueCatalog.markKey, mark)
            try engine.write(batch, isSynced: true)
        }
        if !plan.filled.isEmpty {
            var intention = plan.next
            intention.entities = old.entities
            intention.garbage = plan.filled
            try store(intention)
        }
        do throws(StorageError) {
            for build in plan.builds { try run(build, migration?.progress) }
            try engine.write(KeyValueBatch(), isSynced: true)
            // Their commits speak of entities that are no longer the same.
            try store(plan.next, forgettingCommits: migration != nil)
        } catch {
            // If this fails too, the next opening does it. So it does where the outcome is unknown: the catalog to come may
            // be the store's already, and the spaces that were garbage until then are those of its records.
            if error.transaction != .outcomeUnknown { try? collectGarbage() }
            if error.kind == .uniqueViolation && migration == nil { throw Self.cannotMakeIndex(error) }
            throw error
        }
        try collectGarbage()
    }

    /// Makes a catalog the store's.
    private mutating func store(
        _ next: KeyValueCatalog, forgettingCommits: Bool = false
    ) throws(StorageError) {
        var batch = KeyValueBatch()
        if forgettingCommits { try KeyValueChangeLog.forget(engine, &batch) }
        if options.isShared { markNewSpaces(of: next, in: &batch) }
        batch.put(KeyValueCatalog.key, next.encoded)
        try engine.write(batch, isSynced: true)
        catalog = next
    }

    /// Makes what was read of an entity before count as changed if its records get a new space: no mark says what happened
    /// to them in the old one, and a migration may have dropped some.
    private func markNewSpaces(of next: KeyValueCatalog, in batch: inout KeyValueBatch) {
        let known = Set(catalog.entities.map(\.space))
        let marks = KeyValueCommitter.Marks(lastChange: sequence, lastDeletion: sequence)
        for entity in next.entities where !known.contains(entity.space) {
            marks.put(of: KeyValueCatalog.prefix(of: entity.space), in: &batch)
        }
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
        for space in catalog.garbage {
            let prefix = KeyValueCatalog.prefix(of: space)
            try engine.deleteAll(ByteRange(prefix: prefix))
            if options.isShared {
                var batch = KeyValueBatch()
                batch.delete(KeyValueCatalog.marksKey(of: prefix))
                try engine.write(batch, isSynced: false)
            }
        }
        try engine.write(KeyValueBatch(), isSynced: true)
        var next = catalog
        next.garbage = []
        try store(next)
    }

    // MARK: Building

    private func run(
        _ build: KeyValueSchemaPlan.Build, _ progress: (@Sendable (SchemaMigration.Progress) -> Void)?
    ) throws(StorageError) {
        var count = 0
        var cells: [Value] = []
        // In parts, since an engine need not see in a scan what is written meanwhile.
        var rest: ByteRange? = ByteRange(prefix: build.source.prefix)
        while let range = rest {
            rest = nil
            var change = KeyValueCommit(engine)
            try engine.scan(range, isReversed: false) { (key, value) throws(StorageError) in
                if change.batch.byteCount > Self.batchByteCount {
                    rest = ByteRange(from: Array(key), to: range.upper)
                    return false
                }
                let version = try build.source.read(value, of: .bytes(key), into: &cells)
                try add(cells, version: version, build, to: &change)
                count += 1
                if count.isMultiple(of: Self.progressInterval) { build.report(progress, count) }
                return true
            }
            try engine.write(change.batch, isSynced: false)
        }
        if !count.isMultiple(of: Self.progressInterval) { build.report(progress, count) }
    }

    private func add(
        _ cells: [Value], version: UInt64, _ build: KeyValueSchemaPlan.Build, to change: inout KeyValueCommit
    ) throws(StorageError) {
        var row = cells
        if let step = build.step {
            guard let migrated = try step.migrate(cells) else { return }
            row = migrated
        }
        try row.withUnsafeBufferPointer { row throws(StorageError) in
            if build.step == nil {
                for index in build.target.indexes
                where try !change.addEntry(row, version: version, to: index, in: build.target) {
                    throw StorageError.uniqueViolation(
                        index: index.schema.name, of: build.target.entity.name, operation: 0)
                }
            } else if try change.version(of: build.target.key(ofRow: row), in: build.target) != nil {
                throw StorageError.duplicateKey(in: build.target.entity.name)
            } else {
                try change.put(row, version: version, in: build.target, .upsert, operation: 0)
            }
        }
    }
}

extension KeyValueSchemaPlan.Build {
    fileprivate func report(_ progress: (@Sendable (SchemaMigration.Progress) -> Void)?, _ count: Int) {
        guard step != nil else { return }
        progress?(SchemaMigration.Progress(entity: target.entity.name, recordCount: count))
    }
}

extension KeyValueEngine {
    /// Deletes all keys of a range, in batches.
    package func deleteAll(_ range: ByteRange) throws(StorageError) {
        var rest: ByteRange? = range
        while let range = rest {
            rest = nil
            var batch = KeyValueBatch()
            try scan(range, isReversed: false) { (key, _) in
                if batch.byteCount > KeyValueSchemaWriter.batchByteCount {
                    rest = ByteRange(from: Array(key), to: range.upper)
                    return false
                }
                batch.delete(key)
                return true
            }
            if !batch.isEmpty { try write(batch, isSynced: false) }
        }
    }
}

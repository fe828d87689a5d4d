import HoldfastStorage

/// Takes over what a foreign store holds; see ``DataStore/importRecords(from:batchSize:repeatsFinished:progress:)``.
struct ImportRun {
    private(set) var report = ImportReport()

    private let target: ImportTarget
    private let catalog: ModelCatalog
    private let source: any ForeignStore
    private let batchSize: Int
    private let progress: (@Sendable (ImportProgress) -> Void)?
    private var unsent: UnsentMutations
    /// Models of which something was not taken over.
    private var incomplete: Set<String> = []

    init(
        store: Store, engine: StorageEngine, catalog: ModelCatalog, source: any ForeignStore, batchSize: Int,
        progress: (@Sendable (ImportProgress) -> Void)?
    ) {
        target = ImportTarget(store: store, engine: engine, catalog: catalog)
        self.catalog = catalog
        self.source = source
        // A record comes with metadata and an outbox entry.
        self.batchSize = max(1, min(batchSize, store.capabilities.limits.commitRowCount / 3))
        self.progress = progress
        unsent = UnsentMutations([], of: catalog, now: 0, report: &report)
    }

    mutating func run() async throws {
        if target.recordsMutations {
            let mutations = try await source.mutations().filter { target.engine.records($0.entity) }
            unsent = UnsentMutations(mutations, of: catalog, now: try await target.now(), report: &report)
        }
        let entities = Dictionary(
            try await source.entities().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        report.unknownEntities = entities.keys.filter { catalog.model(named: $0) == nil }.sorted()
        report.absentModels = catalog.entities.map(\.name).filter { entities[$0] == nil }.sorted()
        for group in ImportGroup.ordered(catalog) {
            let found = group.entities.compactMap { entity in
                entities[entity.name].map { ImportedModel(entity, catalog: catalog, found: $0) }
            }
            try await importGroup(found, isCyclic: group.isCyclic)
        }
        guard target.recordsMutations else { return }
        try await importDeletions()
        try await importTombstones()
        try await importStates()
    }

    // MARK: - Records

    private mutating func importGroup(_ models: [ImportedModel], isCyclic: Bool) async throws {
        for model in models {
            report.models.append(model.report)
            if !model.report.absentFields.isEmpty { incomplete.insert(model.entity.name) }
        }
        var isFirst = true
        while true {
            var orphans: [ImportedOrphan] = []
            var importedCount = 0
            for model in models {
                importedCount += try await importRecords(of: model, isFirst: isFirst, &orphans)
            }
            // Where relations run in circles, a later pass finds parents that came after their children.
            if isCyclic && !orphans.isEmpty && importedCount > 0 {
                isFirst = false
                continue
            }
            for orphan in orphans {
                reject(orphan.record, of: orphan.entity, "A record to which '\(orphan.field)' leads does not exist.")
            }
            return
        }
    }

    /// Scans over the records of a model once.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - isFirst: Whether they were not scanned before, so that everything about them is reported.
    ///   - orphans: Takes in the records whose parents do not exist.
    /// - Returns: How many were imported.
    /// - Throws: ``StorageError`` `.cancelled`; what the source and the commits throw.
    private mutating func importRecords(
        of model: ImportedModel, isFirst: Bool, _ orphans: inout [ImportedOrphan]
    ) async throws -> Int {
        let name = model.entity.name
        var request = ForeignRecordRequest(model.entity, relations: model.relations, limit: batchSize)
        var (importedCount, seenCount) = (0, 0)
        var records: [ForeignRecord]
        repeat {
            try checkCancellation()
            records = try await source.records(request)
            request.position = records.last?.position
            let (batch, faults) = ImportBatch.checked(records, of: model.entity, limits: target.limits)
            if isFirst {
                for fault in faults { reject(fault.record, of: name, fault.reason) }
            }
            let outcome = try await target.commit(batch, of: model.entity, unsent: unsent)
            for row in outcome.imported { finish(batch.records[row], of: name, isImported: true) }
            for row in outcome.present { finish(batch.records[row], of: name, isImported: false) }
            for (row, field) in outcome.orphans {
                orphans.append(ImportedOrphan(record: batch.records[row].withoutCells, entity: name, field: field))
            }
            if outcome.hasConflict { incomplete.insert(name) }
            update(name) { counts in
                counts.importedCount += outcome.imported.count
                if isFirst { counts.presentCount += outcome.present.count }
            }
            importedCount += outcome.imported.count
            seenCount += records.count
            progress?(ImportProgress(model: name, recordCount: seenCount, totalCount: model.totalCount))
        } while records.count == batchSize
        return importedCount
    }

    private mutating func finish(_ record: ForeignRecord, of entity: String, isImported: Bool) {
        guard let folded = unsent[entity, record.identifier] else { return }
        unsent.remove(entity, record.identifier)
        if isImported {
            report.outboxEntryCount += 1
            report.droppedConditionCount += folded.conditionCount
        }
    }

    private mutating func reject(_ record: ForeignRecord, of entity: String, _ reason: String) {
        report.reject(.record, entity, reason, at: record.position)
        incomplete.insert(entity)
        guard let folded = unsent[entity, record.identifier] else { return }
        unsent.remove(entity, record.identifier)
        report.reject(.mutation, entity, "Its record could not be imported.", at: folded.position)
    }

    private mutating func update(_ model: String, _ body: (inout ImportReport.Model) -> Void) {
        if let index = report.models.firstIndex(where: { $0.name == model }) { body(&report.models[index]) }
    }

    // MARK: - What has no record

    private mutating func importDeletions() async throws {
        var deletions: [(entry: OutboxEntry, key: RecordKey)] = []
        for entry in unsent.remaining {
            guard let folded = unsent[entry.model, entry.key], let entity = catalog.model(named: entry.model)?.entity
            else { continue }
            guard entry.operation == .delete else {
                report.reject(.mutation, entry.model, "Its record does not exist.", at: folded.position)
                continue
            }
            guard let key = key(entry.key, of: entity) else {
                report.reject(.mutation, entry.model, "Its record's key cannot be determined.", at: folded.position)
                continue
            }
            report.droppedConditionCount += folded.conditionCount
            var entry = entry
            entry.key = key.outboxText
            deletions.append((entry, key))
        }
        for start in stride(from: 0, to: deletions.count, by: batchSize) {
            try checkCancellation()
            let part = deletions[start..<min(start + batchSize, deletions.count)]
            report.outboxEntryCount += try await target.commit(deletions: Array(part))
        }
    }

    private mutating func importTombstones() async throws {
        var position: Int64?
        var batch: [ForeignMetadata]
        repeat {
            try checkCancellation()
            batch = try await source.tombstones(after: position, limit: batchSize)
            position = batch.last?.position
            var tombstones: [(metadata: RecordMetadata, key: RecordKey)] = []
            for metadata in batch {
                guard let entity = catalog.model(named: metadata.entity)?.entity else {
                    report.reject(
                        .metadata, metadata.entity, "The store was opened without this model.", at: metadata.position)
                    continue
                }
                guard let key = key(metadata.identifier, of: entity) else {
                    report.reject(
                        .metadata, metadata.entity, "Its record's key cannot be determined.", at: metadata.position)
                    continue
                }
                tombstones.append((RecordMetadata(metadata, key: key), key))
            }
            for entity in try await target.commit(tombstones: tombstones) {
                if report.model(named: entity) == nil { report.models.append(ImportReport.Model(entity)) }
                update(entity) { $0.tombstoneCount += 1 }
            }
        } while batch.count == batchSize
    }

    private func importStates() async throws {
        let states = try await source.states().filter {
            catalog.model(named: $0.entity) != nil && !report.absentModels.contains($0.entity)
                && !incomplete.contains($0.entity)
        }
        try await target.commit(
            states: states.map {
                ModelState(model: $0.entity, lastSync: $0.lastSync, syncPredicate: $0.syncPredicate)
            })
    }

    /// The key of a record in canonical form, `nil` if it cannot be determined or the entity cannot have it.
    private func key(_ identifier: String, of entity: EntitySchema) -> RecordKey? {
        source.key(identifier, of: entity).flatMap { try? entity.canonical($0, limits: target.limits) }
    }

    private func checkCancellation() throws(StorageError) {
        if Task.isCancelled { throw StorageError(.cancelled, "The import was cancelled; call it again to continue.") }
    }
}

/// A model of which the source has records.
private struct ImportedModel: Sendable {
    let entity: EntitySchema
    /// The relations that hold a key, by name.
    let relations: [String: [String]]
    let totalCount: Int
    let report: ImportReport.Model

    init(_ entity: EntitySchema, catalog: ModelCatalog, found: ForeignEntity) {
        self.entity = entity
        let relations = Dictionary(
            catalog.foreignKeys(of: entity).map { ($0.field, $0.columns.map { entity.fields[$0].name }) },
            uniquingKeysWith: { first, _ in first })
        self.relations = relations
        totalCount = found.recordCount
        let held = Set(found.fields).union(found.relations.flatMap { relations[$0] ?? [] })
        var report = ImportReport.Model(entity.name)
        report.absentFields = entity.fields.map(\.name).filter { !held.contains($0) }
        report.unknownFields =
            (found.fields.filter { entity.position(of: $0) == nil } + found.relations.filter { relations[$0] == nil })
            .sorted()
        self.report = report
    }
}

/// A record whose parent does not exist.
private struct ImportedOrphan: Sendable {
    let record: ForeignRecord
    let entity: String
    /// The relation that leads nowhere.
    let field: String
}

extension ForeignRecord {
    fileprivate var withoutCells: ForeignRecord {
        ForeignRecord(position: position, identifier: identifier, cells: [])
    }
}

extension RecordMetadata {
    init(_ metadata: ForeignMetadata, key: RecordKey) {
        self.init(
            model: metadata.entity, key: key.outboxText, version: metadata.version,
            lastChangedAt: metadata.lastChangedAt, isDeleted: metadata.isDeleted)
    }
}

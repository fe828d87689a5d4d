import HoldfastStorage

/// The steps for the system entities whose rows speak of models, and for the settings.
struct SystemMigration: Sendable {
    /// What becomes of models, by their stored names; models that stay as they are need not be among them.
    let fates: [String: ModelMigrationResult]
    /// Records the unsent changes that are given up.
    let lost: LostChanges

    /// The steps for the system entities that are in both schemas; the records' steps must come before them.
    func steps(from stored: StorageSchema, to schema: StorageSchema) -> [SchemaMigration.Step] {
        if fates.isEmpty { return [] }
        return schema.entities.compactMap { target in
            guard SystemEntities.speaksOfModels(target.name) || target.name == Setting.entity.name,
                let source = stored.entities.first(where: { $0.name == target.name }),
                SchemaChange.differences(from: source, to: target).allSatisfy(\.isAdditive)
            else { return nil }
            let order = target.fields.map { source.position(of: $0.name) }
            return SchemaMigration.Step(from: source, to: target) { stored throws(StorageError) in
                let row = order.map { $0.map { stored[$0] } ?? .null }
                switch target.name {
                case OutboxEntry.entity.name:
                    let kept = try outboxRow(row)
                    if kept == nil, let entry = OutboxEntry(row[...]) { lost.note(entry.model) }
                    return kept
                case RecordMetadata.entity.name: return metadataRow(row)
                case ShelfItem.entity.name: return shelfRow(row)
                case DeadLetter.entity.name: return try letterRow(row)
                case Setting.entity.name: return settingRow(row)
                default: return stateRow(row)
                }
            }
        }
    }

    private func outboxRow(_ row: [Value]) throws(StorageError) -> [Value]? {
        guard var entry = OutboxEntry(row[...]) else { return row }
        let cascade = entry.cascade
        entry.cascade = cascade.flatMap(presentName)
        guard let fate = fates[entry.model] else { return entry.cascade == cascade ? row : entry.row }
        guard case .kept(let model) = fate else { return nil }
        if let keys = model.keys {
            // Also a deletion, after which the record was saved again: alone it would be found through no newest entry,
            // and would delete what the service has of the record.
            if keys.isDropped(entry.key) { return nil }
            if let key = keys.newText(of: entry.key) {
                entry.key = key
            } else if keys.isOtherKey && entry.operation == .delete {
                throw StorageError(
                    .schemaMismatch,
                    "The outbox holds a deletion of '\(entry.model)' whose new key is unknown; send it first.")
            } else if keys.isTaken(entry.key) {
                throw StorageError(
                    .schemaMismatch,
                    "The outbox holds a deletion of '\(entry.model)' whose key another record has now; send it first.")
            }
        }
        entry.model = model.target.name
        if entry.operation == .update && !entry.changedFields.isEmpty {
            entry.changedFields = model.renamed(entry.changedFields)
            // Where earlier changes of the record may wait it stays, since they are found through the newest entry.
            if entry.changedFields.isEmpty && !(entry.isNewest && entry.baseVersion == nil) { return nil }
        }
        entry.before = try before(of: entry, model)
        // What was done to records cannot be done to some of their fields; they are sent as the record has them then.
        let isOther = entry.operation == .create ? !model.values.isEmpty : model.values.change(entry.changedFields)
        entry.payload = entry.payload.map { isOther ? FieldValues.notFrozen : model.renamed(members: $0) }
        entry.condition = entry.condition.map(model.renamed(members:))
        return entry.row
    }

    /// The present name of a record with whose deletion others go; `nil` if it was given up.
    private func presentName(_ record: SendOrder.Record) -> SendOrder.Record? {
        guard let fate = fates[record.model] else { return record }
        guard case .kept(let model) = fate else { return nil }
        guard let keys = model.keys else { return SendOrder.Record(model: model.target.name, key: record.key) }
        return keys.keptText(of: record.key).map { SendOrder.Record(model: model.target.name, key: $0) }
    }

    private func before(of entry: OutboxEntry, _ model: KeptModel) throws(StorageError) -> String? {
        guard let before = entry.before, before != FieldValues.noRecord else { return entry.before }
        if entry.operation == .delete { return try model.migrated(before, at: entry.key) }
        // The values that some fields had at the service are not known any longer.
        return model.values.change(entry.changedFields) ? nil : model.renamed(members: before)
    }

    private func metadataRow(_ row: [Value]) -> [Value]? {
        guard var metadata = RecordMetadata(row[...]), let fate = fates[metadata.model] else { return row }
        guard case .kept(let model) = fate else { return nil }
        if let keys = model.keys {
            guard let key = keys.keptText(of: metadata.key) else { return nil }
            metadata.key = key
        }
        metadata.model = model.target.name
        return metadata.row
    }

    private func stateRow(_ row: [Value]) -> [Value]? {
        guard var state = ModelState(row[...]), let fate = fates[state.model] else { return row }
        guard case .kept(let model) = fate else { return nil }
        state.model = model.target.name
        if !model.values.isEmpty {
            // What was made of records is not what the service has: they are asked for again. The watermark stays: if
            // the full sync ends early, a delta from there has what it did not read.
            state.fullSyncAt = nil
            (state.token, state.tokenLabel, state.tokenMode, state.tokenCount) = (nil, nil, nil, 0)
        }
        return state.row
    }

    private func shelfRow(_ row: [Value]) -> [Value]? {
        guard var item = ShelfItem(row[...]), let fate = fates[item.model] else { return row }
        guard case .kept(let model) = fate else { return nil }
        if let keys = model.keys {
            guard let key = keys.keptText(of: item.key) else { return nil }
            item.key = key
        }
        item.model = model.target.name
        if item.reason == .notStorable || item.isDeleted { return item.row }
        // The service is asked for all records again.
        if !model.values.isEmpty { return nil }
        item.item = item.item.map(model.renamed(members:))
        return item.row
    }

    /// Notes the models that are given up with the version of the schema, since a step cannot add a row.
    private func settingRow(_ row: [Value]) -> [Value] {
        let gone = fates.filter { if case .gone = $0.value { true } else { false } }.keys.sorted()
        guard row[0] == .text(SchemaVersion.settingKey), let version = row[1].textValue else { return row }
        return Setting(
            key: SchemaVersion.settingKey, value: SchemaVersion.noting(emptied: gone, with: version)
        ).row
    }

    private func letterRow(_ row: [Value]) throws(StorageError) -> [Value]? {
        guard var letter = DeadLetter(row[...]), let fate = fates[letter.model] else { return row }
        guard case .kept(let model) = fate else { return nil }
        if let keys = model.keys {
            // It would be retried on another record.
            if keys.isTaken(letter.key) {
                lost.note(letter.model)
                return nil
            }
            letter.key = keys.newText(of: letter.key) ?? letter.key
        }
        letter.model = model.target.name
        let record = letter.operation == .create ? letter.payload : nil
        letter.payload = letter.payload.map(model.renamed(members:))
        if let record, let migrated = try model.migrated(record, at: letter.key) { letter.payload = migrated }
        letter.before = letter.before.map(model.renamed(members:))
        letter.condition = letter.condition.map(model.renamed(members:))
        letter.remote = letter.remote.map(model.renamed(members:))
        return letter.row
    }
}

import HoldfastModel
import HoldfastStorage

extension DataStore {
    /// Merges what a service said of a model's records with the store, in one commit with the model's state.
    ///
    /// Local changes survive: they are applied on top of the service's record or make it wait. Nothing is deleted with
    /// a deleted record, since the service sends each. Records may come in any order, also before those that they
    /// belong to.
    ///
    /// The commit need not survive a loss of power. What is lost then are the last commits in a row, so that the model's
    /// state never comes without the records before it, and the service is asked for the rest again.
    ///
    /// An application that saves one record after the other should not wait for a commit of received records each time.
    /// While it changes something at least every 20 milliseconds, this waits 4 milliseconds before the commit.
    ///
    /// - Parameters:
    ///   - batch: The records; a commit writes up to three rows for each of them.
    ///   - fence: The right to apply it.
    /// - Returns: What became of it.
    /// - Throws: ``StorageError`` `.conflict` if the fence does not hold any longer, or other writers kept changing the
    ///   same records; `.misuse` for an unknown model; `.full`, `.io`. Nothing was changed.
    @concurrent package func apply(_ batch: RemoteBatch, _ fence: SyncFence) async throws -> ApplyReport {
        let entity = try remoteEntity(batch.model)
        let (records, faults) = storable(batch.records, of: entity)
        var keys: [RecordKey] = []
        var places: [RecordKey: Int] = [:]
        for record in records where places[record.key] == nil {
            places[record.key] = keys.count
            keys.append(record.key)
        }
        let notStorable = batch.notStorable + faults
        let seen = Set(notStorable.compactMap { RecordKey(outboxText: $0.key, of: entity) })
        keys += seen.filter { places[$0] == nil }.sorted()
        if engine.isBusy { try? await surroundings.sleep(.milliseconds(4)) }
        let time = engine.present
        var report = ApplyReport()
        _ = try await engine.commit(atMost: .processCrash) { _ in
            report = ApplyReport()
            var draft = SyncDraft(under: try await condition(of: fence))
            try await store.withSnapshot { snapshot in
                var changes = try await syncedRecords(keys, of: entity, in: snapshot)
                for record in records {
                    guard let place = places[record.key] else { continue }
                    let verdict = changes[place].record.reconcile(
                        record, generation: batch.generation, rebases: batch.rebases, at: time)
                    report.note(verdict)
                }
                for index in changes.indices where seen.contains(changes[index].record.key) {
                    changes[index].record.see(batch.generation)
                }
                changes.forEach { report.note($0) }
                draft.add(changes, of: entity)
                try await showChildren(of: changes, of: entity, in: snapshot, &draft)
            }
            for item in notStorable { draft.add(item) }
            report.shelvedCount += notStorable.count
            if let state = batch.state { draft.add(state) }
            return draft.draft()
        }
        return report
    }

    /// Deletes what a complete full sync has not seen.
    ///
    /// These are records that the service has forgotten, or that left the rights of the user or the records that are
    /// asked for. What the service never knew stays, and what has unsent changes until it has none.
    ///
    /// - Parameters:
    ///   - model: The model's name.
    ///   - generation: The number of that full sync.
    ///   - fence: The right to do so.
    /// - Returns: What was deleted.
    /// - Throws: As ``apply(_:_:)``. It is done in commits of 1,000 records; an error leaves those that were made, and
    ///   the call can be repeated.
    @concurrent package func sweep(_ model: String, _ generation: Int64, _ fence: SyncFence) async throws -> ApplyReport
    {
        let entity = try remoteEntity(model)
        _ = try await condition(of: fence)
        let report = try await sweep(RecordMetadata.entity.name, of: entity, generation, fence)
        // What waits for an unsent change need not have any metadata.
        _ = try await sweep(ShelfItem.entity.name, of: entity, generation, fence)
        return report
    }

    /// Does so with the records of which an entity has notes that say that the full sync has not seen them.
    private func sweep(
        _ notes: String, of entity: EntitySchema, _ generation: Int64, _ fence: SyncFence
    ) async throws -> ApplyReport {
        var report = ApplyReport()
        var last: String?
        while let keys = try await unseen(notes, of: entity.name, generation, after: last), let end = keys.last {
            last = end
            let found = keys.compactMap { RecordKey(outboxText: $0, of: entity) }
            var part = ApplyReport()
            _ = try await engine.commit(atMost: .processCrash) { _ in
                part = ApplyReport()
                var draft = SyncDraft(under: try await condition(of: fence))
                var changes = try await store.withSnapshot { snapshot in
                    try await syncedRecords(found, of: entity, in: snapshot)
                }
                for index in changes.indices { changes[index].record.forget(before: generation) }
                changes.forEach { part.note($0) }
                draft.add(changes, of: entity)
                return draft.draft()
            }
            report.changes += part.changes
        }
        return report
    }

    /// Makes observers learn of records that came before those that they belong to.
    private func showChildren(
        of changes: [SyncedRecordChange], of entity: EntitySchema, in snapshot: StoreSnapshot, _ draft: inout SyncDraft
    ) async throws {
        let created = changes.filter { $0.stored.row == nil && $0.record.row != nil }.map(\.record.key)
        if created.isEmpty { return }
        for relation in catalog.foreignKeys(to: entity) {
            guard let child = catalog.model(named: relation.child.name), child.needsParents else { continue }
            let isRequired = child.schema.field(withName: relation.field)?.isRequired ?? false
            for start in stride(from: 0, to: created.count, by: 1_000) {
                let keys = created[start..<min(start + 1_000, created.count)]
                let rows = try await snapshot.rows(QueryPlan(child.entity.name, where: relation.isAny(of: keys)))
                draft.show(rows, of: child.entity, as: isRequired ? .created : .updated)
            }
        }
    }

    /// The keys of the next 1,000 records of which notes say that a full sync has not seen them; `nil` at the end.
    private func unseen(
        _ notes: String, of model: String, _ generation: Int64, after last: String?
    ) async throws -> [String]? {
        let rows = try await store.withSnapshot { snapshot in
            try await snapshot.rows(
                QueryPlan(
                    notes,
                    where: .and(
                        [
                            .compare("model", .equal, .text(model)),
                            .or([
                                .compare("generation", .equal, .null),
                                .compare("generation", .less, .integer(generation)),
                            ]),
                        ] + (last.map { [.compare("key", .greater, .text($0))] } ?? [])),
                    limit: 1_000, projection: ["key"]))
        }
        return rows.isEmpty ? nil : (0..<rows.rowCount).compactMap { rows[$0, 0].textValue }
    }

    /// Separates the records that an entity can hold from those that it cannot.
    private func storable(
        _ records: [RemoteRecord], of entity: EntitySchema
    ) -> (records: [RemoteRecord], faults: [ShelfItem]) {
        let limits = store.capabilities.limits
        var buffer = RowBuffer(columnCount: entity.fields.count, rowCapacity: records.count)
        for case let row? in records.lazy.map(\.row) where row.count == entity.fields.count { buffer.append(row) }
        if let canonical = try? entity.canonical(buffer, limits: limits), canonical.rowCount == records.count {
            return (
                records.enumerated().map { index, record in
                    var record = record
                    record.row = Array(canonical[index])
                    return record
                }, []
            )
        }
        var (good, faults): ([RemoteRecord], [ShelfItem]) = ([], [])
        for record in records {
            guard let row = record.row else {
                good.append(record)
                continue
            }
            if row.count == entity.fields.count,
                let canonical = try? entity.canonical(RowBuffer(row: row), limits: limits)
            {
                var record = record
                record.row = Array(canonical[0])
                good.append(record)
            } else {
                let item = row.count == entity.fields.count ? FieldValues.text(row, of: entity) : nil
                faults.append(
                    ShelfItem(
                        model: entity.name, key: record.key.outboxText, version: record.version,
                        lastChangedAt: record.lastChangedAt, item: item, reason: .notStorable))
            }
        }
        return (good, faults)
    }
}

extension ApplyReport {
    mutating func note(_ verdict: SyncedRecord.Verdict) {
        switch verdict {
        case .dropped: droppedCount += 1
        case .rebased: rebasedCount += 1
        case .shelved: shelvedCount += 1
        case .applied, .buried: break
        }
    }

    mutating func note(_ change: SyncedRecordChange) {
        let (stored, record) = (change.stored, change.record)
        deadLetters += record.letters.filter { !stored.letters.contains($0) }
        if stored.row == record.row { return }
        let kind: ChangeKind = stored.row == nil ? .created : record.row == nil ? .deleted : .updated
        changes.append(
            Change(
                model: record.entity.name, key: record.keyText, kind: kind, version: record.metadata?.version,
                row: record.row ?? stored.row ?? []))
    }
}

extension SyncedRecord {
    /// Gives the record up if the service did not mention it in a full sync.
    ///
    /// With unsent changes it stays until they are refused: the user may no longer have a right to it.
    mutating func forget(before generation: Int64) {
        if let shelf, shelf.reason != .notStorable, shelf.generation < generation { self.shelf = nil }
        guard let metadata, metadata.generation < generation else { return }
        if entries.isEmpty {
            (row, self.metadata, shelf) = (nil, nil, nil)
        } else {
            self.metadata?.isOutside = true
        }
    }
}

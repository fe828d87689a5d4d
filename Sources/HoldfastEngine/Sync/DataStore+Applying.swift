import HoldfastModel
import HoldfastStorage

extension DataStore {
    /// Merges what a service said of a model's records with the store, in one commit with the model's state.
    ///
    /// Local changes survive: they are applied on top of the service's record or make it wait. Nothing is deleted with
    /// a deleted record, since the service sends each. Records may come in any order, also before those that they
    /// belong to.
    ///
    /// The commit need not survive a loss of power. What is lost then are the last commits in a row, so that the
    /// model's state never comes without the records before it, and the service is asked for the rest again.
    ///
    /// An application that saves one record after the other should not wait for a commit of received records each time.
    /// While it changes something at least every 20 milliseconds, this waits 4 milliseconds before the commit.
    ///
    /// If the store cannot hold some of the records, each is applied alone, and these wait on the shelf.
    ///
    /// - Parameters:
    ///   - batch: The records; a commit writes up to three rows for each of them.
    ///   - fence: The session's fence; the call fails if it no longer holds.
    /// - Returns: What became of it.
    /// - Throws: ``StorageError`` `.conflict` if the fence does not hold any longer, or other writers kept changing the
    ///   same records; `.misuse` for an unknown model; `.full`, `.io`. Nothing was changed.
    @concurrent package func apply(_ batch: RemoteBatch, _ fence: SyncFence) async throws -> ApplyReport {
        do {
            return try await applyTogether(batch, fence)
        } catch let error as StorageError where error.refusesValues && !batch.records.isEmpty {
            return try await applyOneByOne(batch, fence)
        }
    }

    /// Applies each record of a batch alone, and then the rest of it.
    private func applyOneByOne(_ batch: RemoteBatch, _ fence: SyncFence) async throws -> ApplyReport {
        var report = ApplyReport()
        var rest = batch
        rest.records = []
        for record in batch.records {
            let alone = RemoteBatch(
                model: batch.model, records: [record], generation: batch.generation, rebases: batch.rebases)
            do {
                report.add(try await applyTogether(alone, fence))
            } catch let error as StorageError where error.refusesValues {
                rest.notStorable.append(ShelfItem(notStorable: record, of: batch.model))
            }
        }
        report.add(try await applyTogether(rest, fence))
        return report
    }

    private func applyTogether(_ batch: RemoteBatch, _ fence: SyncFence) async throws -> ApplyReport {
        let entity = try remoteEntity(batch.model)
        let (records, notStorable, unkeptCount) = storable(batch, of: entity)
        // In the order of the keys, in which they are read and written fastest.
        var keys: [RecordKey] = []
        var indexes = Array(repeating: 0, count: records.count)
        for index in records.map(\.key).ascendingOrder {
            if keys.last != records[index].key { keys.append(records[index].key) }
            indexes[index] = keys.count - 1
        }
        let seen = Set(notStorable.compactMap { RecordKey(outboxText: $0.key, of: entity) })
        if !seen.isEmpty { keys += seen.subtracting(keys).sorted() }
        let areWhole = seen.isEmpty && records.allSatisfy { !$0.isDeleted && $0.isInScope }
        if engine.isBusy { try? await surroundings.sleep(.milliseconds(4)) }
        let time = engine.present
        var report = ApplyReport()
        _ = try await engine.commit(atMost: .processCrash) { attempt in
            let isFirst = attempt == 1
            var draft = SyncDraft(under: try await condition(of: fence))
            try await store.withSnapshot { snapshot in
                let reader = SyncedRecordReader(snapshot: snapshot, catalog: catalog)
                let unread =
                    isFirst && areWhole && initialLoads.contains(entity.name)
                    ? try await reader.newRecords(keys, of: entity) : nil
                if unread != nil {
                    draft.assumesNew = true
                } else if isFirst && !engine.isBusy {
                    draft.sequence = snapshot.sequence
                }
                var changes = if let unread { unread } else { try await reader.records(keys, of: entity) }
                report = Self.reconcile(&changes, with: records, at: indexes, of: batch, seen: seen, time)
                draft.add(changes, of: entity)
                try await addVisibilityChanges(in: snapshot, &draft)
            }
            for var item in notStorable {
                item.generation = batch.generation
                draft.add(item)
            }
            report.shelvedCount += notStorable.count
            report.unkeptCount = unkeptCount
            if let state = batch.state { draft.add(state) }
            return draft.draft()
        }
        if !keys.isEmpty { initialLoads.note(entity.name, isInitial: report.count(.created) == keys.count) }
        return report
    }

    /// Reconciles records with what a service says of them.
    ///
    /// - Parameters:
    ///   - changes: The records, one of each key.
    ///   - records: What the service says.
    ///   - indexes: Where in `changes` the record of each of them is.
    ///   - batch: The batch that it comes from.
    ///   - seen: The keys of records that the service mentions and the models cannot hold.
    ///   - time: The present.
    /// - Returns: What became of it.
    private static func reconcile(
        _ changes: inout [SyncedRecordChange], with records: [RemoteRecord], at indexes: [Int], of batch: RemoteBatch,
        seen: Set<RecordKey>, _ time: Int64
    ) -> ApplyReport {
        var report = ApplyReport()
        for (record, index) in zip(records, indexes) {
            report.note(
                changes[index].record.reconcile(
                    record, generation: batch.generation, rebases: batch.rebases, at: time))
        }
        if !seen.isEmpty {
            for index in changes.indices where seen.contains(changes[index].record.key) {
                changes[index].record.see(batch.generation)
            }
        }
        report.note(changes, in: indexes.eachOnce(of: changes.count))
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
    ///   - fence: The session's fence; the call fails if it no longer holds.
    /// - Returns: What was deleted.
    /// - Throws: As ``apply(_:_:)``. It is done in commits of 1,000 records; an error leaves those that were made, and
    ///   the call can be repeated.
    @concurrent package func sweep(_ model: String, _ generation: Int64, _ fence: SyncFence) async throws -> ApplyReport
    {
        let entity = try remoteEntity(model)
        _ = try await condition(of: fence)
        let report = try await sweep(RecordMetadata.entity.name, of: entity, generation, fence)
        // What waits for an unsent change, and what the models cannot hold, need not have any metadata.
        _ = try await sweep(ShelfItem.entity.name, of: entity, generation, fence)
        return report
    }

    /// Deletes the records of which an entity has notes that say that the full sync has not seen them.
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
                try await store.withSnapshot { snapshot in
                    var changes = try await syncedRecords(found, of: entity, in: snapshot)
                    for index in changes.indices { changes[index].record.forget(before: generation) }
                    part.note(changes, in: changes.indices)
                    draft.add(changes, of: entity)
                    if notes == ShelfItem.entity.name {
                        for key in keys where RecordKey(outboxText: key, of: entity) == nil {
                            draft.removeItem(of: entity.name, key)
                        }
                    }
                    try await addVisibilityChanges(in: snapshot, &draft)
                }
                return draft.draft()
            }
            report.changes += part.changes
        }
        return report
    }

    /// Makes observers learn of the records that a commit shows or hides without writing them.
    ///
    /// - Parameters:
    ///   - snapshot: What the commit was drafted from.
    ///   - draft: The commit with all its changes. It fails if another one changes a record that it shows or hides.
    /// - Throws: ``StorageError`` if the store cannot be read.
    func addVisibilityChanges(in snapshot: StoreSnapshot, _ draft: inout SyncDraft) async throws {
        var dependents = Dependents(of: self, in: snapshot)
        try await dependents.addVisibilityChanges(to: &draft)
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

    /// Separates the records that an entity can hold from those that wait on the shelf, and counts those of which the
    /// store cannot even keep the key.
    ///
    /// The key is also a part of the keys of metadata, of the shelf, and of the outbox, the longest of them. One that is
    /// too long for these would fail the whole commit, and the next attempts, too.
    private func storable(
        _ batch: RemoteBatch, of entity: EntitySchema
    ) -> (records: [RemoteRecord], shelved: [ShelfItem], unkeptCount: Int) {
        let limits = store.capabilities.limits
        func canKeep(_ key: String) -> Bool {
            // Hardly any key is near the limit, so that most need no look at all that is kept beside it.
            let roomForRest = 64
            let byteCount = entity.name.utf8.count + key.utf8.count
            if byteCount + roomForRest <= limits.keyByteCount, !key.utf8.contains(0) { return true }
            let longest = OutboxEntry.newestKey(entity.name, key)
            return (try? OutboxEntry.entity.canonical(longest, limits: limits)) != nil
        }
        var (good, faults): ([RemoteRecord], [ShelfItem]) = (batch.records, [])
        var faulty: Set<Int> = []
        for (index, record) in batch.records.enumerated() {
            guard canKeep(record.key.outboxText) else {
                faulty.insert(index)
                continue
            }
            guard let row = record.row else { continue }
            do {
                if let canonical = try entity.canonicalIfOther(row, limits: limits) { good[index].row = canonical }
            } catch {
                let item = row.count == entity.fields.count ? FieldValues.text(row, of: entity) : nil
                faults.append(ShelfItem(notStorable: record, of: entity.name, item: item))
                faulty.insert(index)
            }
        }
        if !faulty.isEmpty { good = good.indices.filter { !faulty.contains($0) }.map { good[$0] } }
        var shelved = batch.notStorable.filter { canKeep($0.key) } + faults
        for (index, item) in shelved.enumerated() where item.item?.utf8.count ?? 0 > limits.cellByteCount {
            shelved[index].item = nil
        }
        let count = batch.records.count + batch.notStorable.count
        return (good, shelved, count - good.count - shelved.count)
    }
}

extension [Int] {
    /// The numbers below a count, each once: first these in their order, then those that are missing.
    fileprivate func eachOnce(of count: Int) -> [Int] {
        var isTaken = Array<Bool>(repeating: false, count: count)
        var numbers: [Int] = []
        numbers.reserveCapacity(count)
        for number in self where !isTaken[number] {
            isTaken[number] = true
            numbers.append(number)
        }
        return numbers + isTaken.indices.filter { !isTaken[$0] }
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

    /// Records what changes.
    ///
    /// - Parameters:
    ///   - changed: The records.
    ///   - order: Their indices, in the order in which they are reported.
    mutating func note(_ changed: [SyncedRecordChange], in order: some Sequence<Int>) {
        // In place: a copy of a change retains all that it holds.
        changed.withUnsafeBufferPointer { note($0, in: order) }
    }

    private mutating func note(_ changed: UnsafeBufferPointer<SyncedRecordChange>, in order: some Sequence<Int>) {
        for index in order {
            let (old, row) = (changed[index].stored.row, changed[index].record.row)
            if !changed[index].record.letters.isEmpty {
                let earlier = changed[index].stored.letters
                deadLetters += changed[index].record.letters.filter { !earlier.contains($0) }
            }
            if old == row { continue }
            if let metadata = changed[index].record.metadata, metadata.isFromEvent, !metadata.isDeleted, let old {
                // It has less values than before, or does not fit the sync expression without them.
                let isLess = row.map { zip(old, $0).contains { !$0.isNull && $1.isNull } } ?? true
                mayLackValues = mayLackValues || isLess
            }
            changes.append(
                Change(
                    model: changed[index].record.entity.name, key: changed[index].record.keyText,
                    kind: old == nil ? .created : row == nil ? .deleted : .updated,
                    version: changed[index].record.metadata?.version, row: row ?? old ?? []))
        }
    }
}

extension SyncedRecord {
    /// Gives the record up if the service did not mention it in a full sync.
    ///
    /// With unsent changes it stays until they are refused: the user may no longer have a right to it.
    mutating func forget(before generation: Int64) {
        if let shelf {
            guard shelf.generation < generation else { return }
            self.shelf = nil
        }
        guard let metadata, metadata.generation < generation else { return }
        if entries.isEmpty {
            (row, self.metadata, shelf) = (nil, nil, nil)
        } else {
            self.metadata?.isOutside = true
        }
    }
}

import HoldfastStorage

extension DataStore {
    /// Gives up unsent changes that make records belong to records whose creations were refused.
    ///
    /// The service would carry them out, and show the records to no one: a required relation that leads to nothing
    /// makes a record unreadable. What belongs to records that vanish here is given up, too. Relations that are not
    /// required may lead to nothing.
    ///
    /// It is part of the commit of the refusal. Otherwise what was not given up before the process ends would be sent
    /// after its next start.
    ///
    /// - Parameters:
    ///   - refused: The keys of the refused records, by their models.
    ///   - records: The records of the commit; these are added to it. What does not fit into a commit is sent.
    ///   - draft: The commit. It fails if another one makes more records belong to those that vanish.
    ///   - time: The present.
    /// - Throws: ``StorageError`` if the store cannot be read.
    func giveUpChildren(
        of refused: [String: [RecordKey]], in records: inout SettledRecords, _ draft: inout SyncDraft, at time: Int64
    ) async throws {
        // A record, its metadata, its entries, and their letters.
        let limit = store.capabilities.limits.commitRowCount / 8
        let snapshot = records.snapshot
        var refused = refused
        while let (model, keys) = refused.popFirst() {
            guard let parent = catalog.model(named: model)?.entity else { continue }
            for relation in catalog.foreignKeys(to: parent) where catalog.isRequired(relation) {
                let child = relation.child
                let fields = Set(relation.columns.map { child.fields[$0].name })
                draft.requireUnchanged(child, since: snapshot.sequence)
                for part in keys.chunks(of: 1_000) {
                    let room = max(0, limit - records.count)
                    let rows = try await snapshot.rows(
                        QueryPlan(
                            child.name, where: relation.isAny(of: part), limit: room, projection: child.primaryKey))
                    let children = (0..<rows.rowCount).map { RecordKey(Array(rows[$0])) }
                    try await records.change(children, of: child) { change in
                        if change.record.row == nil { return }
                        change.record.giveUpChange(of: fields, at: time)
                        // The service has what only leaves this device.
                        if change.record.row == nil, change.record.metadata?.isOutside != true {
                            refused[child.name, default: []].append(change.record.key)
                        }
                    }
                }
            }
        }
    }

    /// The records that the service keeps although entries go with their deletions, as they are now.
    ///
    /// - Parameters:
    ///   - entries: The entries.
    ///   - snapshot: Where the records are read.
    /// - Returns: Those of which the service has not carried out the deletion, and no deletion waits any longer.
    /// - Throws: ``StorageError`` if the store cannot be read.
    func refusedDeletions(
        before entries: some Sequence<OutboxEntry>, in snapshot: StoreSnapshot
    ) async throws -> [SendOrder.Record: SyncedRecordChange] {
        var refused: [SendOrder.Record: SyncedRecordChange] = [:]
        let parents = Dictionary(grouping: Set(entries.compactMap(\.cascade)), by: \.model)
        for (model, parents) in parents.sorted(by: { $0.key < $1.key }) {
            guard let entity = catalog.model(named: model)?.entity else { continue }
            let keys = parents.compactMap { RecordKey(outboxText: $0.key, of: entity) }.sorted()
            for change in try await syncedRecords(keys, of: entity, in: snapshot)
            where change.record.metadata?.isDeleted == false
                && !change.record.entries.contains(where: { $0.operation == .delete })
            {
                refused[SendOrder.Record(model: model, key: change.record.keyText)] = change
            }
        }
        return refused
    }
}

extension SyncedRecord {
    /// Why a change was given up that the service was not asked for.
    package static let refusedParent = "The record that it belongs to was refused."

    /// Gives up the last unsent change of a relation, with what followed it.
    fileprivate mutating func giveUpChange(of fields: Set<String>, at time: Int64) {
        guard
            let index = entries.lastIndex(where: {
                $0.operation == .create || !fields.isDisjoint(with: $0.changedFields)
            }), entries[index].stage == .pending, let below = Array(entries[index...]).undone(row, of: entity)
        else { return }
        addDeadLetters(from: index, errorType: nil, message: Self.refusedParent, remote: nil, at: time)
        row = entries.isEmpty && metadata?.isOutside == true ? nil : below
        judgeShelf(true, time)
    }

    /// Takes back a deletion that was not sent: the record is as it was before, with later changes on top.
    mutating func undoDeletion(_ index: Int, at time: Int64) {
        let below = entries[index].undone(nil, of: entity)
        var later = self
        later.entries.removeSubrange(...index)
        if let below { later.rebase(onto: below) }
        row = later.row
        entries.removeSubrange(index...)
        entries += later.entries
        if entries.isEmpty, metadata?.isOutside == true { row = nil }
        judgeShelf(true, time)
    }
}

extension SyncedRecordChange {
    /// Whether the record's creation was refused, and the service has no such record, or has deleted it.
    var isRefusedCreation: Bool {
        stored.entries.first?.operation == .create && record.row == nil && record.metadata?.isDeleted ?? true
            && record.letters.contains { $0.operation == .create }
    }
}

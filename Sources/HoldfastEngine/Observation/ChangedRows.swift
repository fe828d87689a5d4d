import HoldfastModel
import HoldfastStorage

/// Takes the changes of a subscription record by record.
struct ChangedRows {
    private let subscription: ChangeSubscription
    private let consumer = ChangeSubscription.Consumer()
    private var batch: ChangeSet?
    private var index = 0
    /// The records that were handed out as deleted when they were hidden, by entity.
    ///
    /// Without the parent, their own deletion says nothing new.
    private var hidden: [String: Set<RecordKey>] = [:]

    init(subscription: ChangeSubscription) { self.subscription = subscription }

    /// The next changed record, waiting for one if need be.
    ///
    /// - Returns: `nil` once the store is closed or the task cancelled.
    /// - Throws: ``StorageError`` `.changesMissed`, after which it continues with the changes that follow; `.misuse` if
    ///   another iteration is in progress; as ``ChangeSubscription/next(atMost:)``.
    mutating func next() async throws -> ChangedRow? {
        try subscription.claim(consumer)
        while true {
            if let batch, index < batch.kinds.count {
                defer { index += 1 }
                return ChangedRow(changes: batch, index: index)
            }
            if let ended = batch, ended.hasUnknownDeletions {
                batch = nil
                throw StorageError.changesMissed(of: ended.entity)
            }
            guard let next = try await subscription.next(atMost: 1)?.first else { return nil }
            if next.knowledge == .missed { throw StorageError.changesMissed(of: next.entity) }
            batch = next
            index = 0
        }
    }

    /// The record of the change that ``next()`` has returned, or `nil` if the record it belonged to is gone by now.
    ///
    /// Then its deletion follows. Of a deletion itself the record is not known any longer: once the other changes of
    /// its commit are taken, ``next()`` throws `.changesMissed`.
    mutating func model<M: Model>(
        _ type: M.Type, of row: ChangedRow, loader: DataStore
    ) throws(ModelError) -> M? {
        let changes = row.changes
        let entity = changes.entity.name
        let reader = RowReader(changes.rows, row: row.index, loader: loader, parents: changes.parents)
        do {
            let model = try M(row: reader)
            if changes.areHidden {
                hidden[entity, default: []].insert(row.key)
            } else {
                hidden[entity]?.remove(row.key)
            }
            return model
        } catch {
            if error.kind != .missingRelation { throw error }
            if row.kind == .deleted, hidden[entity]?.remove(row.key) == nil { batch?.hasUnknownDeletions = true }
            return nil
        }
    }
}

/// One changed record among those of its commit.
struct ChangedRow {
    let changes: ChangeSet
    let index: Int

    /// What happened to the record.
    var kind: ChangeKind { changes.kinds[index] }

    /// The record's key.
    var key: RecordKey { changes.entity.key(of: changes.rows[index]) }

    /// The service's version of the record, if the change came from it.
    var serviceVersion: Int64? { changes.serviceVersions?[index] }

    /// Whether the record matches a condition.
    func matches(_ condition: BoundCondition) -> Bool {
        changes.rows.withRow(index, condition.matches) ?? changes.matches?[index] ?? false
    }
}

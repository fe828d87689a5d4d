import HoldfastModel
import HoldfastStorage

/// Takes the changes of a subscription record by record.
///
/// Each iteration continues where the one before it ended, which may be within a commit.
final class ChangedRows: Sendable {
    private struct Place {
        var batch: ChangeSet?
        var index = 0
        /// The records that were handed out as deleted when they were hidden, by entity.
        ///
        /// Without the parent, their own deletion says nothing new.
        var hidden: [String: Set<RecordKey>] = [:]

        /// The next record of the batch; `nil` at its end.
        mutating func next() throws(StorageError) -> ChangedRow? {
            guard let batch else { return nil }
            if index < batch.kinds.count {
                defer { index += 1 }
                return ChangedRow(changes: batch, index: index)
            }
            self.batch = nil
            if batch.hasUnknownDeletions { throw StorageError.changesMissed(of: batch.entity) }
            return nil
        }

        /// The record of a change was handed out.
        mutating func noteKnown(_ row: ChangedRow) {
            if row.changes.areHidden {
                hidden[row.changes.entity.name, default: []].insert(row.key)
            } else {
                hidden[row.changes.entity.name]?.remove(row.key)
            }
        }

        /// The record of a deletion cannot be handed out.
        mutating func noteUnknownDeletion(of row: ChangedRow) {
            if hidden[row.changes.entity.name]?.remove(row.key) == nil { batch?.hasUnknownDeletions = true }
        }
    }

    private let subscription: ChangeSubscription
    private let place = Mutex(Place())

    init(subscription: ChangeSubscription) { self.subscription = subscription }

    /// The next changed record, waiting for one if need be.
    ///
    /// - Parameter consumer: The iteration.
    /// - Returns: `nil` once the store is closed or the task cancelled.
    /// - Throws: ``StorageError`` `.changesMissed`, after which it continues with the changes that follow; `.misuse` if
    ///   another iteration is in progress; as ``ChangeSubscription/next(atMost:)``.
    func next(for consumer: ChangeSubscription.Consumer) async throws -> ChangedRow? {
        try subscription.claim(consumer)
        while true {
            if let row = try place.withLock({ place throws(StorageError) in try place.next() }) { return row }
            guard let next = try await subscription.next(atMost: 1)?.first else { return nil }
            if next.knowledge == .missed { throw StorageError.changesMissed(of: next.entity) }
            place.withLock { ($0.batch, $0.index) = (next, 0) }
        }
    }

    /// The record of the change that ``next(for:)`` has returned, or `nil` if the record it belonged to is gone by now.
    ///
    /// Then its deletion follows. Of a deletion itself the record is not known any longer: once the other changes of
    /// its commit are taken, ``next(for:)`` throws `.changesMissed`.
    func model<M: Model>(_ type: M.Type, of row: ChangedRow, loader: DataStore) throws(ModelError) -> M? {
        let changes = row.changes
        let reader = RowReader(changes.rows, row: row.index, loader: loader, parents: changes.parents)
        let model: M
        do {
            model = try M(row: reader)
        } catch {
            if error.kind != .missingRelation { throw error }
            if row.kind == .deleted { place.withLock { $0.noteUnknownDeletion(of: row) } }
            return nil
        }
        place.withLock { $0.noteKnown(row) }
        return model
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

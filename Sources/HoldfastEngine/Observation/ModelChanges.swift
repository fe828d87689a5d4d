public import HoldfastModel
import HoldfastStorage

/// One change of one record.
public struct ModelChange<M: Model>: Sendable {
    /// What happened.
    public let kind: ChangeKind
    /// The record after the change; for a deletion, as it was.
    public let model: M
}

/// The changes of a model's records, in the order of their commits.
///
/// Ends when the store is closed or the consuming task is cancelled; a model that holds its parents cannot be read any
/// more then, so of such a model the changes not yet taken are dropped. Consume it once, from one task.
public struct ModelChanges<M: Model>: AsyncSequence, Sendable {
    let subscription: ChangeSubscription
    let predicate: BoundPredicate
    let store: DataStore

    /// Starts consuming.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: self) }

    /// Takes the changes one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let changes: ModelChanges
        private var batches: ArraySlice<ChangeSet> = []
        private var row = 0
        private var parents: ParentRows?

        init(changes: ModelChanges) { self.changes = changes }

        /// The next change, waiting for one if need be.
        ///
        /// - Returns: `nil` once the store is closed or the task cancelled.
        /// - Throws: ``ModelError`` `.decodingFailed` if a stored record does not fit the model.
        public mutating func next() async throws -> ModelChange<M>? {
            while true {
                while let batch = batches.first {
                    while row < batch.kinds.count {
                        let index = row
                        if index == 0 {
                            do {
                                parents = try await changes.store.parents(of: batch, in: M.self)
                            } catch let error as StorageError where error.kind == .closed {
                                batches = []
                                return nil
                            }
                        }
                        row += 1
                        guard batch.rows.withRow(index, changes.predicate.matches) else { continue }
                        if let change = try change(batch, index) { return change }
                    }
                    batches = batches.dropFirst()
                    row = 0
                }
                guard let more = await changes.subscription.next() else { return nil }
                batches = more[...]
            }
        }

        /// The change of a row, or `nil` if the record it belonged to is gone by now; then the deletion follows.
        private func change(_ batch: ChangeSet, _ row: Int) throws(ModelError) -> ModelChange<M>? {
            let reader = RowReader(batch.rows, row: row, loader: changes.store, parents: parents)
            do {
                return ModelChange(kind: batch.kinds[row], model: try M(row: reader))
            } catch {
                if error.kind == .missingRelation && batch.kinds[row] != .deleted { return nil }
                throw error
            }
        }
    }
}

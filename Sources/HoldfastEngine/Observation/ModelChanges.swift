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
/// Ends when the store is closed or the consuming task is cancelled. Consume it once, from one task.
public struct ModelChanges<M: Model>: AsyncSequence, Sendable {
    let subscription: ChangeSubscription
    let predicate: BoundPredicate
    let loader: any ModelLoader

    /// Starts consuming.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: self) }

    /// Takes the changes one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let changes: ModelChanges
        private var batches: ArraySlice<ChangeSet> = []
        private var row = 0

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
                        row += 1
                        guard batch.rows.withRow(index, changes.predicate.matches) else { continue }
                        let reader = RowReader(batch.rows, row: index, loader: changes.loader)
                        return ModelChange(kind: batch.kinds[index], model: try M(row: reader))
                    }
                    batches = batches.dropFirst()
                    row = 0
                }
                guard let more = await changes.subscription.next() else { return nil }
                batches = more[...]
            }
        }
    }
}

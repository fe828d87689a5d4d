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
/// Ends when the consuming task is cancelled, or when the store is closed and all changes until then are taken. Consume
/// it once, from one task.
public struct ModelChanges<M: Model>: AsyncSequence, Sendable {
    let subscription: ChangeSubscription
    let condition: BoundCondition
    let store: DataStore

    /// Starts consuming.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: self) }

    /// Takes the changes one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let changes: ModelChanges
        private var batch: ChangeSet?
        private var row = 0

        init(changes: ModelChanges) { self.changes = changes }

        /// The next change, waiting for one if need be.
        ///
        /// - Returns: `nil` once the store is closed or the task cancelled.
        /// - Throws: ``ModelError`` `.decodingFailed` if a stored record does not fit the model; ``StorageError`` `.io` if
        ///   related records cannot be read.
        public mutating func next() async throws -> ModelChange<M>? {
            while true {
                while let batch, row < batch.kinds.count {
                    defer { row += 1 }
                    if matches(batch, row), let change = try change(batch, row) { return change }
                }
                guard let next = try await changes.subscription.next(atMost: 1)?.first else { return nil }
                batch = next
                row = 0
            }
        }

        private func matches(_ batch: ChangeSet, _ row: Int) -> Bool {
            batch.rows.withRow(row, changes.condition.matches) ?? batch.matches?[row] ?? false
        }

        /// The change of a row, or `nil` if the record it belonged to is gone by now; then the deletion follows.
        private func change(_ batch: ChangeSet, _ row: Int) throws(ModelError) -> ModelChange<M>? {
            let reader = RowReader(batch.rows, row: row, loader: changes.store, parents: batch.parents)
            do {
                return ModelChange(kind: batch.kinds[row], model: try M(row: reader))
            } catch {
                if error.kind == .missingRelation && batch.kinds[row] != .deleted { return nil }
                throw error
            }
        }
    }
}

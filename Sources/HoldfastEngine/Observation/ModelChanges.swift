public import HoldfastModel
import HoldfastStorage

/// One change of one record.
public struct ModelChange<M: Model>: Sendable {
    /// What happened.
    public let kind: ChangeKind
    /// The record after the change; for a deletion, as it was.
    public let model: M
    /// Who made the change; of several changes that became one, the service only if all were its.
    public let origin: ChangeOrigin
    /// The service's version of the record, if the change came from it.
    public let serviceVersion: Int64?
}

/// The changes of a model's records, in the order of their commits.
///
/// Ends when the consuming task is cancelled, or when the store is closed and all changes until then are taken. Each
/// change goes to one iteration only, so a second one fails with ``/HoldfastStorage/StorageError`` `.misuse` while
/// the first exists. Later it continues after the last change that the first has taken.
///
/// An error of kind `.changesMissed` says that any record of the model may have changed: query again what matters, then
/// continue with `next()` or with another iteration. An error of kind `.decodingFailed` is about one record. Neither
/// ends the observation, and the changes after it still come.
public struct ModelChanges<M: Model>: AsyncSequence, Sendable {
    let rows: ChangedRows
    let condition: BoundCondition
    let store: DataStore

    /// Starts consuming.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: self) }

    /// Takes the changes one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let changes: ModelChanges
        private let consumer = ChangeSubscription.Consumer()

        init(changes: ModelChanges) { self.changes = changes }

        /// The next change, waiting for one if need be.
        ///
        /// - Returns: `nil` once the store is closed or the task cancelled.
        /// - Throws: ``/HoldfastModel/ModelError`` `.decodingFailed` if a stored record does not fit the model;
        ///   ``/HoldfastStorage/StorageError`` `.changesMissed`, `.io` if related records cannot be read, `.misuse`
        ///   if another iteration is in progress. The next call continues with the change after it. After an error
        ///   whose `retry` is `.afterBackoff`, for instance `.busy`, it tries again and misses nothing.
        public mutating func next() async throws -> ModelChange<M>? {
            while let row = try await changes.rows.next(for: consumer) {
                if !row.matches(changes.condition) { continue }
                if let model = try changes.rows.model(M.self, of: row, loader: changes.store) {
                    return ModelChange(
                        kind: row.kind, model: model, origin: row.changes.origin, serviceVersion: row.serviceVersion)
                }
            }
            return nil
        }
    }
}

public import HoldfastModel
import HoldfastStorage

/// One change of one record of any model.
public struct AnyModelChange: Sendable {
    /// What happened.
    public let kind: ChangeKind
    /// The record after the change; for a deletion, as it was.
    public let model: any Model
    /// Who made the change; of several changes that became one, the service only if all were its.
    public let origin: ChangeOrigin
    /// The service's version of the record, if the change came from it.
    public let serviceVersion: Int64?
}

/// The changes of several models' records, in the order of their commits.
///
/// Changes by one commit come model by model. Otherwise as ``ModelChanges``.
public struct AnyModelChanges: AsyncSequence, Sendable {
    let rows: ChangedRows
    let store: DataStore

    /// Starts consuming.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: self) }

    /// Takes the changes one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let changes: AnyModelChanges
        private let consumer = ChangeSubscription.Consumer()

        init(changes: AnyModelChanges) { self.changes = changes }

        /// The next change; as that of ``ModelChanges``.
        public mutating func next() async throws -> AnyModelChange? {
            let (rows, store) = (changes.rows, changes.store)
            while let row = try await rows.next(for: consumer) {
                guard let type = store.catalog.model(named: row.changes.entity.name)?.type else { continue }
                if let model = try rows.model(type, of: row, loader: store) {
                    return AnyModelChange(
                        kind: row.kind, model: model, origin: row.changes.origin, serviceVersion: row.serviceVersion)
                }
            }
            return nil
        }
    }
}

package import HoldfastStorage

/// What the application has changed, as rows and without a look at related records.
package struct LocalChange: Sendable {
    /// The model's name.
    package var model: String
    /// What happened to each record.
    package var kinds: [ChangeKind]
    /// The records after the change; for a deletion as they were.
    package var rows: RowBuffer
    /// The records' keys as text: ``RecordKey/outboxText``.
    package var keys: [String]
    /// Whether other records may have changed, too.
    package var isIncomplete: Bool
}

/// The changes that the application makes from now on, in the order of their commits.
///
/// What a service has changed is left out. Ends when the store is closed or the consuming task is cancelled.
package struct LocalChanges: AsyncSequence, Sendable {
    let subscription: ChangeSubscription

    /// Starts consuming.
    package func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

    /// Takes the changes commit by commit.
    package struct Iterator: AsyncIteratorProtocol {
        let subscription: ChangeSubscription

        /// The changes of a model by the next commit; `nil` at the end.
        package mutating func next() async throws -> LocalChange? {
            while let changes = try await subscription.next(atMost: 1)?.first {
                let isKnown = changes.knowledge == .certain
                if isKnown && changes.origin == .remote { continue }
                let entity = changes.entity
                return LocalChange(
                    model: entity.name, kinds: isKnown ? changes.kinds : [],
                    rows: isKnown ? changes.rows : RowBuffer(columnCount: entity.fields.count),
                    keys: isKnown ? changes.kinds.indices.map { entity.key(of: changes.rows[$0]).outboxText } : [],
                    isIncomplete: !isKnown || changes.hasUnknownDeletions)
            }
            return nil
        }
    }
}

extension DataStore {
    /// The changes that the application makes from now on.
    package func observeLocalChanges() -> LocalChanges {
        LocalChanges(subscription: publisher.subscribe(to: Set(catalog.entities.map(\.name))))
    }
}

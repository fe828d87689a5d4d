public import HoldfastModel
import HoldfastStorage

/// The matching records at one moment.
public struct QuerySnapshot<M: Model>: Sendable {
    /// The records, in the query's order.
    public let items: [M]
}

/// A query that answers again after every commit that touches its result.
///
/// The first snapshot comes at once. Commits that happen while the consumer is busy yield one snapshot, the newest.
/// Ends when the store is closed or the consuming task is cancelled.
public struct LiveQuery<M: Model>: AsyncSequence, Sendable {
    let store: DataStore
    let plan: QueryPlan
    let query: BoundQuery

    /// Starts observing.
    public func makeAsyncIterator() -> Iterator { Iterator(live: self) }

    /// Takes the snapshots one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let live: LiveQuery
        private let subscription: ChangeSubscription
        private var keys: Set<RecordKey>?

        init(live: LiveQuery) {
            self.live = live
            subscription = live.store.publisher.subscribe(to: live.plan.entity)
        }

        /// The next snapshot, waiting for a change if the newest was taken.
        ///
        /// - Returns: `nil` once the store is closed or the task cancelled.
        /// - Throws: As a query.
        public mutating func next() async throws -> QuerySnapshot<M>? {
            var isDue = keys == nil
            while !isDue {
                guard let changes = await subscription.next() else { return nil }
                isDue = changes.contains(where: touchesResult)
            }
            let items: [M]
            do {
                items = try await live.store.models(M.self, live.plan)
            } catch let error as StorageError where error.kind == .closed || error.kind == .cancelled {
                return nil
            }
            var keys: Set<RecordKey> = []
            for item in items { keys.insert(try item.recordKey()) }
            self.keys = keys
            return QuerySnapshot(items: items)
        }

        private func touchesResult(_ changes: ChangeSet) -> Bool {
            (0..<changes.rows.rowCount).contains { row in
                changes.kinds[row] != .deleted && changes.rows.withRow(row, live.query.predicate.matches)
                    || keys?.contains(changes.entity.key(of: changes.rows[row])) ?? true
            }
        }
    }
}

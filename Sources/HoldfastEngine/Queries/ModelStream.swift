public import HoldfastModel
import HoldfastStorage

/// The matching records one by one, read in batches from one snapshot: for results too large to hold at once.
///
/// The snapshot is opened by the first `next()` and released at the end, at an error, or with the iterator.
public struct ModelStream<M: Model>: AsyncSequence, Sendable {
    let store: DataStore
    let query: ModelQuery

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    private func models(_ rows: RowBuffer, from snapshot: StoreSnapshot) async throws -> [M] {
        try await store.unreadable.leavingOut(of: M.modelName) { hidesUnreadable in
            var models: [M] = []
            try await store.read(
                rows, of: query.model, from: snapshot, loader: store, hidesUnreadable: hidesUnreadable, into: &models)
            return models
        }
    }

    /// Takes the records one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let stream: ModelStream
        private var snapshot: StoreSnapshot?
        private var scan: ModelScan?
        private var models: ArraySlice<M> = []
        private var isOver = false

        init(stream: ModelStream) { self.stream = stream }

        /// The next record, or `nil` at the end.
        ///
        /// - Throws: As a query.
        public mutating func next() async throws -> M? {
            while models.isEmpty && !isOver { try await nextBatch() }
            return models.popFirst()
        }

        private mutating func nextBatch() async throws {
            var batch: [M] = []
            var rows = RowBuffer()
            do {
                if scan == nil {
                    let opened = try await stream.store.store.snapshot()
                    snapshot = opened
                    scan = try await stream.store.reader(opened).scan(stream.query)
                }
                try await scan?.next(into: &rows)
                if let snapshot { batch = try await stream.models(rows, from: snapshot) }
            } catch {
                await finish()
                // In the words of `DataStore.cancellable(_:)`.
                try await stream.store.cancellable { throw error }
            }
            models = batch[...]
            if rows.isEmpty { await finish() }
        }

        private mutating func finish() async {
            isOver = true
            scan = nil
            await snapshot?.close()
            snapshot = nil
        }
    }
}

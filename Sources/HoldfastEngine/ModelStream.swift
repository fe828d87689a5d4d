public import HoldfastModel
import HoldfastStorage

/// The matching records one by one, read in batches from one snapshot: for results too large to hold at once.
///
/// The snapshot is opened by the first `next()` and released at the end, at an error, or with the iterator.
public struct ModelStream<M: Model>: AsyncSequence, Sendable {
    let store: DataStore
    let plan: QueryPlan

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    /// Takes the records one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let stream: ModelStream
        private var snapshot: StoreSnapshot?
        private var scan: StoreScan?
        private var rows = RowBuffer()
        private var parents: ParentRows?
        private var row = 0
        private var isOver = false

        init(stream: ModelStream) { self.stream = stream }

        /// The next record, or `nil` at the end.
        ///
        /// - Throws: As a query.
        public mutating func next() async throws -> M? {
            if row == rows.rowCount {
                try await nextBatch()
                if rows.isEmpty { return nil }
            }
            defer { row += 1 }
            return try M(row: RowReader(rows, row: row, loader: stream.store, parents: parents))
        }

        private mutating func nextBatch() async throws {
            row = 0
            rows.reset(columnCount: 0)
            if isOver { return }
            do {
                if scan == nil {
                    snapshot = try await stream.store.store.snapshot()
                    scan = try await snapshot?.query(stream.plan)
                }
                try await scan?.next(into: &rows)
                if let snapshot {
                    parents = try await stream.store.parents(
                        of: rows, of: stream.store.catalog.model(M.self), from: snapshot)
                }
            } catch {
                await finish()
                throw error
            }
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

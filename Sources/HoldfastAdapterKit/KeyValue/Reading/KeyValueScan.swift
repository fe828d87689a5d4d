internal import HoldfastStorage

/// The records along an access path, read in batches on the adapter's own threads.
///
/// A small batch is read where it is asked for: going to another thread and back takes as long.
final class KeyValueScan: AdapterScan {
    private enum State {
        /// With what is left to read, and how many rows of it at most.
        case waiting(KeyValueRowIterator, Int)
        case reading
        case over
    }

    private let snapshot: KeyValueSnapshot
    private let columnCount: Int
    private let state: Mutex<State>
    /// No batch is larger; grows, since a caller that continues asking wants more.
    private let rowLimit: Mutex<Int>

    /// A batch with more rows is not read on the caller's thread.
    private static let inlineRowCount = 128

    init(
        _ snapshot: KeyValueSnapshot, _ iterator: KeyValueRowIterator, firstRowCount: Int = .max, limit: Int = .max
    ) {
        self.snapshot = snapshot
        columnCount = iterator.table.entity.fields.count
        state = Mutex(limit > 0 ? .waiting(iterator, limit) : .over)
        rowLimit = Mutex(firstRowCount)
    }

    func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        rows.reset(columnCount: columnCount)
        let view = try snapshot.view()
        try snapshot.store.database.checkIsOpen()
        guard let (iterator, remaining) = try begin() else { return }
        let count = rowLimit.withLock { limit in
            defer { limit = limit > .max / 2 ? .max : limit * 2 }
            return min(maximumRowCount, limit, remaining)
        }
        let cancellation = Cancellation()
        /// Reads the batch; returns what is left to read.
        @Sendable func read(_ rows: inout RowBuffer) throws(StorageError) -> KeyValueRowIterator? {
            try view.read { view throws(StorageError) in
                var iterator = iterator
                let isOver = try iterator.fill(&rows, count, view, cancellation)
                return isOver ? nil : iterator
            }
        }
        do {
            let rest: KeyValueRowIterator?
            rows.reset(columnCount: columnCount, rowCapacity: min(count, Self.inlineRowCount))
            if count <= Self.inlineRowCount && snapshot.store.database.engine.readsConcurrently {
                rest = try read(&rows)
            } else {
                rest = try await snapshot.store.readQueue.fill(&rows, stopping: cancellation) {
                    rows throws(StorageError) in try read(&rows)
                }
            }
            end(rest, remaining - rows.rowCount)
        } catch {
            end(nil, 0)
            rows.reset(columnCount: columnCount)
            throw error
        }
    }

    /// Takes what is left to read; `nil` if nothing is.
    private func begin() throws(StorageError) -> (KeyValueRowIterator, Int)? {
        try state.withLock { state throws(StorageError) in
            switch state {
            case .waiting(let iterator, let remaining):
                state = .reading
                return (iterator, remaining)
            case .reading: throw StorageError(.misuse, "Two tasks read one scan; give each a scan of its own.")
            case .over: return nil
            }
        }
    }

    private func end(_ rest: KeyValueRowIterator?, _ remaining: Int) {
        state.withLock { state in
            guard case .reading = state else { return }
            if let rest, remaining > 0 { state = .waiting(rest, remaining) } else { state = .over }
        }
    }

    func close() async { state.withLock { $0 = .over } }
}

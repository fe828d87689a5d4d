internal import HoldfastStorage

/// The records along an access path, read in batches on the adapter's own threads.
///
/// Small batches at the beginning are read where they are asked for: going to another thread and back takes as long.
final class KeyValueScan: AdapterScan {
    private enum State {
        /// With what is left to read, and how many rows of it at most.
        case waiting(KeyValueRowIterator, Int)
        case reading
        case over
    }

    /// How the next batch is read.
    private struct Pace {
        /// No batch is larger; grows, since a caller that continues asking wants more.
        var rowLimit: Int
        /// How many rows may still be read on the caller's thread.
        ///
        /// A filter that few records pass asks for one batch after the other, and would hold the thread for all of them.
        var inlineRowCount = KeyValueScan.inlineRowCount
    }

    private let snapshot: KeyValueSnapshot
    private let columnCount: Int
    private let state: Mutex<State>
    private let pace: Mutex<Pace>

    /// How many rows are read on the caller's thread, at most.
    private static let inlineRowCount = 128

    init(
        _ snapshot: KeyValueSnapshot, _ iterator: KeyValueRowIterator, firstRowCount: Int = .max, limit: Int = .max
    ) {
        self.snapshot = snapshot
        columnCount = iterator.table.entity.fields.count
        state = Mutex(limit > 0 ? .waiting(iterator, limit) : .over)
        pace = Mutex(Pace(rowLimit: firstRowCount))
    }

    func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        rows.reset(columnCount: columnCount)
        let view = try snapshot.view()
        try snapshot.store.database.checkIsOpen()
        guard let (iterator, remaining) = try begin() else { return }
        let (count, isInline) = pace.withLock { pace in
            let count = min(maximumRowCount, pace.rowLimit, remaining)
            pace.rowLimit = pace.rowLimit > .max / 2 ? .max : pace.rowLimit * 2
            let left = pace.inlineRowCount - count
            pace.inlineRowCount = max(0, left)
            return (count, left >= 0)
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
            try StorageError.checkCancellation()
            let rest: KeyValueRowIterator?
            rows.reset(columnCount: columnCount, rowCapacity: min(count, Self.inlineRowCount))
            if isInline && snapshot.store.database.engine.readsConcurrently {
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

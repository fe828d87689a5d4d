internal import HoldfastStorage
internal import Synchronization

/// The records along an access path, read in batches on the adapter's own threads.
final class KeyValueScan: AdapterScan {
    private enum State {
        case waiting(KeyValueRowIterator)
        case reading
        case over
    }

    private let snapshot: KeyValueSnapshot
    private let columnCount: Int
    private let state: Mutex<State>
    /// No batch is larger; grows, since a caller that goes on asking wants more.
    private let rowLimit: Mutex<Int>

    init(_ snapshot: KeyValueSnapshot, _ iterator: KeyValueRowIterator, firstRowCount: Int = .max) {
        self.snapshot = snapshot
        columnCount = iterator.table.entity.fields.count
        state = Mutex(.waiting(iterator))
        rowLimit = Mutex(firstRowCount)
    }

    func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        rows.reset(columnCount: columnCount)
        let view = try snapshot.view()
        try snapshot.store.database.checkIsOpen()
        guard let iterator = try begin() else { return }
        let count = rowLimit.withLock { limit in
            defer { limit = limit > .max / 2 ? .max : limit * 2 }
            return min(maximumRowCount, limit)
        }
        let cancellation = Cancellation()
        do {
            let rest = try await snapshot.store.readQueue.fill(&rows, stopping: cancellation) {
                rows throws(StorageError) in
                try view.read { view throws(StorageError) in
                    var iterator = iterator
                    let isOver = try iterator.fill(&rows, count, view, cancellation)
                    return isOver ? nil : iterator
                }
            }
            end(rest)
        } catch {
            end(nil)
            rows.reset(columnCount: columnCount)
            throw error
        }
    }

    /// Takes what is left to read; `nil` if nothing is.
    private func begin() throws(StorageError) -> KeyValueRowIterator? {
        try state.withLock { state throws(StorageError) in
            switch state {
            case .waiting(let iterator):
                state = .reading
                return iterator
            case .reading: throw StorageError(.misuse, "Two tasks read one scan; give each a scan of its own.")
            case .over: return nil
            }
        }
    }

    private func end(_ rest: KeyValueRowIterator?) {
        state.withLock { state in
            if case .reading = state { state = rest.map { .waiting($0) } ?? .over }
        }
    }

    func close() async { state.withLock { $0 = .over } }
}

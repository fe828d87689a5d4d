#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Copies most of a write-ahead log into the file beside the writer, on a thread and a connection of its own.
///
/// A commit that waited for the whole copy would take ten milliseconds and more. What is written meanwhile is copied by
/// the writer between two groups: only when nothing is left to copy does the log begin again at its start, and beside a
/// busy writer something always is. See <https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files>.
///
/// Unchecked because the connection is touched on the queue only.
final class SQLiteCheckpointer: @unchecked Sendable {
    /// How far the copy has come.
    enum Progress {
        /// Nothing is copied yet.
        case idle
        /// The log is being copied.
        case running
        /// The log is copied as it was when the copy began.
        case done
    }

    private let queue = WorkQueue(label: "holdfast.sqlite.checkpoints")
    private let storedProgress = Mutex(Progress.idle)
    private let open: @Sendable () throws(StorageError) -> SQLiteConnection
    private var connection: SQLiteConnection?

    /// Creates a checkpointer.
    ///
    /// - Parameter open: Opens its connection, once it is needed.
    init(open: @escaping @Sendable () throws(StorageError) -> SQLiteConnection) { self.open = open }

    /// How far the copy has come.
    var progress: Progress { storedProgress.load() }

    /// Starts a copy.
    func start() {
        storedProgress.store(.running)
        queue.enqueue { self.copy() }
    }

    /// Forgets the copy, since the writer has copied the rest.
    func reset() { storedProgress.store(.idle) }

    /// Returns when nothing is copied any longer, and closes the connection.
    func close() async {
        try? await queue.run {
            self.connection?.close()
            self.connection = nil
        }
    }

    /// Copies what is in the log; what a reader still needs is left to the next copy, and after a failure to the
    /// writer.
    private func copy() {
        if connection == nil { connection = try? open() }
        connection?.checkpoint()
        storedProgress.store(.done)
    }
}
#endif

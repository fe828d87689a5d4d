#if SQLite
    internal import CSQLite
    internal import HoldfastAdapterKit
    internal import HoldfastStorage
    internal import Synchronization

    /// The one connection that writes, and the commits that wait for it.
    ///
    /// Commits that arrive while the connection is busy share the next transaction: each is checked and applied in turn,
    /// the transaction is made durable once, and all are acknowledged after that. One that fails is undone alone.
    final class SQLiteWriter: Sendable {
        private struct Inbox {
            var waiting: [SQLitePendingCommit] = []
            var isScheduled = false
            var isClosed = false
        }

        private let queue = WorkQueue(label: "holdfast.sqlite.writer")
        private let inbox = Mutex(Inbox())
        private let applier: SQLiteCommitApplier

        /// Rows after which a group takes no more commits.
        private static let groupRowCount = 20_000

        init(
            _ connection: SQLiteConnection, tables: [String: SQLiteTable], limits: SQLiteLimits, log: SQLiteChangeLog?
        ) {
            applier = SQLiteCommitApplier(connection, tables: tables, limits: limits, log: log)
        }

        // MARK: Waiting

        /// Commits a request with the next group.
        func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
            let pending = SQLitePendingCommit(request)
            let outcome = await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    if pending.wait(continuation) { enqueue(pending) }
                }
            } onCancel: {
                pending.cancel()
            }
            return try outcome.get()
        }

        private func enqueue(_ pending: SQLitePendingCommit) {
            let isAccepted = inbox.withLock { inbox in
                if inbox.isClosed { return false }
                inbox.waiting.append(pending)
                if !inbox.isScheduled { queue.enqueue { self.drain() } }
                inbox.isScheduled = true
                return true
            }
            if !isAccepted { pending.begin()?.resume(returning: .failure(SQLiteStore.closed())) }
        }

        /// Runs blocking work on the writer's connection between two groups.
        func withConnection<Success: Sendable>(
            _ body: @escaping @Sendable (SQLiteConnection) throws(StorageError) -> Success
        ) async throws(StorageError) -> Success {
            try await queue.run { () throws(StorageError) in try body(try self.applier.openConnection()) }
        }

        /// Takes no more commits and carries out those that wait.
        func finish() async {
            inbox.withLock { $0.isClosed = true }
            try? await queue.run {}
        }

        /// Closes the connection after everything else.
        func close() async {
            try? await queue.run { () throws(StorageError) in self.applier.close() }
        }

        // MARK: Groups; on the queue only

        private func drain() {
            while let (durability, count) = nextDurability() {
                do {
                    try applier.begin(durability)
                } catch {
                    // Later arrivals have not waited long enough yet.
                    for pending in takeFirst(count) { pending.begin()?.resume(returning: .failure(error)) }
                    continue
                }
                applier.perform(takeGroup(durability))
                applier.checkpointIfNeeded()
            }
        }

        /// The strongest durability among the commits that wait, and their number; `nil`, and nothing scheduled, if none
        /// does.
        private func nextDurability() -> (durability: Durability, count: Int)? {
            inbox.withLock { inbox in
                let durability = inbox.waiting.map { $0.request.durability ?? .powerLoss }.max()
                if durability == nil { inbox.isScheduled = false }
                return durability.map { ($0, inbox.waiting.count) }
            }
        }

        private func takeFirst(_ count: Int) -> [SQLitePendingCommit] {
            inbox.withLock { inbox in
                defer { inbox.waiting.removeFirst(count) }
                return Array(inbox.waiting.prefix(count))
            }
        }

        /// The commits at the head that ask for no more durability and are not too many.
        private func takeGroup(_ durability: Durability) -> [SQLitePendingCommit] {
            inbox.withLock { inbox in
                var rowCount = 0
                var count = 0
                for pending in inbox.waiting {
                    if pending.request.durability ?? .powerLoss > durability { break }
                    if rowCount > Self.groupRowCount { break }
                    rowCount += pending.rowCount
                    count += 1
                }
                defer { inbox.waiting.removeFirst(count) }
                return Array(inbox.waiting.prefix(count))
            }
        }
    }

    /// A commit on its way, which its task may give up until it is begun.
    final class SQLitePendingCommit: Sendable {
        typealias Outcome = Result<CommitReceipt, StorageError>

        private enum State {
            case new
            case waiting(UnsafeContinuation<Outcome, Never>)
            case cancelled
            case begun
        }

        let request: CommitRequest
        /// The rows and keys of all operations.
        let rowCount: Int
        private let state = Mutex(State.new)

        init(_ request: CommitRequest) {
            self.request = request
            rowCount = request.operations.reduce(0) { count, operation in
                switch operation {
                case .put(_, let rows, _): count + rows.rowCount
                case .delete(_, let keys): count + keys.count
                case .clear: count + 1
                }
            }
        }

        /// Stores who waits.
        ///
        /// - Returns: `false` if the task was cancelled already; it is told so.
        func wait(_ continuation: UnsafeContinuation<Outcome, Never>) -> Bool {
            let isCancelled = state.withLock { state in
                if case .cancelled = state { return true }
                state = .waiting(continuation)
                return false
            }
            if isCancelled { continuation.resume(returning: .failure(SQLiteStore.cancelled())) }
            return !isCancelled
        }

        /// Marks the commit as begun; from now on it is carried through.
        ///
        /// - Returns: Who waits, or `nil` if the commit was cancelled.
        func begin() -> UnsafeContinuation<Outcome, Never>? {
            state.withLock { state in
                guard case .waiting(let continuation) = state else { return nil }
                state = .begun
                return continuation
            }
        }

        /// Gives the commit up if it is not begun.
        func cancel() {
            let waiting = state.withLock { state -> UnsafeContinuation<Outcome, Never>? in
                switch state {
                case .begun, .cancelled: return nil
                case .new:
                    state = .cancelled
                    return nil
                case .waiting(let continuation):
                    state = .cancelled
                    return continuation
                }
            }
            waiting?.resume(returning: .failure(SQLiteStore.cancelled()))
        }
    }
#endif

public import HoldfastStorage

/// The commits that wait for the one writer of a store, carried out in groups on its own thread.
///
/// Commits that arrive while the writer is busy form the next group, so that what makes them durable is paid once. The
/// commits of a group ask for the same durability: one that need not be durable does not make another wait for it, and
/// one that must does not make it wait for the disk. A commit whose task is cancelled before its group is begun has no
/// effect; after that it is carried through.
public final class CommitQueue: Sendable {
    private struct Inbox {
        var waiting: [PendingCommit] = []
        var isScheduled = false
        var isClosed = false
    }

    /// Rows after which a group takes no more commits.
    private static let groupRowCount = 20_000

    private let queue: WorkQueue
    private let writer: any GroupWriter
    private let inbox = Mutex(Inbox())

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - label: Shown by debuggers, such as `holdfast.sqlite.writer`.
    ///   - writer: Carries out the groups; kept alive by the queue.
    public convenience init(label: String, writer: any GroupWriter) {
        self.init(WorkQueue(label: label), writer: writer)
    }

    /// Creates a queue on another one, which must be serial.
    init(_ queue: WorkQueue, writer: any GroupWriter) {
        self.queue = queue
        self.writer = writer
    }

    /// Commits a request with the next group.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed` after ``finish()``, `.cancelled`, or what the writer says.
    public func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        let pending = PendingCommit(request)
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if pending.wait(continuation) { enqueue(pending) }
            }
        } onCancel: {
            pending.cancel()
        }
        return try outcome.get()
    }

    /// Runs other blocking work on the writer's thread, between two groups; also after ``finish()``.
    public func run<Success: Sendable>(
        _ body: @escaping @Sendable () throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        try await queue.run(body)
    }

    /// Takes no more commits and returns when those that wait are carried out; idempotent.
    public func finish() async {
        inbox.withLock { $0.isClosed = true }
        try? await queue.run {}
    }

    /// How many commits wait for their group.
    var waitingCount: Int { inbox.withLock(\.waiting.count) }

    private func enqueue(_ pending: PendingCommit) {
        let isAccepted = inbox.withLock { inbox in
            if inbox.isClosed { return false }
            inbox.waiting.append(pending)
            if !inbox.isScheduled, !queue.runsOnCaller { queue.enqueue { self.drain() } }
            inbox.isScheduled = true
            return true
        }
        // Outside the lock, which the work needs.
        if isAccepted, queue.runsOnCaller { drain() }
        if !isAccepted { pending.begin()?.resume(returning: .failure(StorageError.closedStore())) }
    }

    // MARK: Groups; on the queue only

    private func drain() {
        while let (durability, count) = nextDurability() {
            do {
                try writer.begin(durability)
            } catch {
                // Later arrivals have not waited long enough yet.
                for pending in take(count, durability) { pending.begin()?.resume(returning: .failure(error)) }
                continue
            }
            let members = take(upToRows: Self.groupRowCount, durability).compactMap { pending in
                pending.begin().map { (request: pending.request, continuation: $0) }
            }
            let outcomes = writer.commit(members.map(\.request), durability)
            for (member, outcome) in zip(members, outcomes) { member.continuation.resume(returning: outcome) }
            writer.settle()
        }
    }

    /// What the first commit that waits asks for, and how many ask for the same; `nil`, and nothing scheduled, if none
    /// waits.
    private func nextDurability() -> (durability: Durability, count: Int)? {
        inbox.withLock { inbox in
            let durability = inbox.waiting.first?.durability
            if durability == nil { inbox.isScheduled = false }
            return durability.map { durability in
                (durability, inbox.waiting.count { $0.durability == durability })
            }
        }
    }

    /// Takes the first commits that ask for a durability, until they are enough or have enough rows.
    private func take(
        _ count: Int = .max, upToRows rowLimit: Int = .max, _ durability: Durability
    ) -> [PendingCommit] {
        inbox.withLock { inbox in
            var (taken, left): ([PendingCommit], [PendingCommit]) = ([], [])
            var rowCount = 0
            for pending in inbox.waiting {
                if pending.durability == durability, taken.count < count, rowCount <= rowLimit {
                    rowCount += pending.rowCount
                    taken.append(pending)
                } else {
                    left.append(pending)
                }
            }
            inbox.waiting = left
            return taken
        }
    }
}

extension PendingCommit {
    /// What the commit must survive; the strongest if it does not say.
    fileprivate var durability: Durability { request.durability ?? .powerLoss }
}

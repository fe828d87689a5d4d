public import HoldfastStorage

/// The commits that wait for the one writer of a store, carried out in groups on its own thread.
///
/// Commits that arrive while the writer is busy form the next group, so that what makes them durable is paid once. A
/// commit whose task is cancelled before its group is begun has no effect; after that it is carried through.
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
    /// - Throws: ``HoldfastStorage/StorageError`` `.closed` after ``finish()``, `.cancelled`, or what the writer says.
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
                for pending in takeFirst(count) { pending.begin()?.resume(returning: .failure(error)) }
                continue
            }
            let members = takeGroup(durability).compactMap { pending in
                pending.begin().map { (request: pending.request, continuation: $0) }
            }
            let outcomes = writer.commit(members.map(\.request), durability)
            for (member, outcome) in zip(members, outcomes) { member.continuation.resume(returning: outcome) }
            writer.settle()
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

    private func takeFirst(_ count: Int) -> [PendingCommit] {
        inbox.withLock { inbox in
            defer { inbox.waiting.removeFirst(count) }
            return Array(inbox.waiting.prefix(count))
        }
    }

    /// The commits at the head that ask for no more durability and are not too many.
    private func takeGroup(_ durability: Durability) -> [PendingCommit] {
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

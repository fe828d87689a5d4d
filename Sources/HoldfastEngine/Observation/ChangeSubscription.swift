import HoldfastStorage

/// One observer's place in the stream of changes; has one consumer at a time.
final class ChangeSubscription: Sendable {
    /// Stands for one consumer, for as long as that exists.
    final class Consumer: Sendable {}

    /// What must be done outside of all locks after changes were added.
    struct Wake: Sendable {
        /// The consumer, if it waits.
        var waiter: CheckedContinuation<Void, Never>?
        /// Changes that must be folded.
        var folding: ChangeBuffer.Folding?
    }

    /// Looks up what an observer needs besides the changes themselves, for all that it takes at once.
    typealias Preparation = @Sendable ([ChangeSet]) async throws -> [ChangeSet]

    private struct State {
        var buffer: ChangeBuffer
        weak var consumer: Consumer?
        /// Folds changes that wait.
        var folding: Task<Void, Never>?
        var isFinished = false
        /// Whether what is left is being prepared for the end; the consumer takes nothing until then.
        var isEnding = false
        /// Whether the consumer prepares what it has taken.
        var isPreparing = false
        /// What kept the last changes from being prepared.
        var failure: (any Error)?
        var waiter: CheckedContinuation<Void, Never>?
        /// The end, which waits until the consumer has prepared what it has taken.
        var finisher: CheckedContinuation<Void, Never>?

        /// Whether the consumer can take changes.
        var hasNext: Bool { !isEnding && !buffer.isEmpty }
    }

    private let state: Mutex<State>
    private let preparation: Preparation?
    /// Whether the preparation looks at related records: deletions come with all that their commit deleted, and
    /// commits of what a service said tell what they hide.
    let readsRelatedRecords: Bool
    /// Whether a record that was created and deleted meanwhile is handed out as deleted: it goes by keys, as a live
    /// query.
    let keepsCancelled: Bool

    /// Creates a subscription.
    ///
    /// - Parameters:
    ///   - keepsCancelled: Whether a record that was created and deleted before the consumer took either is still
    ///     handed out as deleted.
    ///   - isFinished: Whether it begins at its end.
    ///   - readsRelatedRecords: Whether the preparation looks at related records; see ``readsRelatedRecords``.
    ///   - preparation: What is done to changes when they are taken, or before the store closes; `nil` for nothing.
    init(
        keepsCancelled: Bool = false, isFinished: Bool = false, readsRelatedRecords: Bool = false,
        preparation: Preparation? = nil
    ) {
        state = Mutex(State(buffer: ChangeBuffer(keepsCancelled: keepsCancelled), isFinished: isFinished))
        self.readsRelatedRecords = readsRelatedRecords
        self.keepsCancelled = keepsCancelled
        self.preparation = preparation
    }

    /// The rows that wait to be taken.
    var rowCount: Int { state.withLock { $0.buffer.rowCount } }

    /// A consumer takes the changes from now on.
    ///
    /// - Throws: ``StorageError`` `.misuse` while another one exists: each change goes to one of them only.
    func claim(_ consumer: Consumer) throws(StorageError) {
        let isFree = state.withLock { state in
            if let current = state.consumer, current !== consumer { return false }
            state.consumer = consumer
            return true
        }
        if !isFree {
            throw StorageError(
                .misuse, "This sequence of changes is already being iterated; observe again for a second iteration.")
        }
    }

    /// Adds the changes of a commit, which the consumer takes together.
    ///
    /// - Returns: What is left to do.
    /// - Complexity: O(1) for each set.
    func append(_ commit: [ChangeSet]) -> Wake {
        state.withLock { state in
            state.buffer.append(commit)
            defer { state.waiter = nil }
            return Wake(waiter: state.waiter, folding: state.buffer.beginFolding())
        }
    }

    /// Folds changes that wait, in its own task; the consumer may continue taking them.
    func fold(_ folding: ChangeBuffer.Folding) {
        let task = Task.detached { [weak self] in
            let folded = folding.folded()
            self?.state.withLock { state in
                state.buffer.endFolding(folding, folded)
                state.folding = nil
            }
        }
        state.withLock { $0.folding = task }
    }

    /// Ends the subscription once everything in it is taken; nothing is added any longer.
    ///
    /// What is still to be taken is prepared now, as the store is about to close.
    func finish() async {
        let (prepared, failure) = await preparedRest()
        let waiter = state.withLock { state in
            state.buffer.putBack(prepared)
            state.failure = failure
            (state.isEnding, state.isFinished) = (false, true)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Takes what is left and prepares it.
    ///
    /// - Returns: What was prepared, and the error that kept the changes after it from being prepared.
    private func preparedRest() async -> (changes: [ChangeSet], failure: (any Error)?) {
        guard let preparation else { return ([], nil) }
        await withCheckedContinuation { continuation in
            let isPreparing = state.withLock { state in
                state.isEnding = true
                if state.isPreparing { state.finisher = continuation }
                return state.isPreparing
            }
            if !isPreparing { continuation.resume() }
        }
        // What is folded needs less preparation.
        await state.withLock(\.folding)?.value
        let rest = state.withLock { $0.buffer.take() }
        var prepared: [ChangeSet] = []
        var failure: (any Error)?
        // A live query will take all of it at once, another observer one by one.
        for changes in keepsCancelled ? [rest] : rest.map({ [$0] }) where failure == nil {
            do {
                prepared += try await preparation(changes)
            } catch {
                failure = error
            }
        }
        return (prepared, failure)
    }

    /// The oldest changes not yet taken; waits for the next one if there are none.
    ///
    /// - Parameter limit: Sets of changes, at most; all by default.
    /// - Returns: `nil` once the store is closed or the task cancelled; what was being prepared then waits for the next
    ///   consumer.
    /// - Throws: What the preparation throws. The changes are lost then, unless the error's advice is to try again.
    func next(atMost limit: Int = .max) async throws -> [ChangeSet]? {
        while !Task.isCancelled {
            let (taken, isPrepared) = state.withLock { state in
                if !state.hasNext { return ([ChangeSet](), false) }
                let taken = state.buffer.take(atMost: limit)
                let isPrepared = state.isFinished || preparation == nil
                state.isPreparing = !taken.isEmpty && !isPrepared
                return (taken, isPrepared)
            }
            if taken.isEmpty {
                if isOver { return try end() }
                await wait()
            } else if isPrepared {
                return taken
            } else {
                return try await prepared(taken)
            }
        }
        return nil
    }

    /// Prepares what the consumer has taken; puts it back and returns `nil` if the task is cancelled meanwhile.
    private func prepared(_ taken: [ChangeSet]) async throws -> [ChangeSet]? {
        let result: [ChangeSet]
        do {
            result = try await preparation?(taken) ?? taken
        } catch let error as StorageError where error.kind == .cancelled && Task.isCancelled {
            endPreparing(puttingBack: taken)
            return nil
        } catch let error as StorageError where error.retry == .afterBackoff {
            endPreparing(puttingBack: taken)
            throw error
        } catch {
            endPreparing()
            throw error
        }
        endPreparing()
        return result
    }

    private func endPreparing(puttingBack taken: [ChangeSet] = []) {
        let finisher = state.withLock { state in
            state.buffer.putBack(taken)
            state.isPreparing = false
            defer { state.finisher = nil }
            return state.finisher
        }
        finisher?.resume()
    }

    private var isOver: Bool { state.withLock { $0.isFinished && $0.buffer.isEmpty } }

    private func end() throws -> [ChangeSet]? {
        let failure = state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
        if let failure { throw failure }
        return nil
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumesNow = state.withLock { state in
                    if state.hasNext || state.isFinished || Task.isCancelled { return true }
                    state.waiter = continuation
                    return false
                }
                if resumesNow { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }
}

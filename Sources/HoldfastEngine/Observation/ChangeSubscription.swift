import HoldfastStorage
import Synchronization

/// One observer's place in the stream of changes; has one consumer at a time.
final class ChangeSubscription: Sendable {
    private struct State {
        var buffer = ChangeBuffer()
        var isEmpty = true
        var isFinished = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Adds the changes of a commit, which the consumer takes together.
    ///
    /// - Returns: The consumer to wake outside of all locks, if one waits.
    func append(_ commit: [ChangeSet]) -> CheckedContinuation<Void, Never>? {
        state.withLock { state in
            for changes in commit { state.buffer.append(changes) }
            state.isEmpty = false
            defer { state.waiter = nil }
            return state.waiter
        }
    }

    /// Ends the subscription once everything in it is taken.
    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// All changes since the last call, oldest first; waits for the next one if there are none.
    ///
    /// - Returns: `nil` once the store is closed or the task cancelled.
    func next() async -> [ChangeSet]? {
        while !Task.isCancelled {
            let (taken, isFinished) = state.withLock { state in
                defer { state.isEmpty = true }
                return (state.isEmpty ? [] : state.buffer.takeAll(), state.isFinished)
            }
            if !taken.isEmpty { return taken }
            if isFinished { return nil }
            await wait()
        }
        return nil
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumesNow = state.withLock { state in
                    if !state.isEmpty || state.isFinished || Task.isCancelled { return true }
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

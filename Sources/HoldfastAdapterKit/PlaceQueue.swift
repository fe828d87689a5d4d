package import HoldfastStorage

/// A limited number of places, for which tasks wait, first come, first served.
package final class PlaceQueue: Sendable {
    private struct Waiter {
        let number: UInt64
        let continuation: UnsafeContinuation<StorageError?, Never>
        let alarm: Task<Void, any Error>

        /// Has the task go on: with a place, or with an error.
        func resume(_ error: StorageError?) {
            alarm.cancel()
            continuation.resume(returning: error)
        }
    }

    private struct State {
        var freeCount: Int
        var waiters: [Waiter] = []
        var lastNumber: UInt64 = 0
        var isClosed = false
    }

    private let state: Mutex<State>

    /// Creates a queue for places that are all free.
    package init(placeCount: Int) { state = Mutex(State(freeCount: placeCount)) }

    /// How many tasks wait.
    package var waitingCount: Int { state.withLock(\.waiters.count) }

    /// Acquires a place, and waits for one if none is free.
    ///
    /// - Parameters:
    ///   - limit: How long to wait.
    ///   - failure: What it fails with if no place becomes free in this time.
    /// - Throws: The failure; ``/HoldfastStorage/StorageError`` `.closed` after ``close()``, `.cancelled`.
    package func acquire(waiting limit: Duration, orThrow failure: StorageError) async throws(StorageError) {
        if try acquireFree() { return }
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let error: StorageError? = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let answer: StorageError?? = state.withLock { state in
                    if state.isClosed { return .some(StorageError.closedStore()) }
                    // A caller who cancels the task from now on finds it among those that wait.
                    if Task.isCancelled { return .some(StorageError.cancelledWork()) }
                    if state.freeCount > 0 {
                        state.freeCount -= 1
                        return .some(nil)
                    }
                    let alarm = Task {
                        // A clock cannot add the longest durations to its time.
                        try await Task.sleep(for: min(limit, .seconds(1 << 30)))
                        self.giveUp(number, failure)
                    }
                    state.waiters.append(Waiter(number: number, continuation: continuation, alarm: alarm))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            giveUp(number, StorageError.cancelledWork())
        }
        if let error { throw error }
    }

    /// Acquires a place if one is free.
    private func acquireFree() throws(StorageError) -> Bool {
        try state.withLock { state throws(StorageError) in
            if state.isClosed { throw StorageError.closedStore() }
            guard state.freeCount > 0 else { return false }
            state.freeCount -= 1
            return true
        }
    }

    /// Releases a place; the task that waits longest acquires it.
    package func release() {
        let next = state.withLock { state -> Waiter? in
            if state.waiters.isEmpty {
                state.freeCount += 1
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.resume(nil)
    }

    /// Lets no one acquire a place any longer, and turns away those who wait.
    package func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(StorageError.closedStore()) }
    }

    /// Ends the waiting of a task; does nothing if it no longer waits.
    private func giveUp(_ number: UInt64, _ error: StorageError) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiters.remove(at: index)
        }
        waiter?.resume(error)
    }
}

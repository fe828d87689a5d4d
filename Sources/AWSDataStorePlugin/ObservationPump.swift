import HoldfastStorage

/// The task that feeds one observer: begun once the store is open, unless the observer is gone by then.
final class ObservationPump: Sendable {
    private enum State {
        case waiting
        case running(Task<Void, Never>)
        case ended
    }

    private let state = Mutex(State.waiting)

    /// Starts feeding; called once.
    ///
    /// - Parameter start: Makes the task, or ends the observer and gives `nil`; not called after ``end()``.
    func begin(_ start: () -> Task<Void, Never>?) {
        let isWaiting = state.withLock { if case .waiting = $0 { true } else { false } }
        // Outside the lock, since ending the observer calls ``end()``.
        guard isWaiting, let task = start() else { return }
        let isEnded = state.withLock { state in
            if case .ended = state { return true }
            state = .running(task)
            return false
        }
        if isEnded { task.cancel() }
    }

    /// The observer is gone.
    func end() {
        let task = state.withLock { state -> Task<Void, Never>? in
            defer { state = .ended }
            if case .running(let task) = state { return task }
            return nil
        }
        task?.cancel()
    }
}

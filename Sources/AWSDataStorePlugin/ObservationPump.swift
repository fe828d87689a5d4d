import Synchronization

/// The task that feeds one observer: begun once the store is open, unless the observer is gone by then.
final class ObservationPump: Sendable {
    private enum State {
        case waiting
        case running(Task<Void, Never>)
        case ended
    }

    private let state = Mutex(State.waiting)

    /// Starts feeding.
    ///
    /// - Parameter start: Makes the task, or gives `nil` if there is nothing to feed; not called after ``end()``.
    func begin(_ start: () -> Task<Void, Never>?) {
        state.withLock { state in
            guard case .waiting = state else { return }
            state = start().map { .running($0) } ?? .ended
        }
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

import Synchronization

/// Runs something that may hang.
///
/// What hangs is cancelled and left behind; it may be blocked in a call that no task can leave.
///
/// - Returns: Whether it ended in time.
func withDeadline(_ limit: Duration, _ body: @escaping @Sendable () async throws -> Void) async throws -> Bool {
    let outcome = Race()
    let work = Task {
        do {
            try await body()
            outcome.settle(.success(true))
        } catch {
            outcome.settle(.failure(error))
        }
    }
    let timer = Task {
        try await Task.sleep(for: limit)
        work.cancel()
        outcome.settle(.success(false))
    }
    defer { timer.cancel() }
    return try await outcome.result()
}

private final class Race: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Bool, any Error>)
        case settled(Result<Bool, any Error>)
    }
    private let state = Mutex(State.open)

    func settle(_ result: Result<Bool, any Error>) {
        let waiter: CheckedContinuation<Bool, any Error>? = state.withLock { state in
            switch state {
            case .open:
                state = .settled(result)
                return nil
            case .awaited(let continuation):
                state = .settled(result)
                return continuation
            case .settled: return nil
            }
        }
        waiter?.resume(with: result)
    }

    func result() async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            let settled: Result<Bool, any Error>? = state.withLock { state in
                if case .settled(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let settled { continuation.resume(with: settled) }
        }
    }
}

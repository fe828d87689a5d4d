import HoldfastStorage
import HoldfastSync

/// Waits for the decision of a conflict handler, which may come on any thread, twice, or never.
final class PendingDecision: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<ConflictChoice, Never>)
        case decided(ConflictChoice)
    }

    private let state = Mutex(State.open)

    /// Asks a handler; the service's record wins if the task is cancelled before it decides.
    func decide(_ data: DataStoreConflictData, _ handler: DataStoreConflictHandler) async -> ConflictChoice {
        handler(data) { self.resolve(ConflictChoice($0)) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let decided = state.withLock { state -> ConflictChoice? in
                    if case .decided(let choice) = state { return choice }
                    state = .waiting(continuation)
                    return nil
                }
                if let decided { continuation.resume(returning: decided) }
            }
        } onCancel: {
            resolve(.applyRemote)
        }
    }

    /// The first decision counts.
    private func resolve(_ choice: ConflictChoice) {
        let waiting = state.withLock { state -> CheckedContinuation<ConflictChoice, Never>? in
            switch state {
            case .decided: return nil
            case .open:
                state = .decided(choice)
                return nil
            case .waiting(let continuation):
                state = .decided(choice)
                return continuation
            }
        }
        waiting?.resume(returning: choice)
    }
}

extension ConflictChoice {
    fileprivate init(_ result: DataStoreConflictHandlerResult) {
        self =
            switch result {
            case .applyRemote: .applyRemote
            case .retryLocal: .retryLocal
            case .retry(let model): .retry(model)
            }
    }
}

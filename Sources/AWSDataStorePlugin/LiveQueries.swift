import HoldfastStorage

/// The live queries of a plug-in, which start again when the store is cleared.
final class LiveQueries: Sendable {
    private struct Running {
        var task: Task<Void, any Error>
        var restarts = false
    }

    private struct State {
        var running: [UInt64: Running] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Runs a live query until it ends by itself or the task is cancelled, again after each ``restart()``.
    func run(_ query: @escaping @Sendable () async throws -> Void) async throws {
        var isAgain = true
        while isAgain && !Task.isCancelled {
            let task = Task { try await query() }
            let number = state.withLock { state in
                state.next += 1
                state.running[state.next] = Running(task: task)
                return state.next
            }
            let result = await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                task.cancel()
            }
            isAgain = state.withLock { $0.running.removeValue(forKey: number)?.restarts ?? false }
            if !isAgain { try result.get() }
        }
    }

    /// Starts all live queries again.
    func restart() { cancel(restarts: true) }

    /// Ends all live queries.
    func end() { cancel(restarts: false) }

    private func cancel(restarts: Bool) {
        let tasks = state.withLock { state in
            for number in state.running.keys { state.running[number]?.restarts = restarts }
            return state.running.values.map(\.task)
        }
        for task in tasks { task.cancel() }
    }
}

import HoldfastStorage

/// Lets tests of several targets use something that the process has one of, one test at a time.
package final class ExclusiveUse: Sendable {
    private struct State {
        var isTaken = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// Of the `ModelRegistry`.
    package static let modelRegistry = ExclusiveUse()

    private let state = Mutex(State())

    /// Waits for the others, runs a test, and lets the next one in.
    package func callAsFunction<Result>(_ body: () async throws -> Result) async throws -> Result {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken {
                    state.waiters.append(continuation)
                    return false
                }
                state.isTaken = true
                return true
            }
            if isFree { continuation.resume() }
        }
        defer { leave() }
        return try await body()
    }

    private func leave() {
        let next = state.withLock { state in
            if state.waiters.isEmpty {
                state.isTaken = false
                return nil as CheckedContinuation<Void, Never>?
            }
            return state.waiters.removeFirst()
        }
        next?.resume()
    }
}

import Foundation
import HoldfastStorage

/// Lets a limited number of tasks of this process work at the same time, in the order in which they came.
package final class Turns: Sendable {
    /// As many as the machine has cores.
    package static let ofCores = Turns(ProcessInfo.processInfo.activeProcessorCount)

    private struct State {
        var freeCount: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(freeCount: max(1, count))) }

    /// Does something when its turn has come.
    package func take<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        await begin()
        defer { end() }
        return try await body()
    }

    private func begin() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.freeCount > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.freeCount -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func end() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.freeCount += 1
            return nil
        }
        next?.resume()
    }
}

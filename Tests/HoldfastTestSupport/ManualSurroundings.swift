package import HoldfastStorage

/// Time and randomness of a test: a clock that the test moves, and numbers from a counter.
package final class ManualSurroundings: Sendable {
    /// Whether someone waits for a sleeper, by its whole time and by what is left of it.
    private typealias Watch = @Sendable (_ length: Int64, _ rest: Int64) -> Bool

    private struct State {
        var microseconds: Int64 = 1_700_000_000_000_000
        var counter: UInt64 = 0
        var watchers: [(isAwaited: Watch, continuation: CheckedContinuation<Void, Never>)] = []
        var sleepers: [UInt64: (until: Int64, length: Int64, continuation: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state = Mutex(State())
    private let shortestPause: Int64

    /// Creates surroundings.
    ///
    /// - Parameter shortestPause: Shorter pauses end at once, so that a test need not know each of them.
    package init(shortestPause: Duration = .milliseconds(5)) {
        self.shortestPause = shortestPause.microseconds
    }

    /// Microseconds since 1970.
    package var microseconds: Int64 { state.withLock { $0.microseconds } }

    /// Moves the clock on and wakes those whose time has come.
    package func advance(_ duration: Duration) {
        let woken = state.withLock { state in
            state.microseconds += duration.microseconds
            let woken = state.sleepers.filter { $0.value.until <= state.microseconds }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Waits until something sleeps that will wake within a time.
    package func waitForSleeper(within duration: Duration = .seconds(1 << 40)) async {
        let limit = duration.microseconds
        await watch { _, rest in rest <= limit }
    }

    /// Waits until something sleeps whose whole time is the given one.
    package func waitForSleeper(of duration: Duration) async {
        let wanted = duration.microseconds
        await watch { length, _ in length == wanted }
    }

    private func watch(_ isAwaited: @escaping Watch) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isThere = state.withLock { state in
                let now = state.microseconds
                if state.sleepers.values.contains(where: { isAwaited($0.length, $0.until - now) }) { return true }
                state.watchers.append((isAwaited, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func sleep(_ duration: Duration) async throws {
        let id = next()
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let length = duration.microseconds
                let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                    if Task.isCancelled || length <= 0 || length < shortestPause { return [continuation] }
                    state.sleepers[id] = (state.microseconds + length, length, continuation)
                    let watchers = state.watchers.filter { $0.isAwaited(length, length) }
                    state.watchers.removeAll { $0.isAwaited(length, length) }
                    return watchers.map(\.continuation)
                }
                for continuation in woken { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
        }
        try Task.checkCancellation()
    }

    private func next() -> UInt64 {
        state.withLock { state in
            state.counter += 1
            return state.counter
        }
    }

    package var surroundings: Surroundings {
        Surroundings(
            wallMicroseconds: { self.microseconds }, uptime: { .microseconds(self.microseconds) },
            sleep: { try await self.sleep($0) }, random: { self.next() &* 0x9E37_79B9_7F4A_7C15 })
    }
}

import Foundation
import HoldfastStorage

/// Watches something that may hang, from a thread of its own.
///
/// This is a watchdog, not a limit of the adapter: it waits so long that no machine is too slow for it. Only seconds
/// count in which Swift's threads took up a task, so that what waits behind hundreds of others does not look as if it
/// hung. It needs a thread of its own, because an adapter that blocks its caller can hold every thread that Swift's
/// timers run on.
final class Watchdog: Sendable {
    /// Ten minutes.
    static let timeout = Duration.seconds(600)
    /// How long it waits for a mutant that says that it hangs.
    static let timeoutWithHangingMutants = Duration.seconds(3)

    private struct State {
        var timeout: Duration
        /// For how long Swift's threads have taken up tasks.
        var spent = Duration.zero
        var isOver = false
    }
    private let state: Mutex<State>
    private let news = DispatchSemaphore(value: 0)

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - timeout: How long it waits.
    ///   - action: Called on the watchdog's thread, unless ``stop()`` comes first.
    init(_ timeout: Duration, _ action: @escaping @Sendable () -> Void) {
        state = Mutex(State(timeout: timeout))
        Thread.detachNewThread { [self] in if !isStopped() { action() } }
    }

    /// Ends the watch.
    func stop() {
        state.withLock { $0.isOver = true }
        news.signal()
    }

    /// Waits at most this much longer.
    func shorten(to timeout: Duration) {
        state.withLock { $0.timeout = min($0.timeout, $0.spent + timeout) }
        news.signal()
    }

    private func isStopped() -> Bool {
        var pulse = Self.pulse()
        var silence = Duration.zero
        while true {
            let state = state.load()
            if state.isOver { return true }
            if max(state.spent, silence) >= state.timeout { return false }
            let step = min(state.timeout - max(state.spent, silence), .seconds(1))
            let start = ContinuousClock.now
            _ = news.wait(timeout: .now() + step.inSeconds)
            // The machine may have slept.
            let passed = min(start.duration(to: .now), step)
            if pulse.isSet {
                self.state.withLock { $0.spent += passed }
                pulse = Self.pulse()
                silence = .zero
            } else {
                silence += passed
            }
        }
    }

    /// A flag that a new task sets as soon as it gets a thread.
    private static func pulse() -> SharedFlag {
        let flag = SharedFlag()
        Task.detached { flag.set() }
        return flag
    }
}

extension Watchdog {
    /// How something ended that was watched.
    enum Outcome: Sendable {
        case ended
        /// The watchdog gave it up. It was cancelled and is left behind.
        case gaveUp
    }

    /// Runs something under a watchdog.
    ///
    /// - Parameters:
    ///   - timeout: How long it may take.
    ///   - trigger: A mutant that may say that it hangs.
    ///   - whenBlocked: Called on the watchdog's thread if nothing more can run on Swift's threads.
    ///   - body: What may hang.
    /// - Returns: Whether `body` ended in time or was given up.
    /// - Throws: The error of `body`, if it fails in time.
    static func watch(
        _ timeout: Duration, _ trigger: MutantTrigger?, whenBlocked: @escaping @Sendable () -> Void,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> Outcome {
        let race = Race()
        let work = Task {
            do {
                try await body()
                race.settle(.success(.ended))
            } catch {
                race.settle(.failure(error))
            }
        }
        let watchdog = Watchdog(timeout) {
            let isHanging = trigger?.isHanging == true
            // Beside hundreds of other tests a new task may wait for a thread for minutes.
            if !swiftIsAlive(within: isHanging ? timeoutWithHangingMutants : Self.timeout) {
                whenBlocked()
            }
            race.settle(.success(.gaveUp))
            work.cancel()
        }
        defer { watchdog.stop() }
        trigger?.onHang { watchdog.shorten(to: timeoutWithHangingMutants) }
        return try await race.result()
    }

    /// Whether a new task gets a thread, and the main actor is free.
    private static func swiftIsAlive(within timeout: Duration) -> Bool {
        let answer = DispatchSemaphore(value: 0)
        Task.detached { answer.signal() }
        Task { @MainActor in answer.signal() }
        let end = DispatchTime.now() + timeout.inSeconds
        return (0..<2).allSatisfy { _ in answer.wait(timeout: end) == .success }
    }
}

private final class Race: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Watchdog.Outcome, any Error>)
        case settled(Result<Watchdog.Outcome, any Error>)
    }
    private let state = Mutex(State.open)

    func settle(_ result: Result<Watchdog.Outcome, any Error>) {
        let waiter: CheckedContinuation<Watchdog.Outcome, any Error>? = state.withLock { state in
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

    func result() async throws -> Watchdog.Outcome {
        try await withCheckedThrowingContinuation { continuation in
            let settled: Result<Watchdog.Outcome, any Error>? = state.withLock { state in
                if case .settled(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let settled { continuation.resume(with: settled) }
        }
    }
}

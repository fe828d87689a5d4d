#if CLI
import Foundation
import HoldfastEngine
import HoldfastStorage

/// Shows how far a copy has come on the standard error: one line that changes on a terminal, elsewhere a line for
/// each entity that is done and every five seconds.
final class ProgressLine: Sendable {
    private struct State {
        var shown: ContinuousClock.Instant?
        /// The length of the line that is on the terminal.
        var width = 0
    }

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    /// Shows a step, or not if the last one was just shown.
    func show(_ progress: StoreCopy.Progress) {
        let isDone = progress.recordCount >= progress.totalCount
        state.withLock { state in
            let now = ContinuousClock.now
            let pause: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
            if !isDone, let shown = state.shown, now - shown < pause { return }
            if !isTerminal && !isDone && state.shown == nil { return state.shown = now }
            state.shown = now
            let counts = "\(progress.recordCount)/\(progress.totalCount)"
            let line = "\(progress.phase.rawValue) \(progress.entity): \(counts)"
            guard isTerminal else { return Output.error(line) }
            let blanks = String(repeating: " ", count: max(0, state.width - line.count))
            Output.error("\r\(line)\(blanks)", terminator: "")
            state.width = line.count
        }
    }

    /// Clears the line on a terminal.
    func end() {
        state.withLock { state in
            guard isTerminal && state.width > 0 else { return }
            Output.error("\r\(String(repeating: " ", count: state.width))\r", terminator: "")
            state.width = 0
        }
    }
}
#endif

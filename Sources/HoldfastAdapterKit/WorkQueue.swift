internal import Dispatch
public import HoldfastStorage

/// Threads of an adapter's own for calls that block, so that they never hold up the caller's executor.
///
/// A call takes tens of microseconds to get there and back, so do a batch of work in one call.
///
/// ```swift
/// let queue = WorkQueue(label: "holdfast.tin.writer")
/// let sum = try await queue.run { (1...1_000).reduce(0, +) }  // runs on a thread of the queue
/// ```
public struct WorkQueue: Sendable {
    /// How many pieces of work run at once.
    public enum Width: Sendable, Hashable {
        /// One after the other, in the order given.
        case serial
        /// As many as the system has threads for, in no order.
        case concurrent
    }

    private static let callersDoTheWork = Mutex(false)

    /// `nil` if the caller does the work.
    private let queue: DispatchQueue?

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - label: Shown by debuggers, such as `holdfast.sqlite.writer`.
    ///   - width: One after the other by default.
    public init(label: String, width: Width = .serial) {
        self.init(label: label, width: width, runsOnCaller: Self.callersDoTheWork.load())
    }

    /// Creates a queue that may have the caller do its work.
    init(label: String, width: Width = .serial, runsOnCaller: Bool) {
        queue = runsOnCaller ? nil : DispatchQueue(label: label, attributes: width == .serial ? [] : .concurrent)
    }

    /// Has all queues of the process that are created from now on do their work on the thread that asks for it.
    ///
    /// For a process that does everything on one thread, so that the order of things can be repeated, such as a
    /// simulation.
    package static func runOnCallers() { callersDoTheWork.store(true) }

    /// Whether work is done by the caller.
    var runsOnCaller: Bool { queue == nil }

    /// Runs blocking work and waits for it without blocking a thread.
    ///
    /// Cancellation of the task does not reach the work; see to it with `withTaskCancellationHandler`.
    ///
    /// - Parameter body: Runs once, on a thread of the queue.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    public func run<Success: Sendable>(
        _ body: @escaping @Sendable () throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        guard let queue else { return try body() }
        let outcome = await withUnsafeContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: body)) }
        }
        return try outcome.get()
    }

    /// Runs work later, without waiting.
    public func enqueue(_ body: @escaping @Sendable () -> Void) {
        if let queue { queue.async(execute: body) } else { body() }
    }
}

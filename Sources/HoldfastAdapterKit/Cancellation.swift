public import HoldfastStorage

/// Whether the task that waits for some work was cancelled; the work asks from time to time.
public final class Cancellation: Sendable {
    private let flag = Mutex(false)

    /// Creates one for work that has not been cancelled.
    public init() {}

    /// Whether the work should stop.
    public var isCancelled: Bool { flag.load() }

    /// Has the work stop soon; from any thread.
    public func cancel() { flag.store(true) }

    /// Stops the work if no task waits for it any longer.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.cancelled`.
    public func check() throws(StorageError) {
        if isCancelled { throw StorageError.cancelledWork() }
    }
}

extension WorkQueue {
    /// Runs blocking work that stops soon after the task is cancelled.
    ///
    /// - Parameters:
    ///   - cancellation: Cancelled when the task is; the work asks it.
    ///   - body: As in ``run(_:)``.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    public func run<Success: Sendable>(
        stopping cancellation: Cancellation, _ body: @escaping @Sendable () throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        let outcome: Result<Success, StorageError> = await withTaskCancellationHandler {
            do throws(StorageError) {
                return .success(try await run(body))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try outcome.get()
    }

    /// Runs blocking work that fills a buffer, without copying the buffer, and stops soon after the task is cancelled.
    ///
    /// - Parameters:
    ///   - rows: Handed to the work and back; after an error it holds what the work left in it.
    ///   - cancellation: What the work asks; a new one by default.
    ///   - body: As in ``run(_:)``.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    public func fill<Success: Sendable>(
        _ rows: inout RowBuffer, stopping cancellation: Cancellation = Cancellation(),
        _ body: @escaping @Sendable (inout RowBuffer) throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        let box = RowBox(&rows)
        defer { box.giveBack(to: &rows) }
        return try await run(stopping: cancellation) { () throws(StorageError) in try body(&box.rows) }
    }
}

/// A row buffer on its way to another thread and back.
///
/// Unchecked because its maker waits for that thread.
private final class RowBox: @unchecked Sendable {
    var rows = RowBuffer()

    /// Takes over the content of a buffer without copying it.
    init(_ source: inout RowBuffer) { swap(&rows, &source) }

    /// Moves the content back.
    func giveBack(to target: inout RowBuffer) { swap(&rows, &target) }
}

import Dispatch

/// Carries out the calls of the completion form one after the other, in the order in which they were made.
///
/// So a record saved before another, without waiting, is stored before it. Callbacks run on threads of their own: one
/// that blocks holds up no call.
public final class DataStoreCallbackQueue: Sendable {
    private let continuation: AsyncStream<@Sendable () async -> Void>.Continuation

    /// Creates a queue without calls.
    public init() {
        let (stream, continuation) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
        self.continuation = continuation
        // The one task of the completion form; ends with the queue.
        Task {
            for await call in stream { await call() }
        }
    }

    deinit { continuation.finish() }

    /// Carries out a call and hands its result to a callback.
    public func run<Success: Sendable>(
        _ completion: @escaping DataStoreCallback<Success>, _ call: @escaping @Sendable () async throws -> Success
    ) {
        continuation.yield {
            let result: DataStoreResult<Success>
            do {
                result = .success(try await call())
            } catch {
                result = .failure(causedBy: error)
            }
            DispatchQueue.global().async { completion(result) }
        }
    }
}

#if Sync
internal import HoldfastSync

/// Does something in a limited time.
///
/// - Parameters:
///   - limit: The time; then the task is cancelled, and must return.
///   - failure: What is missing then, as in "no answer".
///   - onTimeout: Called when the time is over; does nothing by default.
///   - body: Returns soon when its task is cancelled.
/// - Returns: The result of `body`; a failure `.lost` if the time is over first.
func within<Success: Sendable>(
    _ limit: Duration, _ failure: String, onTimeout: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable () async -> Result<Success, TransportError>
) async -> Result<Success, TransportError> {
    await withTaskGroup(of: Result<Success, TransportError>?.self) { group in
        group.addTask { await body() }
        group.addTask {
            guard (try? await Task.sleep(for: limit)) != nil else { return nil }
            onTimeout()
            return .failure(TransportError(.lost, "\(failure) within \(limit)"))
        }
        // The first task with a result decides. A pause that is cancelled has none.
        while let outcome = await group.next() {
            guard let outcome else { continue }
            group.cancelAll()
            return outcome
        }
        return .failure(.cancelled)
    }
}
#endif

#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension WorkQueue {
    /// Runs blocking work; what it throws is a value.
    func runCatching<Success: Sendable>(
        _ body: @escaping @Sendable () throws(StorageError) -> Success
    ) async -> Result<Success, StorageError> {
        do {
            return .success(try await run(body))
        } catch {
            return .failure(error)
        }
    }
}
#endif

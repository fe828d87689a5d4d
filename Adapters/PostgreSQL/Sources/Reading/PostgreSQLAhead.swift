#if PostgreSQL
internal import HoldfastStorage

/// A batch that a scan has asked for before it needs it.
///
/// The server makes it while the scan delivers the batch before.
///
/// Unchecked because the lock of the snapshot protects it.
final class PostgreSQLAhead: @unchecked Sendable {
    /// Stops the making of the batch.
    let cancellation: PostgreSQLCancellation
    /// What came of it; `nil` before it is received.
    var outcome: Result<PostgreSQLResult, StorageError>?

    init(stoppedBy cancellation: PostgreSQLCancellation) { self.cancellation = cancellation }
}
#endif

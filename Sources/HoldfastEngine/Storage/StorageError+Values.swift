package import HoldfastStorage

extension StorageError {
    /// Whether the store cannot hold what it was given, so that the same commit fails each time.
    ///
    /// Some limits are known only when a commit exceeds them, such as that of an index of PostgreSQL.
    package var refusesValues: Bool { kind == .unrepresentable || kind == .limitExceeded }
}

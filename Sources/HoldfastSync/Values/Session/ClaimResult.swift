/// What became of the right to synchronize a store.
enum ClaimResult: Sendable, Hashable {
    /// It is held for ``SyncSettings/leaseLife``.
    case held
    /// Another process holds it for so long.
    case taken(Duration)
    /// The store failed.
    case failed(String)
}

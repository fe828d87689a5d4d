/// What became of a request for the lease of a store.
enum ClaimResult: Sendable, Hashable {
    /// It is held for ``SyncSettings/leaseLife``.
    case held
    /// Another process holds it; try again after this time.
    case taken(Duration)
    /// The store failed.
    case failed(String)
}

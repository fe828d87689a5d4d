/// What an engine does, for the status.
package enum SyncActivity: Sendable, Hashable {
    /// The session is in another state.
    case state(SyncState)
    /// A page of a model is asked for.
    case reading(model: String, isFull: Bool, isFirst: Bool)
    /// A page of a model came.
    case page(model: String, rows: Int)
    /// All pages of a model are stored.
    case synced(model: String)
}

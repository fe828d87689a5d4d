/// Remote changes of a model to reconcile in one commit.
struct RemoteWork<Content: Sendable>: Sendable {
    /// The model's name.
    var model: String
    /// The number that the records get.
    var generation: Int64
    /// Records of a page; `nil` if there are none.
    var page: Content?
    /// Changes from subscriptions.
    var changes: [RemoteChange<Content>] = []
    /// What the store should keep about the model from now on; `nil` to leave it as it is.
    var state: StoredState?
}

extension RemoteWork: Equatable where Content: Equatable {}

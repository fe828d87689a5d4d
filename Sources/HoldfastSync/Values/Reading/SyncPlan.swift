/// What a session needs to know about the store and its models when it starts.
struct SyncPlan: Sendable, Hashable {
    /// The models, parents before children.
    var models: [ModelPlan]
    /// For whom the models are read: who is signed in, with the groups that decide what may be read; `nil` if no one is.
    var identity: String?
    /// Whether no one is signed in.
    var isOfGuest = false
    /// Whether another user made some of the entries of the outbox that are to be sent.
    var hasChangesOfOthers = false
    /// Whether the outbox has no entry that is to be sent; changes of other models stay in it.
    var isOutboxEmpty = true
    /// Whether changes are subscribed to; otherwise they come with queries only, and no socket is opened.
    var subscribes = true
}

/// What a session needs to know about a model.
struct ModelPlan: Sendable, Hashable {
    /// The model's name.
    var name: String
    /// The models that must be read before this one: those that its foreign keys name, outside of its own cycle.
    var parents: [String] = []
    /// The sync expression as text; `nil` if the model has none.
    ///
    /// Evaluated once per start.
    var expression: String?
    /// Whether the service is asked with the expression; otherwise the device alone selects the records.
    var sendsExpression = true
    /// Whether delta queries send the expression too, so that they do not show which records left it.
    var filtersDeltas = false
    /// A hash of the fields and the selection.
    var shape = ""
    /// In how many ways a request about the model can be authorized.
    var modeCount = 1
    /// What the store knows about the model.
    var stored = StoredState()
}

public import HoldfastModel

/// Whether the service can be reached.
public struct NetworkStatusEvent: Sendable, Hashable {
    /// Whether it can.
    public let active: Bool

    /// Creates the event.
    public init(active: Bool) { self.active = active }
}

/// The service is about to be asked for records.
public struct SyncQueriesStartedEvent: Sendable, Hashable {
    /// The names of the models.
    public let models: [String]

    /// Creates the event.
    public init(models: [String]) { self.models = models }
}

/// The records of a model are in step with the service.
public struct ModelSyncedEvent: Sendable, Hashable {
    /// The model's name.
    public let modelName: String
    /// Whether all records were asked for.
    public let isFullSync: Bool
    /// Whether only what changed since the last time was asked for.
    public let isDeltaSync: Bool
    /// How many records are new.
    public let added: Int
    /// How many records were replaced.
    public let updated: Int
    /// How many records are gone.
    public let deleted: Int

    /// Creates the event.
    public init(modelName: String, isFullSync: Bool, isDeltaSync: Bool, added: Int, updated: Int, deleted: Int) {
        self.modelName = modelName
        self.isFullSync = isFullSync
        self.isDeltaSync = isDeltaSync
        self.added = added
        self.updated = updated
        self.deleted = deleted
    }
}

/// Whether local changes await the service.
public struct OutboxStatusEvent: Sendable, Hashable {
    /// Whether none does.
    public let isEmpty: Bool

    /// Creates the event.
    public init(isEmpty: Bool) { self.isEmpty = isEmpty }
}

/// A local change awaits the service, or was accepted by it.
public struct OutboxMutationEvent: Sendable {
    /// The changed record.
    public struct OutboxMutationEventElement: Sendable {
        /// The record as it was saved here; for a deletion, as it was.
        public let model: any Model
        /// The version that the service gave it; `nil` before.
        public let version: Int?
        /// When it was last changed at the service, in milliseconds since 1970-01-01T00:00Z; `nil` before.
        public let lastChangedAt: Int64?
        /// Whether it is deleted at the service; `nil` before.
        public let deleted: Bool?

        /// Creates the element.
        public init(model: any Model, version: Int? = nil, lastChangedAt: Int64? = nil, deleted: Bool? = nil) {
            self.model = model
            self.version = version
            self.lastChangedAt = lastChangedAt
            self.deleted = deleted
        }
    }

    /// The model's name.
    public let modelName: String
    /// The changed record.
    public let element: OutboxMutationEventElement

    /// Creates the event.
    public init(modelName: String, element: OutboxMutationEventElement) {
        self.modelName = modelName
        self.element = element
    }
}

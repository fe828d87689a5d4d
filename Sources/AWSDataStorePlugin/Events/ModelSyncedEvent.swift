/// The records of a model are synchronized with the service.
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

/// What a service last said of a record of a ``ForeignStore``.
public struct ForeignMetadata: Sendable, Hashable {
    /// Its place in the store.
    public var position: Int64
    /// The record's entity; empty if it cannot be determined.
    public var entity: String
    /// How the store calls the record.
    public var identifier: String
    /// The service's version of the record.
    public var version: Int64
    /// When the service last changed it, in milliseconds since 1970-01-01T00:00Z.
    public var lastChangedAt: Int64
    /// Whether the service has deleted it.
    public var isDeleted: Bool

    /// Creates metadata.
    public init(
        position: Int64, entity: String, identifier: String, version: Int64, lastChangedAt: Int64,
        isDeleted: Bool = false
    ) {
        self.position = position
        self.entity = entity
        self.identifier = identifier
        self.version = version
        self.lastChangedAt = lastChangedAt
        self.isDeleted = isDeleted
    }
}

/// How far an entity of a ``ForeignStore`` was synchronized with a service.
public struct ForeignState: Sendable, Hashable {
    /// The entity.
    public var entity: String
    /// When the last finished query began at the service, in milliseconds since 1970-01-01T00:00Z.
    public var lastSync: Int64?
    /// The condition under which records were asked for, as JSON.
    public var syncPredicate: String?

    /// Creates a state.
    public init(entity: String, lastSync: Int64? = nil, syncPredicate: String? = nil) {
        self.entity = entity
        self.lastSync = lastSync
        self.syncPredicate = syncPredicate
    }
}

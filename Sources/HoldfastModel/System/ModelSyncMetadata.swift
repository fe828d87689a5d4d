/// How far a model has been synchronized with a service.
public struct ModelSyncMetadata: Model {
    /// The model's name.
    public let id: String
    /// When the last finished query began at the service, in milliseconds since 1970-01-01T00:00Z.
    public var lastSync: Int64?
    /// The condition under which records were asked for, as JSON.
    public var syncPredicate: String?

    /// Creates the state of a model.
    public init(id: String, lastSync: Int64? = nil, syncPredicate: String? = nil) {
        self.id = id
        self.lastSync = lastSync
        self.syncPredicate = syncPredicate
    }
}

extension ModelSyncMetadata {
    /// The names of the fields.
    public enum CodingKeys: String, ModelKey {
        /// ``ModelSyncMetadata/id``.
        case id
        /// ``ModelSyncMetadata/lastSync``.
        case lastSync
        /// ``ModelSyncMetadata/syncPredicate``.
        case syncPredicate
    }

    /// The names of the fields.
    public static let keys = CodingKeys.self

    /// The fields.
    public static let schema = defineSchema { model in
        model.attributes(.isSystem, .primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id, is: .required, ofType: .string), .field(keys.lastSync, is: .optional, ofType: .int),
            .field(keys.syncPredicate, is: .optional, ofType: .string))
    }

    /// Reads the state from a row.
    public init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        lastSync = try row.read(1)
        syncPredicate = try row.read(2)
    }

    /// Writes the state as a row.
    public func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(lastSync)
        row.write(syncPredicate)
    }
}

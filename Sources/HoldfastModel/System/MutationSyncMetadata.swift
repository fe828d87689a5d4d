/// What a service says of one record: its version and whether it was deleted there.
public struct MutationSyncMetadata: Model {
    /// The record's model and identifier, with `|` between them.
    public let id: String
    /// Whether the record was deleted.
    public var deleted: Bool
    /// When the service last changed the record, in milliseconds since 1970-01-01T00:00Z.
    public var lastChangedAt: Int64
    /// The record's version; greater after each change.
    public var version: Int

    /// Creates what a service says of a record.
    ///
    /// - Parameters:
    ///   - modelId: The record's identifier; see ``ModelIdentifierProtocol/stringValue``.
    ///   - modelName: The record's model; a name in a GraphQL schema, so without `|`.
    ///   - deleted: Whether the record was deleted.
    ///   - lastChangedAt: Milliseconds since 1970-01-01T00:00Z.
    ///   - version: The record's version.
    public init(modelId: String, modelName: String, deleted: Bool, lastChangedAt: Int64, version: Int) {
        id = Self.identifier(modelName: modelName, modelId: modelId)
        self.deleted = deleted
        self.lastChangedAt = lastChangedAt
        self.version = version
    }

    /// The identifier of what a service says of a record.
    public static func identifier(modelName: String, modelId: String) -> String { "\(modelName)|\(modelId)" }

    /// The record's identifier: everything after the first `|`, which no model's name contains.
    public var modelId: String { id.firstIndex(of: "|").map { String(id[id.index(after: $0)...]) } ?? id }

    /// The name of the record's model, or an empty text.
    public var modelName: String { id.firstIndex(of: "|").map { String(id[..<$0]) } ?? "" }
}

extension MutationSyncMetadata {
    /// The names of the fields.
    public enum CodingKeys: String, ModelKey {
        /// ``MutationSyncMetadata/id``.
        case id
        /// ``MutationSyncMetadata/deleted``.
        case deleted
        /// ``MutationSyncMetadata/lastChangedAt``.
        case lastChangedAt
        /// ``MutationSyncMetadata/version``.
        case version
    }

    /// The names of the fields.
    public static let keys = CodingKeys.self

    /// The fields.
    public static let schema = defineSchema { model in
        model.attributes(.isSystem, .primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id, is: .required, ofType: .string), .field(keys.deleted, is: .required, ofType: .bool),
            .field(keys.lastChangedAt, is: .required, ofType: .int),
            .field(keys.version, is: .required, ofType: .int))
    }

    /// Reads the metadata from a row.
    public init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        deleted = try row.read(1)
        lastChangedAt = try row.read(2)
        version = try row.read(3)
    }

    /// Writes the metadata as a row.
    public func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(deleted)
        row.write(lastChangedAt)
        row.write(version)
    }
}

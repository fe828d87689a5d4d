package import HoldfastStorage

/// What a service last said of a record.
package struct RecordMetadata: Sendable, Hashable {
    /// The model's name.
    package var model: String
    /// The record's key as text: ``RecordKey/outboxText``.
    package var key: String
    /// The service's version of the record.
    package var version: Int64
    /// When the service last changed it, in milliseconds since 1970-01-01T00:00Z.
    package var lastChangedAt: Int64
    /// Whether the service has deleted it.
    package var isDeleted: Bool

    /// Creates metadata.
    package init(model: String, key: String, version: Int64, lastChangedAt: Int64, isDeleted: Bool = false) {
        self.model = model
        self.key = key
        self.version = version
        self.lastChangedAt = lastChangedAt
        self.isDeleted = isDeleted
    }

    /// The entity in which every adapter keeps the metadata.
    package static let entity = EntitySchema(
        "__record_metadata",
        fields: [
            FieldSchema("model", .string), FieldSchema("key", .string), FieldSchema("version", .int, isRequired: true),
            FieldSchema("lastChangedAt", .int, isRequired: true), FieldSchema("isDeleted", .boolean, isRequired: true),
        ],
        primaryKey: ["model", "key"])

    /// The cells of the record in ``entity``.
    package var row: [Value] {
        [.text(model), .text(key), .integer(version), .integer(lastChangedAt), .boolean(isDeleted)]
    }

    /// Reads a row of ``entity``; `nil` if it is none.
    package init?(_ row: ArraySlice<Value>) {
        let cells = Array(row)
        guard cells.count == Self.entity.fields.count, case .text(let model) = cells[0],
            case .text(let key) = cells[1], case .integer(let version) = cells[2],
            case .integer(let lastChangedAt) = cells[3], case .boolean(let isDeleted) = cells[4]
        else { return nil }
        self.init(model: model, key: key, version: version, lastChangedAt: lastChangedAt, isDeleted: isDeleted)
    }
}

/// How far a model has been brought in step with a service.
package struct ModelState: Sendable, Hashable {
    /// The model's name.
    package var model: String
    /// When the last finished query began at the service, in milliseconds since 1970-01-01T00:00Z.
    package var lastSync: Int64?
    /// The condition under which records were asked for, as JSON.
    package var syncPredicate: String?

    /// Creates the state of a model.
    package init(model: String, lastSync: Int64? = nil, syncPredicate: String? = nil) {
        self.model = model
        self.lastSync = lastSync
        self.syncPredicate = syncPredicate
    }

    /// The entity in which every adapter keeps the states.
    package static let entity = EntitySchema(
        "__model_state",
        fields: [FieldSchema("model", .string), FieldSchema("lastSync", .int), FieldSchema("syncPredicate", .string)],
        primaryKey: ["model"])

    /// The cells of the record in ``entity``.
    package var row: [Value] {
        [.text(model), lastSync.map { .integer($0) } ?? .null, syncPredicate.map { .text($0) } ?? .null]
    }

    /// Reads a row of ``entity``; `nil` if it is none.
    package init?(_ row: ArraySlice<Value>) {
        let cells = Array(row)
        guard cells.count == Self.entity.fields.count, case .text(let model) = cells[0] else { return nil }
        self.init(model: model)
        if case .integer(let lastSync) = cells[1] { self.lastSync = lastSync }
        if case .text(let syncPredicate) = cells[2] { self.syncPredicate = syncPredicate }
    }
}

/// A setting of a store.
package struct Setting: Sendable, Hashable {
    /// The setting's name.
    package var key: String
    /// Its value.
    package var value: String

    /// Creates a setting.
    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }

    /// The entity in which every adapter keeps the settings.
    package static let entity = EntitySchema(
        "__settings", fields: [FieldSchema("key", .string), FieldSchema("value", .string, isRequired: true)],
        primaryKey: ["key"])

    /// The cells of the record in ``entity``.
    package var row: [Value] { [.text(key), .text(value)] }
}

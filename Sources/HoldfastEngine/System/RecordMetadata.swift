package import HoldfastStorage

/// What a service last said of a record.
package struct RecordMetadata: Sendable, Hashable {
    /// The model's name.
    package var model: String
    /// The record's key as text: ``RecordKey/outboxText``.
    package var key: String
    /// The service's version of the record; 0 if local changes build on one that the service has forgotten.
    package var version: Int64
    /// When the service last changed it, in milliseconds since 1970-01-01T00:00Z.
    package var lastChangedAt: Int64
    /// Whether the service has deleted it.
    package var isDeleted: Bool
    /// The number of the full sync that last saw it; 0 for none.
    package var generation: Int64
    /// Whether it left the records that are asked for, so that the store does not hold it.
    package var isOutside: Bool
    /// Whether an event said it, which may lack values that the service has at this version.
    package var isFromEvent: Bool

    /// The service's version of the record; `nil` if local changes build on one that the service has forgotten.
    var knownVersion: Int64? { version == 0 ? nil : version }

    /// Creates metadata.
    package init(
        model: String, key: String, version: Int64, lastChangedAt: Int64, isDeleted: Bool = false,
        generation: Int64 = 0, isOutside: Bool = false, isFromEvent: Bool = false
    ) {
        self.generation = generation
        self.isOutside = isOutside
        self.isFromEvent = isFromEvent
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
            FieldSchema("generation", .int), FieldSchema("isOutside", .boolean),
            FieldSchema("isFromEvent", .boolean),
        ],
        primaryKey: ["model", "key"], isInChangeFeed: false)

    /// The key of a record's metadata.
    package static func storedKey(_ model: String, _ key: String) -> RecordKey {
        RecordKey([.text(model), .text(key)])
    }

    /// The cells of the record in ``entity``.
    package var row: [Value] {
        var rows = RowBuffer(columnCount: Self.entity.fields.count)
        append(to: &rows)
        return Array(rows[0])
    }

    /// Appends ``row``, without an array for each of very many records.
    func append(to rows: inout RowBuffer) {
        rows.appendCell(.text(model))
        rows.appendCell(.text(key))
        rows.appendCell(.integer(version))
        rows.appendCell(.integer(lastChangedAt))
        rows.appendCell(.boolean(isDeleted))
        rows.appendCell(generation == 0 ? .null : .integer(generation))
        rows.appendCell(isOutside ? .boolean(true) : .null)
        rows.appendCell(isFromEvent ? .boolean(true) : .null)
        rows.finishRow()
    }

    /// Reads a row of ``entity``; `nil` if it is not valid.
    package init?(_ row: ArraySlice<Value>) {
        let first = row.startIndex
        guard row.count == Self.entity.fields.count, case .text(let model) = row[first],
            case .text(let key) = row[first + 1], case .integer(let version) = row[first + 2],
            case .integer(let lastChangedAt) = row[first + 3], case .boolean(let isDeleted) = row[first + 4]
        else { return nil }
        self.init(
            model: model, key: key, version: version, lastChangedAt: lastChangedAt, isDeleted: isDeleted,
            generation: row[first + 5].integerValue ?? 0, isOutside: row[first + 6] == .boolean(true),
            isFromEvent: row[first + 7] == .boolean(true))
    }
}

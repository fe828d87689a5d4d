package import HoldfastStorage

/// What the service last said of a record, kept until it can be applied.
package struct ShelfItem: Sendable, Hashable {
    /// Why it cannot be applied yet.
    package enum Reason: String, Sendable, Hashable {
        /// A mutation of the record is in flight; the item is judged when that is answered.
        case inFlight
        /// Unsent changes contradict it; the service's strategy decides when they are sent.
        case conflict
        /// The current models cannot hold it; it is tried again when they change.
        case notStorable
    }

    /// The model's name.
    package var model: String
    /// The record's key as text: ``RecordKey/outboxText``; for an item without a usable key a text of the sync
    /// engine's.
    package var key: String
    /// The service's version of the record.
    package var version: Int64
    /// When the service last changed it, in milliseconds since 1970-01-01T00:00Z.
    package var lastChangedAt: Int64
    /// Whether the service has deleted it.
    package var isDeleted: Bool
    /// The record as a JSON object of fields, as ``OutboxEntry/before``; as the service said it if it is not storable;
    /// `nil` for a deletion.
    package var item: String?
    /// Why it cannot be applied yet.
    package var reason: Reason
    /// Whether it left the records that are asked for, so that the store is not to hold it.
    package var isOutside: Bool
    /// The number of the model's newest full sync when the service said so; 0 before the first one.
    package var generation: Int64

    /// Creates an item.
    package init(
        model: String, key: String, version: Int64, lastChangedAt: Int64, isDeleted: Bool = false, item: String?,
        reason: Reason, isOutside: Bool = false, generation: Int64 = 0
    ) {
        self.model = model
        self.key = key
        self.version = version
        self.lastChangedAt = lastChangedAt
        self.isDeleted = isDeleted
        self.item = item
        self.reason = reason
        self.isOutside = isOutside
        self.generation = generation
    }

    /// Creates the item of a record that the store cannot hold.
    init(notStorable record: RemoteRecord, of model: String, item: String? = nil) {
        self.init(
            model: model, key: record.key.outboxText, version: record.version, lastChangedAt: record.lastChangedAt,
            isDeleted: record.isDeleted, item: item, reason: .notStorable)
    }

    /// The entity in which every adapter keeps the items.
    package static let entity = EntitySchema(
        "__shelf",
        fields: [
            FieldSchema("model", .string), FieldSchema("key", .string), FieldSchema("version", .int, isRequired: true),
            FieldSchema("lastChangedAt", .int, isRequired: true), FieldSchema("isDeleted", .boolean, isRequired: true),
            FieldSchema("item", .string), FieldSchema("reason", .string, isRequired: true),
            FieldSchema("isOutside", .boolean), FieldSchema("generation", .int),
        ],
        primaryKey: ["model", "key"], indexes: [IndexSchema("by_reason", on: ["reason"])], isInChangeFeed: false)

    /// The cells of the item in ``entity``.
    package var row: [Value] {
        [
            .text(model), .text(key), .integer(version), .integer(lastChangedAt), .boolean(isDeleted), Value(item),
            .text(reason.rawValue), isOutside ? .boolean(true) : .null,
            generation == 0 ? .null : .integer(generation),
        ]
    }

    /// Reads a row of ``entity``; `nil` if it is not valid.
    package init?(_ row: ArraySlice<Value>) {
        let cells = Array(row)
        guard cells.count == Self.entity.fields.count, let model = cells[0].textValue, let key = cells[1].textValue,
            let version = cells[2].integerValue, let lastChangedAt = cells[3].integerValue,
            let reason = cells[6].textValue.flatMap(Reason.init)
        else { return nil }
        self.init(
            model: model, key: key, version: version, lastChangedAt: lastChangedAt,
            isDeleted: cells[4] == .boolean(true), item: cells[5].textValue, reason: reason,
            isOutside: cells[7] == .boolean(true), generation: cells[8].integerValue ?? 0)
    }
}

package import HoldfastStorage

/// How far a model has been synchronized with a service.
package struct ModelState: Sendable, Hashable {
    /// The model's name.
    package var model: String
    /// When the last finished query began at the service, in milliseconds since 1970-01-01T00:00Z, as the service said
    /// it.
    package var lastSync: Int64?
    /// The condition under which records were asked for, as JSON.
    package var syncPredicate: String?
    /// A hash of the fields and the selection with which records were asked for.
    package var shape: String?
    /// For whom records were asked for, as the sync engine names users.
    package var identity: String?
    /// When the last full sync ended, in milliseconds of the device's clock; while one is unfinished, when it began.
    package var fullSyncAt: Int64?
    /// The number of the newest full sync, also of one in progress; 0 for none.
    package var generation: Int64
    /// Whether the newest full sync ended before it had all records.
    package var isTruncated: Bool
    /// Whether pages since the newest full sync began came with errors or unreadable records.
    package var hasErrors: Bool
    /// Where an unfinished query continues.
    package var token: String?
    /// When the unfinished query began at the service, as ``lastSync``.
    package var tokenLabel: Int64?
    /// What kind of query is unfinished, in the sync engine's words.
    package var tokenMode: String?
    /// How many records the unfinished query has brought so far.
    package var tokenCount: Int64

    /// Creates the state of a model.
    package init(
        model: String, lastSync: Int64? = nil, syncPredicate: String? = nil, shape: String? = nil,
        identity: String? = nil, fullSyncAt: Int64? = nil, generation: Int64 = 0, isTruncated: Bool = false,
        hasErrors: Bool = false, token: String? = nil, tokenLabel: Int64? = nil, tokenMode: String? = nil,
        tokenCount: Int64 = 0
    ) {
        self.model = model
        self.lastSync = lastSync
        self.syncPredicate = syncPredicate
        self.shape = shape
        self.identity = identity
        self.fullSyncAt = fullSyncAt
        self.generation = generation
        self.isTruncated = isTruncated
        self.hasErrors = hasErrors
        self.token = token
        self.tokenLabel = tokenLabel
        self.tokenMode = tokenMode
        self.tokenCount = tokenCount
    }

    /// The entity in which every adapter keeps the states.
    package static let entity = EntitySchema(
        "__model_state",
        fields: [
            FieldSchema("model", .string), FieldSchema("lastSync", .int), FieldSchema("syncPredicate", .string),
            FieldSchema("shape", .string), FieldSchema("identity", .string), FieldSchema("fullSyncAt", .int),
            FieldSchema("generation", .int), FieldSchema("isTruncated", .boolean), FieldSchema("token", .string),
            FieldSchema("tokenLabel", .int), FieldSchema("tokenMode", .string),
            FieldSchema("tokenCount", .int), FieldSchema("hasErrors", .boolean),
        ],
        primaryKey: ["model"], isInChangeFeed: false)

    /// The cells of the record in ``entity``.
    package var row: [Value] {
        [
            .text(model), Value(lastSync), Value(syncPredicate), Value(shape), Value(identity), Value(fullSyncAt),
            generation == 0 ? .null : .integer(generation), isTruncated ? .boolean(true) : .null, Value(token),
            Value(tokenLabel), Value(tokenMode), tokenCount == 0 ? .null : .integer(tokenCount),
            hasErrors ? .boolean(true) : .null,
        ]
    }

    /// Reads a row of ``entity``; `nil` if it is not valid.
    package init?(_ row: ArraySlice<Value>) {
        let cells = Array(row)
        guard cells.count == Self.entity.fields.count, case .text(let model) = cells[0] else { return nil }
        self.init(
            model: model, lastSync: cells[1].integerValue, syncPredicate: cells[2].textValue,
            shape: cells[3].textValue, identity: cells[4].textValue, fullSyncAt: cells[5].integerValue,
            generation: cells[6].integerValue ?? 0, isTruncated: cells[7] == .boolean(true),
            hasErrors: cells[12] == .boolean(true), token: cells[8].textValue, tokenLabel: cells[9].integerValue,
            tokenMode: cells[10].textValue, tokenCount: cells[11].integerValue ?? 0)
    }
}

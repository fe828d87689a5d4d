package import HoldfastStorage

/// A change that will not be sent: the service refused it, or the record is gone at the service.
///
/// The record is as the service has it; the letter keeps what was changed.
public struct DeadLetter: Sendable, Hashable {
    /// The position that the change had in the outbox.
    public var position: Int64
    /// The model's name.
    public var model: String
    /// The record's key as text: `RecordKey.outboxText`.
    public var key: String
    /// What the change did.
    public var operation: OutboxEntry.Operation
    /// The values that it set, as a JSON object of fields; `nil` for a deletion.
    public var payload: String?
    /// What it replaced, as ``OutboxEntry/before``.
    public var before: String?
    /// The condition under which it was made, as ``OutboxEntry/condition``.
    public var condition: String?
    /// The service's word for the error, such as `Unauthorized`; if the store could not hold the record, the kind of
    /// that error, such as `storage.unrepresentable`.
    public var errorType: String?
    /// What the service said, or the store.
    public var message: String?
    /// The service's record as a JSON object of fields; `nil` if it did not say.
    public var remote: String?
    /// When the change was given up, in microseconds since 1970-01-01T00:00Z.
    public var failedAt: Int64
    /// Who made the change, as ``OutboxEntry/identity``; no other user is shown the letter.
    public var identity: String?

    /// Creates a letter.
    package init(
        position: Int64, model: String, key: String, operation: OutboxEntry.Operation, payload: String? = nil,
        before: String? = nil, condition: String? = nil, errorType: String? = nil, message: String? = nil,
        remote: String? = nil, failedAt: Int64, identity: String? = nil
    ) {
        self.position = position
        self.model = model
        self.key = key
        self.operation = operation
        self.payload = payload
        self.before = before
        self.condition = condition
        self.errorType = errorType
        self.message = message
        self.remote = remote
        self.failedAt = failedAt
        self.identity = identity
    }

    /// The entity in which every adapter keeps the letters.
    package static let entity = EntitySchema(
        "__dead_letter",
        fields: [
            FieldSchema("position", .int), FieldSchema("model", .string), FieldSchema("key", .string),
            FieldSchema("operation", .string, isRequired: true), FieldSchema("payload", .string),
            FieldSchema("before", .string), FieldSchema("condition", .string), FieldSchema("errorType", .string),
            FieldSchema("message", .string), FieldSchema("remote", .string),
            FieldSchema("failedAt", .int, isRequired: true), FieldSchema("identity", .string),
        ],
        primaryKey: ["position", "model", "key"], isInChangeFeed: false)

    /// The cells of the letter in ``entity``.
    var row: [Value] {
        [
            .integer(position), .text(model), .text(key), .text(operation.rawValue), Value(payload), Value(before),
            Value(condition), Value(errorType), Value(message), Value(remote), .integer(failedAt),
            Value(identity),
        ]
    }

    /// The letters that a user is shown: the user's own, and those of no one.
    static func shown(to identity: String?) -> Predicate {
        let isOfNoOne = Predicate.compare("identity", .equal, .null)
        guard let identity else { return isOfNoOne }
        return .or([isOfNoOne, .compare("identity", .equal, .text(identity))])
    }

    /// Whether a user is shown the letter.
    func isShown(to identity: String?) -> Bool { self.identity == nil || self.identity == identity }

    /// The letter's key in ``entity``.
    var storedKey: RecordKey { Self.storedKey(position: position, model: model, key: key) }

    /// The key of a change's letter in ``entity``.
    static func storedKey(position: Int64, model: String, key: String) -> RecordKey {
        RecordKey([.integer(position), .text(model), .text(key)])
    }

    /// Reads a row of ``entity``; `nil` if it is not valid.
    package init?(_ row: ArraySlice<Value>) {
        let cells = Array(row)
        guard cells.count == Self.entity.fields.count, let position = cells[0].integerValue,
            let model = cells[1].textValue, let key = cells[2].textValue,
            let operation = cells[3].textValue.flatMap(OutboxEntry.Operation.init),
            let failedAt = cells[10].integerValue
        else { return nil }
        self.init(
            position: position, model: model, key: key, operation: operation, payload: cells[4].textValue,
            before: cells[5].textValue, condition: cells[6].textValue, errorType: cells[7].textValue,
            message: cells[8].textValue, remote: cells[9].textValue, failedAt: failedAt,
            identity: cells[11].textValue)
    }
}

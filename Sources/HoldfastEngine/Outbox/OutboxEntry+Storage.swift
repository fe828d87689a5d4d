public import HoldfastStorage

extension OutboxEntry {
    /// The entity in which every adapter keeps the outbox.
    ///
    /// GraphQL reserves names that begin with two underscores, so no model can have this one.
    ///
    /// The newest entry of a record has stage 1 in every state, so that one read finds what a change has to fold
    /// into; an older one has its position as its stage.
    package static let entity = EntitySchema(
        "__outbox",
        fields: [
            FieldSchema("model", .string), FieldSchema("key", .string), FieldSchema("stage", .int),
            FieldSchema("position", .int, isRequired: true), FieldSchema("operation", .string, isRequired: true),
            FieldSchema("changedFields", .list(of: .string, elementsAreRequired: true)),
            FieldSchema("baseVersion", .int), FieldSchema("before", .string), FieldSchema("condition", .string),
            FieldSchema("payload", .string), FieldSchema("attempts", .int), FieldSchema("notBefore", .int),
            FieldSchema("identity", .string), FieldSchema("cascade", .string),
            FieldSchema("deletedAt", .int),
        ],
        primaryKey: ["model", "key", "stage"], indexes: [IndexSchema("by_position", on: ["position"])],
        isInChangeFeed: false)

    /// Appends the entry as a row of ``entity``.
    func append(to rows: inout RowBuffer) {
        rows.appendCell(.text(model))
        rows.appendCell(.text(key))
        rows.appendCell(.integer(ordinal))
        rows.appendCell(.integer(position))
        rows.appendCell(.text(operation.rawValue))
        rows.appendCell(changedFields.isEmpty ? .null : .list(changedFields.map { .text($0) }))
        rows.appendCell(Value(baseVersion))
        rows.appendCell(Value(before))
        rows.appendCell(Value(condition))
        rows.appendCell(Value(payload))
        rows.appendCell(attempts == 0 ? .null : .integer(Int64(attempts)))
        rows.appendCell(Value(notBefore))
        rows.appendCell(Value(identity))
        rows.appendCell(Value(cascade?.text))
        rows.appendCell(Value(deletedAt))
        rows.finishRow()
    }

    /// The cells of the entry in ``entity``.
    var row: [Value] {
        var rows = RowBuffer(columnCount: Self.entity.fields.count)
        append(to: &rows)
        return Array(rows[0])
    }

    /// Reads a row of ``entity``; `nil` if it is not valid.
    package init?(_ row: ArraySlice<Value>) {
        let cells = Array(row)
        guard cells.count == Self.entity.fields.count, case .text(let model) = cells[0],
            case .text(let key) = cells[1], case .integer(let ordinal) = cells[2],
            case .integer(let position) = cells[3], case .text(let rawOperation) = cells[4],
            let operation = Operation(rawValue: rawOperation)
        else { return nil }
        var fields: [String] = []
        if case .list(let values) = cells[5] { fields = values.compactMap(\.textValue) }
        self.init(
            model: model, key: key, position: position, operation: operation, changedFields: fields,
            baseVersion: cells[6].integerValue, before: cells[7].textValue, condition: cells[8].textValue,
            payload: cells[9].textValue, attempts: Int(cells[10].integerValue ?? 0),
            notBefore: cells[11].integerValue, identity: cells[12].textValue)
        cascade = cells[13].textValue.flatMap { SendOrder.Record(text: $0) }
        deletedAt = cells[14].integerValue
        isNewest = ordinal == Self.newest
    }

    /// The condition that an entry does not go with the deletion of one of some records, or has a later one behind it.
    static func goesAlone(besides records: [SendOrder.Record]) -> Predicate {
        .not(
            .and([
                .compare("stage", .equal, .integer(newest)), .isIn("cascade", records.map { .text($0.text) }),
            ]))
    }

    /// The stage of the newest entry of a record.
    private static let newest: Int64 = 1

    private var ordinal: Int64 { isNewest ? Self.newest : Self.ordinal(position) }

    /// What stands for the position of an entry that is not the newest of its record.
    private static func ordinal(_ position: Int64) -> Int64 { position == newest ? 0 : position }

    /// The key of the entry in the outbox.
    var storedKey: RecordKey { RecordKey([.text(model), .text(key), .integer(ordinal)]) }

    /// The keys that the entry of a record at a position has in the outbox, as the newest one and later.
    static func storedKeys(_ model: String, _ key: String, position: Int64) -> [RecordKey] {
        [newest, ordinal(position)].map { RecordKey([.text(model), .text(key), .integer($0)]) }
    }

    /// The key in the outbox of the newest entry of a record.
    package static func newestKey(_ model: String, _ key: String) -> RecordKey {
        RecordKey([.text(model), .text(key), .integer(newest)])
    }
}

extension SendOrder.Record {
    /// The record as text; no model has a colon in its name.
    var text: String { "\(model):\(key)" }

    /// The record of a ``text``.
    init?(text: String) {
        let scalars = text.unicodeScalars
        guard let colon = scalars.firstIndex(of: ":") else { return nil }
        self.init(model: String(scalars[..<colon]), key: String(scalars[scalars.index(after: colon)...]))
    }
}

extension Value {
    /// An integer, or null.
    init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }

    /// A text, or null.
    init(_ value: String?) { self = value.map { .text($0) } ?? .null }

    /// The text, if it is one.
    var textValue: String? { if case .text(let text) = self { text } else { nil } }

    /// The integer, if it is one.
    var integerValue: Int64? { if case .integer(let integer) = self { integer } else { nil } }
}

extension RecordKey {
    /// The key as text that no other key of the same model has.
    ///
    /// A single text is itself. Otherwise it is the canonical texts of the components, joined by `#`. In each text, `\`
    /// and `#` are escaped by a `\`.
    public var outboxText: String {
        if components.count == 1, case .text(let text) = components[0] { return text }
        return components.map(\.outboxText).joined(separator: "#")
    }

    /// The key of a record of an entity whose ``outboxText`` a text is, or `nil` if there is no such key.
    package init?(outboxText text: String, of entity: EntitySchema) {
        let types = entity.primaryKeyPositions.map { entity.fields[$0].type }
        let parts = types.count == 1 && types[0].storageType == .text ? [text] : Self.parts(of: text)
        guard parts.count == types.count else { return nil }
        var components: [Value] = []
        for (part, type) in zip(parts, types) {
            let value: Value? =
                switch type.storageType {
                case .boolean: Bool(part).map { .boolean($0) }
                case .integer: Int64(part).map { .integer($0) }
                case .double: Double(part).map { .double($0) }
                case .bytes, .list: nil
                case .timestamp: .text(part + "Z")
                case .text, .json, .date, .time: .text(part)
                }
            guard let value, let canonical = try? type.canonical(value) else { return nil }
            components.append(canonical)
        }
        self.init(components)
    }

    /// The texts between the separators, without the escapes.
    private static func parts(of text: String) -> [String] {
        var (parts, isEscaped) = ([""], false)
        for scalar in text.unicodeScalars {
            if scalar == "\\", !isEscaped {
                isEscaped = true
            } else if scalar == "#", !isEscaped {
                parts.append("")
            } else {
                parts[parts.count - 1].unicodeScalars.append(scalar)
                isEscaped = false
            }
        }
        return parts
    }
}

extension Value {
    fileprivate var outboxText: String {
        switch self {
        case .null: ""
        case .boolean(let value): String(value)
        case .integer(let value): String(value)
        case .double(let value): String(value == 0 ? 0 : value)  // Without the sign, as it is stored.
        case .text(let value): Self.escaped(value)
        case .bytes(let value): value.keyText
        case .date(let value): value.dayText
        case .time(let value): value.clockText
        case .timestamp(let value): value.utcText
        case .list(let values): values.map(\.outboxText).joined(separator: ",")
        }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "#" || scalar == "\\" { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}

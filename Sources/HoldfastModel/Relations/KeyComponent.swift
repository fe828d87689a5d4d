package import HoldfastStorage

/// One cell of a record's key in JSON: a string, or a number or boolean where the key has one.
struct KeyComponent: Codable {
    let value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = .text(text)
        } else if let number = try? container.decode(Int64.self) {
            value = .integer(number)
        } else if let truth = try? container.decode(Bool.self) {
            value = .boolean(truth)
        } else {
            value = .double(try container.decode(Double.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .integer(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        default: try container.encode(value.identifierText)
        }
    }

    /// A cell from its text in an identifier, if the field's type has such values; otherwise the text.
    static func value(_ text: String, of type: FieldType?) -> Value {
        switch type?.storageType {
        case .integer: Int64(text).map(Value.integer) ?? .text(text)
        case .boolean: Bool(text).map(Value.boolean) ?? .text(text)
        case .double: Double(text).map(Value.double) ?? .text(text)
        default: type.flatMap { try? $0.canonical(.text(text)) } ?? .text(text)
        }
    }
}

extension RecordKey {
    /// The key as the text of an identifier; see ``ModelIdentifierProtocol/stringValue``.
    package var identifierText: String {
        HoldfastModel.identifierText(of: components.map { $0.persistable?.identifierText ?? $0.identifierText })
    }
}

extension Persistable {
    /// The value in the text of an identifier, where dates and times have one form however they were written.
    var identifierText: String { (self as? any TemporalSpec)?.iso8601String ?? storageValue.identifierText }
}

extension Value {
    /// The text that stands for a key's cell in an identifier.
    var identifierText: String {
        switch self {
        case .null: ""
        case .boolean(let value): String(value)
        case .integer(let value): String(value)
        case .double(let value): String(value)
        case .text(let value): value
        case .bytes(let value): value.keyText
        case .date(let value): value.text
        case .time(let value): value.text
        case .timestamp(let value): value.text
        case .list(let values): values.map(\.identifierText).joined(separator: ",")
        }
    }
}

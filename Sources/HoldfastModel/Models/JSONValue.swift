/// A JSON value; a member of an object is also a property of its name: `value.address?.city`.
///
/// What applications hold, as Amplify has it. `HoldfastWire` has a type of this name for what goes over the network, where
/// numbers keep their text and members their order.
///
/// ```swift
/// let value: JSONValue = ["address": ["city": "Ulm", "floors": [1, 2]]]
/// let city = value.address?.city?.stringValue  // "Ulm"
/// let floor = value.value(at: "address.floors")?[1]?.intValue  // 2
/// ```
@dynamicMemberLookup
public enum JSONValue: Sendable, Hashable {
    /// An array.
    case array([JSONValue])
    /// `true` or `false`.
    case boolean(Bool)
    /// A number.
    case number(Double)
    /// An object.
    case object([String: JSONValue])
    /// Text.
    case string(String)
    /// `null`.
    case null
}

extension JSONValue {
    /// The members of an object, or `nil`.
    public var asObject: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
    /// The elements of an array, or `nil`.
    public var asArray: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The text of a string, or `nil`.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The value of a number, or `nil`.
    public var doubleValue: Double? { if case .number(let value) = self { value } else { nil } }
    /// The value of a number without a fraction, or `nil`.
    public var intValue: Int? { doubleValue.flatMap { Int(exactly: $0) } }
    /// The boolean, or `nil`.
    public var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }
    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// A member of an object, or `nil`.
    public subscript(_ key: String) -> JSONValue? { asObject?[key] }

    /// A member of an object, or `nil`.
    public subscript(dynamicMember member: String) -> JSONValue? { self[member] }

    /// An element of an array or the member of an object that has the number as its name, or `nil`.
    public subscript(_ index: Int) -> JSONValue? {
        switch self {
        case .array(let elements):
            guard elements.indices.contains(index) else { return nil }
            return elements[index]
        case .object(let members): return members[String(index)]
        default: return nil
        }
    }

    /// The value at the end of a path of member names, or `nil`.
    ///
    /// - Parameters:
    ///   - keyPath: Names with a separator between them; without names the value itself.
    ///   - separator: A period by default.
    /// - Returns: The value that was found; `nil` if a name on the path leads to nothing.
    public func value(at keyPath: String, separatedBy separator: String = ".") -> JSONValue? {
        if keyPath.isEmpty { return self }
        let names = separator.isEmpty ? [keyPath] : keyPath.split(separator: separator).map(String.init)
        return names.reduce(Optional(self)) { $0?[$1] }
    }

    /// The value at the end of a path of member names, or another one if there is none.
    public func value(
        at keyPath: String, withDefault defaultValue: JSONValue, separatedBy separator: String = "."
    ) -> JSONValue {
        value(at: keyPath, separatedBy: separator) ?? defaultValue
    }
}

extension JSONValue: Codable {
    /// Reads any JSON value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .array(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .number(let value):
            if let integer = Int64(exactly: value) {
                try container.encode(integer)
            } else {
                try container.encode(value)
            }
        case .object(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .null: try container.encodeNil()
        }
    }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral, ExpressibleByStringLiteral
{
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// An object; of two members of one name the last counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }
}

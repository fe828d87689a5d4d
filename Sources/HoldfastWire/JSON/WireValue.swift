/// A JSON value as the network has it: numbers by their text, members in their order.
///
/// For requests, variables, and errors; rows are read without it. `JSONValue` of `HoldfastModel` is what applications
/// hold. Two values are equal if they are written alike; an object with its members in another order is
/// another value.
public enum WireValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number.
    case number(JSONNumber)
    /// A text.
    case string(String)
    /// An array.
    case array([WireValue])
    /// An object.
    case object(JSONObject)
}

extension WireValue {
    /// A whole number.
    public static func integer(_ value: Int64) -> WireValue { .number(JSONNumber(value)) }

    /// Whether this is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }
    /// The boolean, or `nil`.
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    /// The number, or `nil`.
    public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
    /// The value of a whole number of 64 bits, or `nil`.
    public var integer: Int64? { number?.integer }
    /// The value of a number as a double, or `nil`.
    public var double: Double? { number?.double }
    /// The text of a string, or `nil`.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The elements of an array, or `nil`.
    public var array: [WireValue]? { if case .array(let value) = self { value } else { nil } }
    /// The members of an object, or `nil`.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// The value of a member of an object, or `nil`.
    public subscript(_ name: String) -> WireValue? { object?[name] }

    /// An element of an array, or `nil`.
    public subscript(_ index: Int) -> WireValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

extension WireValue: ExpressibleByArrayLiteral, ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByNilLiteral, ExpressibleByStringLiteral
{
    /// An array.
    public init(arrayLiteral elements: WireValue...) { self = .array(elements) }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// An object; of several members with one name the last counts.
    public init(dictionaryLiteral elements: (String, WireValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
}

import HoldfastGraphQL
import HoldfastStorage
import HoldfastWire

/// Brings values of requests into the form that their types demand, as liberally as the original.
struct InputCoercion {
    let api: GraphQLSchema

    /// The value in the form of a type.
    ///
    /// - Parameters:
    ///   - value: The value as given.
    ///   - type: What its place demands.
    ///   - name: The variable, argument, or field, for messages.
    /// - Returns: The coerced value; a single value becomes a list where the type is a list.
    /// - Throws: ``InputFault`` if the type does not admit the value.
    func coerce(_ value: WireValue, as type: TypeReference, named name: String) throws(InputFault) -> WireValue {
        if value.isNull {
            guard type.isNonNull else { return .null }
            throw InputFault(name: name, reason: .missing(type))
        }
        if let element = type.element {
            guard case .array(let values) = value else { return .array([try coerce(value, as: element, named: name)]) }
            var result: [WireValue] = []
            result.reserveCapacity(values.count)
            for value in values { result.append(try coerce(value, as: element, named: name)) }
            return .array(result)
        }
        guard let definition = api.type(type.name.text) else { throw Self.invalid(name, "its type does not exist") }
        switch definition.kind {
        case .inputObject: return try object(value, definition, name)
        case .enum:
            guard let text = value.string, definition.hasValue(text) else {
                throw Self.invalid(name, "expected a value of the enum \(definition.name)")
            }
            return value
        default: return try Self.scalar(value, FieldType(scalar: definition.name), name)
        }
    }

    private func object(_ value: WireValue, _ type: SchemaType, _ name: String) throws(InputFault) -> WireValue {
        guard case .object(let object) = value else {
            throw Self.invalid(name, "expected an object of type \(type.name)")
        }
        var result = JSONObject()
        for member in object.members {
            guard let field = type.inputField(member.name) else {
                // Some clients send the times that only the service sets, always as null.
                if member.value.isNull, ["createdAt", "updatedAt"].contains(member.name) { continue }
                throw InputFault(name: member.name, reason: .unknown(in: type.name))
            }
            result[member.name] = try coerce(member.value, as: field.type, named: member.name)
        }
        for field in type.inputFields where field.isRequired && object[field.name.text] == nil {
            throw InputFault(name: field.name.text, reason: .missing(field.type))
        }
        return .object(result)
    }

    /// A value that is not null in the form of a scalar or an enum.
    static func scalar(_ value: WireValue, _ type: FieldType, _ name: String) throws(InputFault) -> WireValue {
        switch type {
        case .int:
            guard let integer = value.wholeNumber, Int32(exactly: integer) != nil else {
                throw invalid(name, "expected an Int of 32 bits")
            }
            return .integer(integer)
        case .timestamp:
            guard let integer = value.wholeNumber else { throw invalid(name, "expected a whole number") }
            return .integer(integer)
        case .float:
            guard let double = value.anyNumber, double.isFinite else { throw invalid(name, "expected a finite number") }
            return JSONNumber(double).map(WireValue.number) ?? .null
        case .boolean:
            switch value {
            case .boolean: return value
            case "true": return true
            case "false": return false
            default: throw invalid(name, "expected true or false")
            }
        case .id, .string:
            guard let text = value.plainText else { throw invalid(name, "expected text") }
            return .string(try checked(text, type, name))
        default:
            guard let text = value.string else { throw invalid(name, "expected the text of an \(type.graphQLName)") }
            return .string(try checked(text, type, name))
        }
    }

    private static func checked(_ text: String, _ type: FieldType, _ name: String) throws(InputFault) -> String {
        do {
            _ = try type.canonical(.text(text))
        } catch {
            throw invalid(name, error.reason)
        }
        return text
    }

    private static func invalid(_ name: String, _ reason: String) -> InputFault {
        InputFault(name: name, reason: .invalid(reason))
    }
}

extension WireValue {
    /// The whole number that a number or a text in digits is.
    fileprivate var wholeNumber: Int64? { integer ?? string.flatMap { Int64($0) } }

    fileprivate var anyNumber: Double? { double ?? string.flatMap { Double($0) } }

    /// The text, or the digits of a number.
    fileprivate var plainText: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.text
        case .boolean(let boolean): String(boolean)
        case .null, .array, .object: nil
        }
    }

    /// A literal of a document with the values of its variables; `nil` for a variable that has none.
    init?(_ literal: GraphQLValue, variables: [String: WireValue]) {
        switch literal.content {
        case .variable(let name):
            guard let value = variables[name] else { return nil }
            self = value
        case .int(let digits), .float(let digits):
            // As it is written, so that an identifier keeps each digit. GraphQL writes numbers as JSON does.
            self = (try? WireValue(parsing: Array(digits.utf8))) ?? "not a number"
        case .string(let text), .enumeration(let text): self = .string(text)
        case .boolean(let boolean): self = .boolean(boolean)
        case .null: self = .null
        case .list(let elements): self = .array(elements.map { WireValue($0, variables: variables) ?? .null })
        case .object(let fields):
            var object = JSONObject()
            // The check of the document refuses a name that comes twice.
            for field in fields {
                guard let value = WireValue(field.value, variables: variables) else { continue }
                object.append(unique: field.name.text, value)
            }
            self = .object(object)
        }
    }
}

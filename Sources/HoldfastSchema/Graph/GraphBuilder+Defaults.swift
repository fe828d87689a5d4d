import HoldfastGraphQL

// What `@default` may say. The service fills the values in; models do not.
extension GraphBuilder {
    /// Reports defaults on fields that cannot have one, and defaults that are not values of their fields.
    mutating func checkDefaults(of type: SchemaType) {
        for field in type.fields {
            guard let directive = field.directives.first(.default) else { continue }
            let name = "\(type.name).\(field.name)"
            guard definitions[type.name] != nil else {
                problems.add(
                    "\"\(name)\" has a default, but \"\(type.name)\" is not a model", at: directive.location,
                    "Only fields of models have defaults.")
                continue
            }
            let typeName = field.type.name.text
            let values = schema?.type(typeName).flatMap { $0.kind == .enum ? $0.definition.values : nil }
            let scalar = GraphQLScalar(rawValue: typeName)
            guard !field.type.isList, values != nil || scalar != nil else {
                problems.add(
                    "\"\(name)\" has a default, but is not a single value", at: directive.location,
                    "Only scalars and enums have defaults.")
                continue
            }
            guard let value = directive.argument("value"), let text = value.string else {
                problems.add(
                    "the default of \"\(name)\" has no value", at: directive.location,
                    "Write \"@default(value: \"…\")\".")
                continue
            }
            if let values {
                guard !values.contains(where: { $0.name.text == text }) else { continue }
                problems.add(
                    "the default of \"\(name)\" is not a value of \"\(typeName)\"", at: value.location,
                    "Use one of: \(values.map(\.name.text).joined(separator: ", ")).")
            } else if let scalar, !scalar.acceptsDefault(text) {
                problems.add(
                    "the default of \"\(name)\" is not a value of \"\(typeName)\"", at: value.location,
                    "Write a value such as \"\(scalar.exampleDefault)\".")
            }
        }
    }
}

extension GraphQLScalar {
    /// A default for messages.
    var exampleDefault: String {
        switch self {
        case .id, .string: "text"
        case .int: "42"
        case .float: "1.5"
        case .boolean: "true"
        case .date: "2024-02-29"
        case .time: "08:30:00"
        case .dateTime: "2024-02-29T08:30:00Z"
        case .timestamp: "1709195400"
        case .email: "someone@example.com"
        case .json: "{\\\"key\\\": 1}"
        case .phone: "+1 555 0100"
        case .url: "https://example.com"
        case .address: "192.0.2.1"
        }
    }

    /// Whether a text looks like a default of this type; the service checks the rest.
    func acceptsDefault(_ text: String) -> Bool {
        switch self {
        case .id, .string: true
        case .int: Int32(text) != nil
        case .float: Double(text)?.isFinite ?? false
        case .boolean: text == "true" || text == "false"
        case .date: Self.fits(text, "0000-00-00")
        case .time: Self.fits(text, "00:00")
        case .dateTime: Self.fits(text, "0000-00-00T00:00")
        case .timestamp: Int64(text) != nil
        case .email: text.dropFirst().dropLast().contains("@")
        case .json: Self.looksLikeJSON(text)
        case .phone: !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isNumber || "+- ".contains($0)) }
        case .url: text.firstIndex(of: ":").map { $0 > text.startIndex } ?? false
        case .address: text.contains { ".:".contains($0) } && text.allSatisfy { $0.isHexDigit || ".:/".contains($0) }
        }
    }

    /// Whether a text begins with a pattern, in which 0 stands for any digit.
    private static func fits(_ text: String, _ pattern: String) -> Bool {
        text.utf8.count >= pattern.utf8.count
            && zip(text.utf8, pattern.utf8).allSatisfy { byte, sign in
                sign == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == sign
            }
    }

    private static func looksLikeJSON(_ text: String) -> Bool {
        let content = text.drop(while: \.isWhitespace)
        let end = content.last { !$0.isWhitespace }
        return switch content.first {
        case "{": end == "}"
        case "[": end == "]"
        case "\"": end == "\"" && content.count > 1
        default: ["true", "false", "null"].contains(String(content)) || Double(String(content)) != nil
        }
    }
}

import HoldfastGraphQL

/// What a document defines, as sets of lines without an order.
struct TypeMap {
    private let definitions: [String: Set<String>]

    init(_ document: GraphQLDocument) {
        var definitions: [String: Set<String>] = [:]
        for case .type(let type) in document.definitions {
            definitions[type.name.text] = Self.lines(of: type)
        }
        self.definitions = definitions
    }

    private static func lines(of type: TypeDefinition) -> Set<String> {
        var lines: Set<String> = ["kind \(type.kind)"]
        for directive in type.directives { lines.insert(Self.line(directive)) }
        for value in type.values { lines.insert("value \(value.name)") }
        for field in type.inputFields { lines.insert("\(field.name): \(field.type)") }
        for field in type.fields {
            lines.insert("\(field.name): \(field.type)")
            for argument in field.arguments { lines.insert("\(field.name)(\(argument.name): \(argument.type))") }
            for directive in field.directives { lines.insert("\(field.name) \(line(directive))") }
        }
        return lines
    }

    private static func line(_ directive: Directive) -> String {
        let arguments = directive.arguments.map { "\($0.name): \($0.value.content)" }
        return "@\(directive.name)(\(arguments.joined(separator: ", ")))"
    }

    /// One line for each definition or line that only one of two maps has.
    func differences(from other: TypeMap) -> [String] {
        var result: [String] = []
        for name in Set(definitions.keys).union(other.definitions.keys).sorted() {
            guard let expected = definitions[name] else {
                result.append("+ \(name)")
                continue
            }
            guard let found = other.definitions[name] else {
                result.append("- \(name)")
                continue
            }
            result += expected.subtracting(found).sorted().map { "- \(name).\($0)" }
            result += found.subtracting(expected).sorted().map { "+ \(name).\($0)" }
        }
        return result
    }
}

extension Printer {
    mutating func schema(_ schema: SchemaDefinition, isExtension: Bool) {
        description(schema.description)
        write(isExtension ? "extend schema" : "schema")
        directives(schema.directives)
        guard !schema.roots.isEmpty else { return }
        write(" ")
        block("{", schema.roots, "}") { $0.write("\($1.kind.rawValue): \($1.type.text)") }
    }

    mutating func type(_ type: TypeDefinition, isExtension: Bool) {
        description(type.description)
        if isExtension { write("extend ") }
        write("\(type.kind.keyword) \(type.name.text)")
        if !type.interfaces.isEmpty {
            write(" implements ")
            joined(type.interfaces, " & ") { $0.write($1.text) }
        }
        directives(type.directives)
        switch type.body {
        case .scalar: break
        case .object(_, let fields), .interface(_, let fields): members(fields) { $0.field($1) }
        case .union(let types):
            guard !types.isEmpty else { return }
            write(" = ")
            joined(types, " | ") { $0.write($1.text) }
        case .enum(let values): members(values) { $0.enumValue($1) }
        case .inputObject(let fields): members(fields) { $0.inputValue($1) }
        }
    }

    mutating func field(_ field: FieldDefinition) {
        description(field.description)
        write(field.name.text)
        arguments(field.arguments)
        write(": \(field.type)")
        directives(field.directives)
    }

    mutating func inputValue(_ value: InputValueDefinition) {
        description(value.description)
        write("\(value.name.text): \(value.type)")
        if let defaultValue = value.defaultValue {
            write(" = ")
            self.value(defaultValue)
        }
        directives(value.directives)
    }

    mutating func enumValue(_ value: EnumValueDefinition) {
        description(value.description)
        write(value.name.text)
        directives(value.directives)
    }

    mutating func directiveDefinition(_ directive: DirectiveDefinition) {
        description(directive.description)
        write("directive @\(directive.name.text)")
        arguments(directive.arguments)
        if directive.isRepeatable { write(" repeatable") }
        write(" on ")
        joined(directive.locations, " | ") { $0.write($1.rawValue) }
    }

    private mutating func arguments(_ arguments: [InputValueDefinition]) {
        guard !arguments.isEmpty else { return }
        if arguments.contains(where: { $0.description != nil }) {
            block("(", arguments, ")") { $0.inputValue($1) }
        } else {
            write("(")
            joined(arguments, ", ") { $0.inputValue($1) }
            write(")")
        }
    }

    private mutating func members<Node>(_ nodes: [Node], _ write: (inout Printer, Node) -> Void) {
        guard !nodes.isEmpty else { return }
        self.write(" ")
        block("{", nodes, "}", write)
    }
}

extension Parser {
    /// Reads a definition of the type system, if the current name starts one.
    mutating func typeSystemDefinition(_ description: String?) throws(GraphQLSyntaxError) -> Definition? {
        if let type = try typeDefinition(description) { return .type(type) }
        if isKeyword("schema") { return .schema(try schemaDefinition(description, isExtension: false)) }
        if isKeyword("directive") { return .directive(try directiveDefinition(description)) }
        return nil
    }

    /// Reads an extension; the parser is at its first word.
    mutating func typeSystemExtension() throws(GraphQLSyntaxError) -> Definition {
        let location = location
        try advance()
        if isKeyword("schema") {
            var schema = try schemaDefinition(nil, isExtension: true)
            schema.location = location
            guard !schema.directives.isEmpty || !schema.roots.isEmpty else {
                throw unexpected("a directive or root types", hint: "An extension adds something.")
            }
            return .schemaExtension(schema)
        }
        guard var type = try typeDefinition(nil) else {
            throw unexpected("schema, scalar, type, interface, union, enum or input")
        }
        type.location = location
        let addsNothing: Bool =
            switch type.body {
            case .scalar: true
            case .object(let interfaces, let fields), .interface(let interfaces, let fields):
                interfaces.isEmpty && fields.isEmpty
            case .union(let members): members.isEmpty
            case .enum(let values): values.isEmpty
            case .inputObject(let fields): fields.isEmpty
            }
        guard !addsNothing || !type.directives.isEmpty else {
            throw unexpected("what the extension adds", hint: "An extension adds something.")
        }
        return .typeExtension(type)
    }

    private mutating func schemaDefinition(
        _ description: String?, isExtension: Bool
    ) throws(GraphQLSyntaxError) -> SchemaDefinition {
        let location = location
        try advance()
        let directives = try directives(areConstant: true)
        guard !isExtension || kind == .leftBrace else {
            return SchemaDefinition(directives: directives, roots: [], location: location)
        }
        guard kind == .leftBrace else { throw unexpected(TokenKind.leftBrace.phrase) }
        let roots = try many(.rightBrace, "query, mutation or subscription") { (parser) throws(GraphQLSyntaxError) in
            let location = parser.location
            guard let kind = parser.operationKind() else {
                throw parser.unexpected("query, mutation or subscription")
            }
            try parser.advance()
            try parser.expect(.colon)
            return RootTypeDefinition(kind: kind, type: try parser.name("the name of a type"), location: location)
        }
        return SchemaDefinition(description: description, directives: directives, roots: roots, location: location)
    }

    private mutating func typeDefinition(_ description: String?) throws(GraphQLSyntaxError) -> TypeDefinition? {
        guard let typeKind = typeKeyword() else { return nil }
        let location = location
        try advance()
        let name = try name("the name of the type")
        var interfaces: [Name] = []
        if typeKind == .object || typeKind == .interface, try skipKeyword("implements") {
            interfaces = try implementedInterfaces()
        }
        let directives = try directives(areConstant: true)
        let body: TypeBody =
            switch typeKind {
            case .scalar: .scalar
            case .object: .object(interfaces: interfaces, fields: try fieldDefinitions())
            case .interface: .interface(interfaces: interfaces, fields: try fieldDefinitions())
            case .union:
                .union(try skip(.equals) ? try names(separator: .verticalBar, "the name of a type") : [])
            case .enum: .enum(try enumValues())
            case .inputObject: .inputObject(try inputFields())
            }
        return TypeDefinition(
            description: description, name: name, directives: directives, body: body, location: location)
    }

    private func typeKeyword() -> TypeKind? {
        if isKeyword("type") { return .object }
        if isKeyword("input") { return .inputObject }
        if isKeyword("enum") { return .enum }
        if isKeyword("interface") { return .interface }
        if isKeyword("union") { return .union }
        if isKeyword("scalar") { return .scalar }
        return nil
    }

    private mutating func implementedInterfaces() throws(GraphQLSyntaxError) -> [Name] {
        let interfaces = try names(separator: .ampersand, "the name of an interface")
        if kind == .name, !startsDefinition() {
            throw unexpected("\"&\", directives or fields", hint: "Write \"&\" between interfaces.")
        }
        return interfaces
    }

    /// Whether the current name can start a definition, so that a type without braces ends before it.
    private func startsDefinition() -> Bool {
        typeKeyword() != nil || operationKind() != nil || isKeyword("schema") || isKeyword("directive")
            || isKeyword("extend") || isKeyword("fragment")
    }

    private mutating func fieldDefinitions() throws(GraphQLSyntaxError) -> [FieldDefinition] {
        guard kind == .leftBrace else { return [] }
        return try many(.rightBrace, "a field") { (parser) throws(GraphQLSyntaxError) in
            let description = try parser.optionalDescription()
            let name = try parser.name("the name of a field")
            let arguments = try parser.argumentDefinitions()
            try parser.expect(.colon, hint: "A field is written \"name: Type\".")
            let type = try parser.typeReference()
            if parser.kind == .equals {
                throw parser.unexpected("a directive or the next field", hint: "Only input fields have defaults.")
            }
            let directives = try parser.directives(areConstant: true)
            return FieldDefinition(
                description: description, name: name, arguments: arguments, type: type, directives: directives)
        }
    }

    private mutating func argumentDefinitions() throws(GraphQLSyntaxError) -> [InputValueDefinition] {
        guard kind == .leftParenthesis else { return [] }
        return try many(.rightParenthesis, "an argument") { (parser) throws(GraphQLSyntaxError) in
            try parser.inputValue("the name of an argument")
        }
    }

    private mutating func inputFields() throws(GraphQLSyntaxError) -> [InputValueDefinition] {
        guard kind == .leftBrace else { return [] }
        return try many(.rightBrace, "an input field") { (parser) throws(GraphQLSyntaxError) in
            try parser.inputValue("the name of an input field")
        }
    }

    private mutating func inputValue(
        _ expectation: @autoclosure () -> String
    ) throws(GraphQLSyntaxError) -> InputValueDefinition {
        let description = try optionalDescription()
        let name = try name(expectation())
        try expect(.colon, hint: "It is written \"name: Type\".")
        let type = try typeReference()
        let defaultValue = try skip(.equals) ? try value(isConstant: true) : nil
        let directives = try directives(areConstant: true)
        return InputValueDefinition(
            description: description, name: name, type: type, defaultValue: defaultValue, directives: directives)
    }

    private mutating func enumValues() throws(GraphQLSyntaxError) -> [EnumValueDefinition] {
        guard kind == .leftBrace else { return [] }
        return try many(.rightBrace, "a value") { (parser) throws(GraphQLSyntaxError) in
            let description = try parser.optionalDescription()
            if parser.isKeyword("true") || parser.isKeyword("false") || parser.isKeyword("null") {
                throw parser.unexpected(
                    "the name of a value", hint: "An enum cannot have the values true, false and null.")
            }
            let name = try parser.name("the name of a value")
            let directives = try parser.directives(areConstant: true)
            return EnumValueDefinition(description: description, name: name, directives: directives)
        }
    }

    private mutating func directiveDefinition(
        _ description: String?
    ) throws(GraphQLSyntaxError) -> DirectiveDefinition {
        let location = location
        try advance()
        try expect(.at, hint: "The name of a directive starts with \"@\".")
        let name = try name("the name of the directive")
        let arguments = try argumentDefinitions()
        let isRepeatable = try skipKeyword("repeatable")
        guard try skipKeyword("on") else { throw unexpected("\"on\" and the places of the directive") }
        _ = try skip(.verticalBar)
        var locations: [DirectiveLocation] = []
        repeat {
            guard kind == .name, let directiveLocation = DirectiveLocation(rawValue: text) else {
                let names = DirectiveLocation.allCases.map(\.rawValue)
                throw unexpected(
                    "a place for directives such as FIELD_DEFINITION",
                    hint: kind == .name ? Suggestions.hint(for: text, among: names) : nil)
            }
            locations.append(directiveLocation)
            try advance()
        } while try skip(.verticalBar)
        return DirectiveDefinition(
            description: description, name: name, arguments: arguments, isRepeatable: isRepeatable,
            locations: locations, location: location)
    }
}

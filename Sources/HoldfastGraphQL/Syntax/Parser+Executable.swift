extension Parser {
    /// Reads one or more definitions.
    mutating func document() throws(GraphQLSyntaxError) -> GraphQLDocument {
        guard kind != .endOfSource else {
            throw unexpected("a definition", hint: "A document contains at least one definition.")
        }
        var definitions: [Definition] = []
        repeat {
            definitions.append(try definition())
        } while kind != .endOfSource
        return GraphQLDocument(definitions: definitions)
    }

    private mutating func definition() throws(GraphQLSyntaxError) -> Definition {
        if kind == .leftBrace {
            let location = location
            return .operation(
                OperationDefinition(kind: .query, selections: try selectionSet(), location: location))
        }
        let describedAt = lexer.errorLocation
        let description = try optionalDescription()
        guard kind == .name else {
            let hint =
                description != nil && kind == .leftBrace ? "Write \"query\" before the brace." : nil
            throw unexpected("a definition", hint: hint)
        }
        if let definition = try typeSystemDefinition(description) { return definition }
        if let operation = operationKind() {
            return .operation(try operationDefinition(operation, description))
        }
        if isKeyword("fragment") { return .fragment(try fragmentDefinition(description)) }
        if isKeyword("extend") {
            guard description == nil else {
                throw GraphQLSyntaxError(
                    message: "an extension has no description", location: describedAt, expected: "\"extend\"",
                    hint: "Describe the definition that is extended, or write a comment.")
            }
            return try typeSystemExtension()
        }
        throw unexpected("a definition", hint: Suggestions.hint(for: text, among: Self.definitionKeywords))
    }

    private static let definitionKeywords = [
        "query", "mutation", "subscription", "fragment", "schema", "scalar", "type", "interface", "union", "enum",
        "input", "directive", "extend",
    ]

    /// The kind of operation that the current name is, if it is one.
    func operationKind() -> OperationKind? {
        if isKeyword("query") { return .query }
        if isKeyword("mutation") { return .mutation }
        if isKeyword("subscription") { return .subscription }
        return nil
    }

    private mutating func operationDefinition(
        _ operation: OperationKind, _ description: String?
    ) throws(GraphQLSyntaxError) -> OperationDefinition {
        let location = location
        try advance()
        let name = kind == .name ? try name() : nil
        let variables = kind == .leftParenthesis ? try variableDefinitions() : []
        let directives = try directives(areConstant: false)
        let selections = try selectionSet()
        return OperationDefinition(
            description: description, kind: operation, name: name, variables: variables, directives: directives,
            selections: selections, location: location)
    }

    private mutating func variableDefinitions() throws(GraphQLSyntaxError) -> [VariableDefinition] {
        try many(.rightParenthesis, "a variable") { (parser) throws(GraphQLSyntaxError) in
            let description = try parser.optionalDescription()
            let location = parser.location
            try parser.expect(.dollar, hint: "The name of a variable starts with \"$\".")
            let name = Name(try parser.name("the name of a variable").text, location: location)
            try parser.expect(.colon)
            let type = try parser.typeReference()
            let defaultValue = try parser.skip(.equals) ? try parser.value(isConstant: true) : nil
            let directives = try parser.directives(areConstant: true)
            return VariableDefinition(
                description: description, name: name, type: type, defaultValue: defaultValue, directives: directives)
        }
    }

    private mutating func fragmentDefinition(
        _ description: String?
    ) throws(GraphQLSyntaxError) -> FragmentDefinition {
        let location = location
        try advance()
        guard !isKeyword("on") else {
            throw unexpected("the name of a fragment", hint: "No fragment can have the name \"on\".")
        }
        let name = try name("the name of a fragment")
        if kind == .leftParenthesis {
            throw unexpected("\"on\"", hint: "Fragments have no variables of their own.")
        }
        let typeCondition = try typeCondition()
        let directives = try directives(areConstant: false)
        let selections = try selectionSet()
        return FragmentDefinition(
            description: description, name: name, typeCondition: typeCondition, directives: directives,
            selections: selections, location: location)
    }

    mutating func typeCondition() throws(GraphQLSyntaxError) -> Name {
        guard try skipKeyword("on") else { throw unexpected("\"on\"") }
        return try name("the name of a type")
    }
}

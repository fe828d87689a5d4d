extension Parser {
    /// Reads a value.
    ///
    /// - Parameter isConstant: Whether variables are forbidden.
    /// - Returns: The value and its location.
    /// - Throws: ``GraphQLSyntaxError`` for anything else, a forbidden variable, or too many levels of nesting.
    mutating func value(isConstant: Bool) throws(GraphQLSyntaxError) -> GraphQLValue {
        let location = location
        let content: GraphQLValue.Content
        switch kind {
        case .int:
            content = .int(text)
            try advance()
        case .float:
            content = .float(text)
            try advance()
        case .string, .blockString:
            content = .string(try string())
        case .name:
            if isKeyword("true") {
                content = .boolean(true)
                try advance()
            } else if isKeyword("false") {
                content = .boolean(false)
                try advance()
            } else if isKeyword("null") {
                content = .null
                try advance()
            } else {
                content = .enumeration(try name().text)
            }
        case .leftBracket:
            content = .list(try list(isConstant: isConstant))
        case .leftBrace:
            content = .object(try object(isConstant: isConstant))
        case .dollar:
            guard !isConstant else { throw unexpected("a constant value", hint: "Variables are not allowed here.") }
            try advance()
            content = .variable(try name("the name of a variable").text)
        default:
            throw unexpected("a value")
        }
        return GraphQLValue(content, location: location)
    }

    private mutating func list(isConstant: Bool) throws(GraphQLSyntaxError) -> [GraphQLValue] {
        try enter()
        try advance()
        var values: [GraphQLValue] = []
        while kind != .rightBracket {
            if kind == .endOfSource { throw unexpected(TokenKind.rightBracket.phrase) }
            values.append(try value(isConstant: isConstant))
        }
        try advance()
        leave()
        return values
    }

    private mutating func object(isConstant: Bool) throws(GraphQLSyntaxError) -> [ObjectField] {
        try enter()
        try advance()
        var fields: [ObjectField] = []
        while kind != .rightBrace {
            let name = try name("the name of an input field or \"}\"")
            try expect(.colon)
            fields.append(ObjectField(name: name, value: try value(isConstant: isConstant)))
        }
        try advance()
        leave()
        return fields
    }

    /// Reads arguments, if there are any.
    @inline(__always)
    mutating func arguments(areConstant: Bool) throws(GraphQLSyntaxError) -> [Argument] {
        guard kind == .leftParenthesis else { return [] }
        return try many(.rightParenthesis, "an argument") { (parser) throws(GraphQLSyntaxError) in
            let name = try parser.name("the name of an argument")
            try parser.expect(.colon)
            return Argument(name: name, value: try parser.value(isConstant: areConstant))
        }
    }

    /// Reads directives, if there are any.
    @inline(__always)
    mutating func directives(areConstant: Bool) throws(GraphQLSyntaxError) -> [Directive] {
        guard kind == .at else { return [] }
        return try someDirectives(areConstant: areConstant)
    }

    private mutating func someDirectives(areConstant: Bool) throws(GraphQLSyntaxError) -> [Directive] {
        var directives: [Directive] = []
        while kind == .at {
            let location = location
            try advance()
            let name = try name("the name of a directive")
            let arguments = try arguments(areConstant: areConstant)
            directives.append(Directive(name: name, arguments: arguments, location: location))
        }
        return directives
    }

    /// Reads a type.
    mutating func typeReference() throws(GraphQLSyntaxError) -> TypeReference {
        var open = 0
        while kind == .leftBracket {
            open += 1
            if open > TypeReference.maximumListDepth {
                throw GraphQLSyntaxError(
                    kind: .limit, message: "more than \(TypeReference.maximumListDepth) lists are nested in a type",
                    location: lexer.errorLocation)
            }
            try advance()
        }
        var type = TypeReference(try name("the name of a type"))
        if try skip(.exclamationMark) { type = type.nonNull }
        while open > 0 {
            try expect(.rightBracket)
            open -= 1
            type = type.list
            if try skip(.exclamationMark) { type = type.nonNull }
        }
        return type
    }
}

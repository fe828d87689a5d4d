extension Parser {
    /// A selection that is open: what it belongs to, and what was read of it.
    private struct OpenSelection {
        /// The field or inline fragment to which it belongs; `nil` for an operation or a named fragment.
        var owner: Selection?
        var selections: [Selection] = []
        let location: Location
    }

    /// Reads a selection with all that is nested in it.
    ///
    /// Does not recurse: the open selections are on their own stack.
    mutating func selectionSet() throws(GraphQLSyntaxError) -> [Selection] {
        var open: [OpenSelection] = []
        var current = try openSelection(of: nil)
        while true {
            if kind == .rightBrace {
                guard !current.selections.isEmpty else {
                    throw unexpected("a field or a fragment", hint: "Remove the empty braces.")
                }
                try advance()
                leave()
                guard var outer = open.popLast() else { return current.selections }
                if let owner = current.owner { outer.selections.append(Self.closed(owner, current.selections)) }
                current = outer
                continue
            }
            if kind == .endOfSource {
                throw unexpected(
                    TokenKind.rightBrace.phrase, hint: "What is not closed was opened at \(current.location).")
            }
            let selection = kind == .spread ? try fragmentHead() : .field(try fieldHead())
            if kind == .leftBrace, !selection.isSpread {
                let inner = try openSelection(of: selection)
                open.append(current)
                current = inner
            } else {
                current.selections.append(selection)
            }
        }
    }

    private mutating func openSelection(of owner: Selection?) throws(GraphQLSyntaxError) -> OpenSelection {
        guard kind == .leftBrace else { throw unexpected(TokenKind.leftBrace.phrase) }
        let location = lexer.errorLocation
        try enter()
        try advance()
        return OpenSelection(owner: owner, location: location)
    }

    private static func closed(_ owner: Selection, _ selections: [Selection]) -> Selection {
        switch owner {
        case .field(var field):
            field.selections = selections
            return .field(field)
        case .inlineFragment(var fragment):
            fragment.selections = selections
            return .inlineFragment(fragment)
        case .spread:
            return owner
        }
    }

    /// Reads a field up to its braces.
    private mutating func fieldHead() throws(GraphQLSyntaxError) -> FieldSelection {
        var name = try name("a field or a fragment")
        var alias: Name?
        if try skip(.colon) {
            alias = name
            name = try self.name("the name of a field")
        }
        let arguments = try arguments(areConstant: false)
        let directives = try directives(areConstant: false)
        return FieldSelection(alias: alias, name: name, arguments: arguments, directives: directives)
    }

    /// Reads the use of a fragment, or an inline fragment up to its braces, which must follow.
    private mutating func fragmentHead() throws(GraphQLSyntaxError) -> Selection {
        let location = location
        try advance()
        if kind == .name, !isKeyword("on") {
            let name = try name()
            return .spread(
                FragmentSpread(name: name, directives: try directives(areConstant: false), location: location))
        }
        let condition = kind == .name ? try typeCondition() : nil
        let directives = try directives(areConstant: false)
        guard kind == .leftBrace else { throw unexpected(TokenKind.leftBrace.phrase) }
        return .inlineFragment(
            InlineFragment(typeCondition: condition, directives: directives, selections: [], location: location))
    }
}

extension Selection {
    fileprivate var isSpread: Bool {
        if case .spread = self { true } else { false }
    }
}

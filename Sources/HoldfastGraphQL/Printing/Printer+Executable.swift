extension Printer {
    mutating func operation(_ operation: OperationDefinition) {
        description(operation.description)
        let isShort =
            operation.kind == .query && operation.name == nil && operation.variables.isEmpty
            && operation.directives.isEmpty && operation.description == nil
        if !isShort {
            write(operation.kind.rawValue)
            if operation.name != nil || !operation.variables.isEmpty { write(" ") }
            if let name = operation.name { write(name.text) }
            variables(operation.variables)
            directives(operation.directives)
            write(" ")
        }
        selections(operation.selections)
    }

    mutating func fragment(_ fragment: FragmentDefinition) {
        description(fragment.description)
        write("fragment \(fragment.name.text) on \(fragment.typeCondition.text)")
        directives(fragment.directives)
        write(" ")
        selections(fragment.selections)
    }

    private mutating func variables(_ variables: [VariableDefinition]) {
        guard !variables.isEmpty else { return }
        if variables.contains(where: { $0.description != nil }) {
            block("(", variables, ")") { $0.variable($1) }
        } else {
            write("(")
            joined(variables, ", ") { $0.variable($1) }
            write(")")
        }
    }

    private mutating func variable(_ variable: VariableDefinition) {
        description(variable.description)
        write("$\(variable.name.text): \(variable.type)")
        if let value = variable.defaultValue {
            write(" = ")
            self.value(value)
        }
        directives(variable.directives)
    }

    private mutating func selections(_ selections: [Selection]) {
        block("{", selections, "}") { $0.selection($1) }
    }

    mutating func selection(_ selection: Selection) {
        switch selection {
        case .field(let field):
            if let alias = field.alias { write(alias.text + ": ") }
            write(field.name.text)
            arguments(field.arguments)
            directives(field.directives)
            if !field.selections.isEmpty {
                write(" ")
                selections(field.selections)
            }
        case .spread(let spread):
            write("...\(spread.name.text)")
            directives(spread.directives)
        case .inlineFragment(let fragment):
            write("...")
            if let condition = fragment.typeCondition { write(" on \(condition.text)") }
            directives(fragment.directives)
            write(" ")
            selections(fragment.selections)
        }
    }
}

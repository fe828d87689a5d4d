// The rules about fragments and variables that follow fragments from the operations.
extension DocumentValidator {
    mutating func checkFragmentCycles() {
        let graph = Graph(edges: fragmentFacts.map(\.spreads))
        for cycle in graph.cycles() {
            let names = (cycle + [cycle[0]]).map { fragments[$0].name.text }
            let shown = names.count > 12 ? Array(names.prefix(6)) + ["…"] + Array(names.suffix(5)) : names
            let location = fragments[cycle[0]].name.location
            rules.problems.add(
                .fragmentCycles, at: location,
                message: "the fragment \"\(names[0])\" contains itself: \(shown.joined(separator: " → "))",
                hint: "Remove one of the uses.")
        }
    }

    /// Checks which fragments and variables are used, and the variables where they are.
    mutating func checkUses() {
        isUsed = Array(repeating: false, count: fragments.count)
        // The last operation that reached each fragment.
        var reachedBy = [Int](repeating: -1, count: fragments.count)
        for index in operations.indices {
            var reached: [Int] = []
            var open = operationFacts[index].spreads
            while let fragment = open.popLast() {
                guard reachedBy[fragment] != index else { continue }
                reachedBy[fragment] = index
                isUsed[fragment] = true
                reached.append(fragment)
                guard take(fragmentFacts[fragment].spreads.count + 1, at: operations[index].location) else { return }
                open += fragmentFacts[fragment].spreads
            }
            checkVariables(of: index, reached.sorted())
            guard steps >= 0 else { return }
        }
        for (index, fragment) in fragments.enumerated() where !isUsed[index] {
            guard fragmentIndices[fragment.name.text] == index else { continue }
            rules.problems.add(
                .unusedFragments, at: fragment.name.location, message: "the fragment \"\(fragment.name)\" is not used",
                hint: "Remove it.")
        }
    }

    mutating func checkVariableDefinitions(of operation: OperationDefinition) {
        var first: [String: Location] = [:]
        for variable in operation.variables {
            let name = variable.name
            if let location = first[name.text] {
                rules.problems.addSecond("variable \"$\(name)\"", name, .uniqueVariableNames, first: location)
            } else {
                first[name.text] = name.location
            }
            rules.check(variable.directives, on: .variableDefinition)
            guard let type = schema.type(variable.type.name.text) else {
                let schema = schema
                rules.problems.add(
                    .knownTypeNames, at: variable.type.name.location,
                    message: "the type \"\(variable.type.name)\" does not exist",
                    hint: Suggestions.hint(
                        for: variable.type.name.text, among: schema.types.filter(\.kind.isInput).map(\.name))
                        ?? "Name a scalar, enum or input object of the schema.")
                continue
            }
            guard type.kind.isInput else {
                rules.problems.add(
                    .variablesAreInputTypes, at: variable.type.name.location,
                    message: "the variable \"$\(name)\" has the type \"\(variable.type)\","
                        + " which is \(type.kind.phrase)",
                    hint: "Variables are scalars, enums and input objects.")
                continue
            }
            if let value = variable.defaultValue { rules.check(value, as: variable.type) }
        }
    }

    private mutating func checkVariables(of index: Int, _ reached: [Int]) {
        let operation = operations[index]
        let definitions = Dictionary(operation.variables.map { ($0.name.text, $0) }) { first, _ in first }
        var used: Set<String> = []
        check(operationFacts[index].variableUses, definitions, in: operation, &used)
        for fragment in reached {
            let uses = fragmentFacts[fragment].variableUses
            guard take(uses.count, at: operation.location) else { return }
            check(uses, definitions, in: operation, &used)
        }
        for variable in operation.variables where used.insert(variable.name.text).inserted {
            rules.problems.add(
                .unusedVariables, at: variable.name.location,
                message: "the variable \"$\(variable.name)\" of \(Self.label(operation)) is not used",
                hint: "Remove it.")
        }
    }

    private static func label(_ operation: OperationDefinition) -> String {
        operation.name.map { "the operation \"\($0)\"" } ?? "the operation"
    }

    private mutating func check(
        _ uses: [VariableUse], _ definitions: [String: VariableDefinition], in operation: OperationDefinition,
        _ used: inout Set<String>
    ) {
        for use in uses {
            guard let definition = definitions[use.name] else {
                rules.problems.add(
                    .undefinedVariables, at: use.location, operation.location,
                    message: "\(Self.label(operation)) declares no variable \"$\(use.name)\"",
                    hint: Suggestions.hint(
                        for: use.name, among: operation.variables.lazy.map(\.name.text), prefix: "$")
                        ?? "Declare it after the operation's name.")
                continue
            }
            used.insert(use.name)
            checkPosition(of: use, definition)
        }
    }

    private mutating func checkPosition(of use: VariableUse, _ definition: VariableDefinition) {
        guard var expected = use.type, let type = schema.type(definition.type.name.text), type.kind.isInput else {
            return
        }
        if use.isOneOf, !definition.type.isNonNull {
            rules.problems.add(
                .variablePositions, at: use.location, definition.name.location,
                message: "the variable \"$\(use.name)\" of type \"\(definition.type)\" can be null,"
                    + " but is used for the one field of a \"@oneOf\" input object",
                hint: "Declare it with type \"\(definition.type.nonNull)\".")
            return
        }
        if expected.isNonNull, !definition.type.isNonNull {
            let hasDefault = definition.defaultValue.map { $0.content != .null } ?? false
            if hasDefault || use.hasDefault { expected = expected.nullable }
        }
        guard !schema.isSubtype(definition.type, of: expected) else { return }
        let canBeRequired = schema.isSubtype(definition.type.nonNull, of: expected)
        rules.problems.add(
            .variablePositions, at: use.location, definition.name.location,
            message: "the variable \"$\(use.name)\" of type \"\(definition.type)\" is used where"
                + " \"\(expected)\" is expected",
            hint: canBeRequired
                ? "Declare it with type \"\(definition.type.nonNull)\" or give it a default value."
                : "Declare it with type \"\(expected)\".")
    }
}

// The rules about operations as a whole.
extension DocumentValidator {
    mutating func checkOperationNames() {
        var first: [String: Location] = [:]
        for operation in operations {
            guard let name = operation.name else {
                if operations.count > 1 {
                    rules.problems.add(
                        .loneAnonymousOperation, at: operation.location,
                        message: "an operation without name is not the only one",
                        hint: "Give every operation a name.")
                }
                continue
            }
            if let location = first[name.text] {
                rules.problems.addSecond("operation \"\(name)\"", name, .uniqueOperationNames, first: location)
            } else {
                first[name.text] = name.location
            }
        }
    }

    /// A subscription delivers one event stream, so it selects one field, for all values of the variables.
    mutating func checkSingleRootField(of operation: OperationDefinition) {
        let label = operation.name.map { "the subscription \"\($0)\"" } ?? "the subscription"
        let found = rootFields(of: operation)
        for directive in found.directives {
            rules.problems.add(
                .singleRootField, at: directive.location,
                message: "\(label) has \"@\(directive.name)\" at its root",
                hint: "What a subscription selects cannot depend on a condition.")
        }
        guard let first = found.fields.first else { return }
        for field in found.fields.dropFirst() where field.responseName != first.responseName {
            rules.problems.add(
                .singleRootField, at: field.location, message: "\(label) selects more than one field",
                hint: "Write a subscription for each field.")
            break
        }
        for field in found.fields where field.name.text.hasPrefix("__") {
            rules.problems.add(
                .singleRootField, at: field.location,
                message: "\(label) selects the introspection field \"\(field.name)\"",
                hint: "A subscription selects a field of its root type.")
        }
    }

    /// The fields at the root of an operation and the conditions on the way to them, fragments included.
    private mutating func rootFields(
        of operation: OperationDefinition
    ) -> (fields: [FieldSelection], directives: [Directive]) {
        var fields: [FieldSelection] = []
        var directives: [Directive] = []
        var seen: Set<Int> = []
        var open = [operation.selections]
        while let selections = open.popLast() {
            guard take(selections.count, at: operation.location) else { break }
            for selection in selections {
                directives += selection.directives.filter { $0.name.text == "skip" || $0.name.text == "include" }
                switch selection {
                case .field(let field): fields.append(field)
                case .inlineFragment(let fragment): open.append(fragment.selections)
                case .spread(let spread):
                    guard let index = fragmentIndices[spread.name.text], seen.insert(index).inserted else { continue }
                    open.append(fragments[index].selections)
                }
            }
        }
        return (fields, directives)
    }
}

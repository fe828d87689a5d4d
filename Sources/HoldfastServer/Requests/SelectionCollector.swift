import HoldfastGraphQL
import HoldfastWire

/// Brings the selections of an operation together: fragments are put in their places, fields of one name are merged.
struct SelectionCollector {
    /// A field of the response with everything that is selected of it.
    struct Field {
        /// The name in the response.
        var response: String
        /// The first place where it is selected.
        var first: FieldSelection
        /// What is selected of its value, wherever.
        var selections: [Selection]
    }

    let api: GraphQLSchema
    let fragments: [String: FragmentDefinition]
    let variables: [String: WireValue]
    /// The types that the variables were brought into.
    let types: [String: TypeReference]

    /// The fields that are selected on an object, in the order of the first selection of each.
    func fields(of selections: [Selection], on type: String) -> [Field] {
        fieldsWithCount(of: selections, on: type).fields
    }

    /// The fields that are selected on an object, and how many selections were looked at to find them.
    func fieldsWithCount(of selections: [Selection], on type: String) -> (fields: [Field], count: Int) {
        var fields: [Field] = []
        var indexes: [String: Int] = [:]
        // A fragment says the same however often it is used in one place.
        var seen: Set<String> = []
        var count = 0
        // Without recursion, since a fragment can lead to thousands of others.
        var open = [selections.makeIterator()]
        while let last = open.indices.last {
            guard let selection = open[last].next() else {
                open.removeLast()
                continue
            }
            count += 1
            guard isIncluded(selection.directives) else { continue }
            switch selection {
            case .field(let field):
                if let index = indexes[field.responseName] {
                    fields[index].selections += field.selections
                } else {
                    indexes[field.responseName] = fields.count
                    fields.append(Field(response: field.responseName, first: field, selections: field.selections))
                }
            case .spread(let spread):
                guard seen.insert(spread.name.text).inserted, let fragment = fragments[spread.name.text],
                    applies(fragment.typeCondition.text, to: type)
                else {
                    continue
                }
                open.append(fragment.selections.makeIterator())
            case .inlineFragment(let fragment):
                if let condition = fragment.typeCondition, !applies(condition.text, to: type) { continue }
                open.append(fragment.selections.makeIterator())
            }
        }
        return (fields, count)
    }

    private func applies(_ condition: String, to type: String) -> Bool {
        condition == type || api.isSubtype(type, of: condition)
    }

    private func isIncluded(_ directives: [Directive]) -> Bool {
        for directive in directives {
            let argument = directive.argument("if").flatMap { WireValue($0, variables: variables) }
            if directive.name.text == "skip", argument == true { return false }
            if directive.name.text == "include", argument == false { return false }
        }
        return true
    }
}

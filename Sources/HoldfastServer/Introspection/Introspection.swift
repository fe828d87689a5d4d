import HoldfastGraphQL
import HoldfastWire

/// Answers questions about the API itself.
struct Introspection {
    let api: GraphQLSchema
    let collector: SelectionCollector
    /// Counts the objects of the answer, since types lead to types without end.
    let meter: RowMeter
    /// Counts what is selected of the objects, and on how many levels.
    let selected: SelectionMeter

    /// The API as a whole, as far as it is selected.
    func schema(_ selections: [Selection]) -> WireValue {
        object(selections, "__Schema") { name, field in
            switch name {
            case "description": api.description.map(WireValue.string) ?? .null
            case "types": .array(api.types.map { type($0, field.selections) })
            case "queryType": root(.query, field.selections)
            case "mutationType": root(.mutation, field.selections)
            case "subscriptionType": root(.subscription, field.selections)
            default: .array(api.directives.map { directive($0, field.selections) })
            }
        }
    }

    /// A type, as far as it is selected; null if there is none of this name.
    func type(_ name: String, _ selections: [Selection]) -> WireValue {
        api.type(name).map { type($0, selections) } ?? .null
    }

    private func root(_ kind: OperationKind, _ selections: [Selection]) -> WireValue {
        api.rootType(kind).map { type($0, selections) } ?? .null
    }

    private func object(
        _ selections: [Selection], _ type: String,
        _ value: (String, SelectionCollector.Field) -> WireValue
    ) -> WireValue {
        defer { selected.leave() }
        guard (try? selected.enter()) != nil, (try? meter.take(1)) != nil else { return .null }
        let (fields, count) = collector.fieldsWithCount(of: selections, on: type)
        guard (try? selected.take(count)) != nil else { return .null }
        var object = JSONObject()
        for field in fields {
            let name = field.first.name.text
            // Setting a member would search for it, and each field of the response comes once.
            object.append(unique: field.response, name == "__typename" ? .string(type) : value(name, field))
        }
        return .object(object)
    }

    private func includesDeprecated(_ field: SelectionCollector.Field) -> Bool {
        field.first.arguments.first { $0.name.text == "includeDeprecated" }
            .flatMap { WireValue($0.value, variables: collector.variables) } == true
    }

    private func list<Node>(
        _ nodes: [Node], _ directives: (Node) -> [Directive], _ field: SelectionCollector.Field,
        _ value: (Node, [Selection]) -> WireValue
    ) -> WireValue {
        let all = includesDeprecated(field)
        return .array(
            nodes.filter { all || directives($0).deprecation == nil }.map { value($0, field.selections) })
    }

    // MARK: - Types

    private func type(_ type: SchemaType, _ selections: [Selection]) -> WireValue {
        object(selections, "__Type") { name, field in
            switch name {
            case "kind": .string(type.kind.introspectionName)
            case "name": .string(type.name)
            case "description": type.definition.description.map(WireValue.string) ?? .null
            case "fields":
                type.kind == .object || type.kind == .interface
                    ? list(type.fields, \.directives, field, self.field) : .null
            case "interfaces":
                type.kind == .object || type.kind == .interface
                    ? .array(type.definition.interfaces.map { self.type($0.text, field.selections) }) : .null
            case "possibleTypes":
                type.kind.isAbstract
                    ? .array(type.possibleTypeNames.map { self.type($0, field.selections) }) : .null
            case "enumValues":
                type.kind == .enum ? list(type.definition.values, \.directives, field, self.enumValue) : .null
            case "inputFields":
                type.kind == .inputObject ? list(type.inputFields, \.directives, field, self.inputValue) : .null
            case "specifiedByURL":
                type.definition.directive("specifiedBy")?.argument("url").flatMap { WireValue($0, variables: [:]) }
                    ?? .null
            case "isOneOf": type.kind == .inputObject ? .boolean(type.isOneOf) : .null
            default: .null
            }
        }
    }

    private func reference(_ reference: TypeReference, _ selections: [Selection]) -> WireValue {
        let inner: TypeReference? = reference.isNonNull ? reference.nullable : reference.element
        guard let inner else { return type(reference.name.text, selections) }
        return object(selections, "__Type") { name, field in
            switch name {
            case "kind": reference.isNonNull ? "NON_NULL" : "LIST"
            case "ofType": self.reference(inner, field.selections)
            default: .null
            }
        }
    }

    private func field(_ definition: FieldDefinition, _ selections: [Selection]) -> WireValue {
        object(selections, "__Field") { name, field in
            switch name {
            case "args": list(definition.arguments, \.directives, field, self.inputValue)
            case "type": reference(definition.type, field.selections)
            default: shared(name, definition.name, definition.description, definition.directives)
            }
        }
    }

    private func inputValue(_ definition: InputValueDefinition, _ selections: [Selection]) -> WireValue {
        object(selections, "__InputValue") { name, field in
            switch name {
            case "type": reference(definition.type, field.selections)
            case "defaultValue": definition.defaultValue.map { .string($0.printed()) } ?? .null
            default: shared(name, definition.name, definition.description, definition.directives)
            }
        }
    }

    private func enumValue(_ definition: EnumValueDefinition, _ selections: [Selection]) -> WireValue {
        object(selections, "__EnumValue") { name, _ in
            shared(name, definition.name, definition.description, definition.directives)
        }
    }

    private func directive(_ definition: DirectiveDefinition, _ selections: [Selection]) -> WireValue {
        object(selections, "__Directive") { name, field in
            switch name {
            case "isRepeatable": .boolean(definition.isRepeatable)
            case "locations": .array(definition.locations.map { .string($0.rawValue) })
            case "args": list(definition.arguments, \.directives, field, self.inputValue)
            default: shared(name, definition.name, definition.description, [])
            }
        }
    }

    private func shared(
        _ member: String, _ name: Name, _ description: String?, _ directives: [Directive]
    ) -> WireValue {
        switch member {
        case "name": .string(name.text)
        case "description": description.map(WireValue.string) ?? .null
        case "isDeprecated": .boolean(directives.deprecation != nil)
        case "deprecationReason": directives.deprecation.map(WireValue.string) ?? .null
        default: .null
        }
    }
}

extension Sequence<Directive> {
    /// Why something is deprecated; `nil` if it is not.
    fileprivate var deprecation: String? {
        guard let directive = first(where: { $0.name.text == "deprecated" }) else { return nil }
        return directive.argument("reason").flatMap { WireValue($0, variables: [:])?.string } ?? "No longer supported"
    }
}

extension TypeKind {
    fileprivate var introspectionName: String { self == .inputObject ? "INPUT_OBJECT" : rawValue.uppercased() }
}

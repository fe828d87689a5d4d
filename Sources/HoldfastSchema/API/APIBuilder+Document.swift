import HoldfastGraphQL

// The definitions in the order in which a person reads them.
extension APIBuilder {
    mutating func document() -> GraphQLDocument {
        var definitions: [TypeDefinition] = []
        for type in schema.types {
            if let model = model(type.name.text) {
                definitions.append(object(of: model))
            } else if let own = own(type) {
                definitions.append(own)
            }
        }
        for model in models where schema.type(model.name) == nil { definitions.append(object(of: model)) }
        for model in models {
            for var type in [connection(of: model)] + inputs(of: model) {
                type.name.location = model.model.location
                definitions.append(type)
            }
        }
        definitions += embeddedInputs()
        definitions += [queries(), mutations(), subscriptions()].filter { !$0.fields.isEmpty }
        definitions += comparisonInputs()
        return GraphQLDocument(definitions: definitions.map(Definition.type))
    }

    /// An enum or an embedded type; `nil` for the author's own root types.
    private func own(_ type: TypeDefinition) -> TypeDefinition? {
        switch type.body {
        case .enum(let values):
            let values = values.map { EnumValueDefinition(description: $0.description, name: Name($0.name.text)) }
            return TypeDefinition(
                description: type.description, name: Name(type.name.text), body: .enum(values))
        case .object(_, let fields):
            guard schema.graph.embedded.contains(where: { $0.name == type.name.text }) else { return nil }
            let fields = fields.map { field in
                FieldDefinition(
                    description: field.description, name: Name(field.name.text),
                    type: field.type.renamed(field.type.name.text))
            }
            return TypeDefinition(
                description: type.description, name: Name(type.name.text),
                directives: directives(inheritedModes[type.name.text] ?? []),
                body: .object(interfaces: [], fields: fields))
        default: return nil
        }
    }

    private mutating func object(of model: APIModel) -> TypeDefinition {
        var fields = model.fields.map { field -> FieldDefinition in
            guard case .relation(let relation) = field.content, let other = self.model(relation.model) else {
                return FieldDefinition(description: field.description, name: Name(field.name), type: field.type)
            }
            guard relation.kind == .hasMany else {
                return FieldDefinition(description: field.description, name: Name(field.name), type: field.type)
            }
            return FieldDefinition(
                description: field.description, name: Name(field.name),
                arguments: listArguments(of: field, in: model, to: other), type: other.connection)
        }
        let system: [(String, TypeReference)] = [
            ("_version", TypeReference("Int").nonNull), ("_deleted", TypeReference("Boolean")),
            ("_lastChangedAt", TypeReference("AWSTimestamp").nonNull),
        ]
        fields += system.map { FieldDefinition(name: Name($0.0), type: $0.1) }
        return TypeDefinition(
            description: model.model.description, name: Name(model.name), directives: directives(model.access.modes),
            body: .object(interfaces: [], fields: fields))
    }

    /// The arguments of a list: the rest of the index that it goes through, then those of every list.
    private mutating func listArguments(
        of field: APIField, in model: APIModel, to other: APIModel
    ) -> [InputValueDefinition] {
        let sortKey = sortFields(of: field, in: model, to: other)
        return conditionArgument(on: sortKey.fields, named: sortKey.index, of: other)
            + [
                argument("filter", TypeReference("Model\(other.title)FilterInput")),
                argument("sortDirection", TypeReference("ModelSortDirection")),
                argument("limit", TypeReference("Int")), argument("nextToken", TypeReference("String")),
            ]
    }

    /// The fields by which the records of a list are sorted, after those that hold the parent's key.
    func sortFields(
        of field: APIField, in model: APIModel, to other: APIModel
    ) -> (fields: [String], index: String?) {
        let written = schema.type(model.name)?.fields.first { $0.name.text == field.name }
        guard let directive = written?.directives.first(where: { [.hasMany, .connection].contains($0.known) }),
            let fields = directive.strings("fields")
        else { return ([], nil) }
        // Either is the name of an index, in the spelling of one of the two generations.
        let name = directive.string("indexName") ?? directive.string("keyName")
        if let name, let index = other.indexes.first(where: { $0.name == name }) {
            return (Array(index.fields.dropFirst(fields.count)), name)
        }
        return (Array(other.key.dropFirst(fields.count)), nil)
    }

    private func connection(of model: APIModel) -> TypeDefinition {
        let items = TypeReference(model.name).list.nonNull
        var fields = [
            FieldDefinition(name: "items", type: items),
            FieldDefinition(name: "nextToken", type: TypeReference("String")),
        ]
        if model.settings.names[.list] != nil || model.settings.names[.sync] != nil {
            fields.append(FieldDefinition(name: "startedAt", type: TypeReference("AWSTimestamp")))
        }
        let modes = model.access.modes(for: [.list, .sync]).union(inheritedModes[model.connection.name.text] ?? [])
        return TypeDefinition(
            name: model.connection.name, directives: directives(modes), body: .object(interfaces: [], fields: fields))
    }

    func argument(_ name: String, _ type: TypeReference, at location: Location = .none) -> InputValueDefinition {
        InputValueDefinition(name: Name(name, location: location), type: type)
    }
}

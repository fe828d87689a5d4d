import HoldfastGraphQL

// Queries, mutations, and subscriptions.
extension APIBuilder {
    private static let limit = TypeReference("Int")
    private static let token = TypeReference("String")
    private static let direction = TypeReference("ModelSortDirection")

    mutating func queries() -> TypeDefinition {
        var fields: [FieldDefinition] = []
        for model in models {
            let filter = argument("filter", TypeReference("Model\(model.title)FilterInput"))
            let page = [argument("limit", Self.limit), argument("nextToken", Self.token)]
            if let name = model.settings.names[.get] {
                let arguments = model.keyFields.map { argument($0.name, $0.type) }
                fields.append(query(name, arguments, TypeReference(model.name), model, [.get]))
            }
            if let name = model.settings.names[.list] {
                var arguments = [filter] + page
                if model.model.declaresKey { arguments = keyArguments(of: model) + arguments }
                if model.model.declaresKey { arguments.append(argument("sortDirection", Self.direction)) }
                fields.append(query(name, arguments, model.connection, model, [.list]))
            }
            if let name = model.settings.names[.sync] {
                let arguments = [filter] + page + [argument("lastSync", TypeReference("AWSTimestamp"))]
                fields.append(query(name, arguments, model.connection, model, [.sync]))
            }
            for index in model.indexes {
                guard let name = index.query, let first = index.fields.first, let field = model.field(first) else {
                    continue
                }
                let arguments =
                    [argument(first, field.type.nonNull)]
                    + conditionArgument(on: Array(index.fields.dropFirst()), named: index.name, of: model)
                    + [argument("sortDirection", Self.direction), filter] + page
                fields.append(query(name, arguments, model.connection, model, [.get, .list]))
            }
        }
        return TypeDefinition(name: "Query", body: .object(interfaces: [], fields: fields))
    }

    private func query(
        _ name: String, _ arguments: [InputValueDefinition], _ type: TypeReference, _ model: APIModel,
        _ actions: Set<ModelAccess.Action>
    ) -> FieldDefinition {
        FieldDefinition(
            name: Name(name, location: model.model.location), arguments: arguments, type: type,
            directives: directives(model.access.modes(for: actions)))
    }

    /// The arguments by which a list is restricted to a part of the key.
    private mutating func keyArguments(of model: APIModel) -> [InputValueDefinition] {
        guard let first = model.key.first, let field = model.field(first) else { return [] }
        return [argument(first, field.type.nullable)]
            + conditionArgument(on: Array(model.key.dropFirst()), named: nil, of: model)
    }

    /// The argument for a condition on the fields after the first of a key or an index: none, or one for all of them.
    ///
    /// - Parameters:
    ///   - fields: The fields after the first.
    ///   - index: The index; `nil` for the primary key.
    ///   - model: The model that has the key or the index.
    /// - Returns: The argument, alone in a list; an empty list if there is none.
    mutating func conditionArgument(
        on fields: [String], named index: String?, of model: APIModel
    ) -> [InputValueDefinition] {
        guard let first = fields.first, let field = model.field(first) else { return [] }
        guard fields.count > 1 else {
            let scalar = ComparisonScalar(field.enumeration == nil ? field.type.name.text : "String")
            keyConditions.insert(scalar)
            return [argument(first, TypeReference("Model\(scalar.rawValue)KeyConditionInput"))]
        }
        let name = first + fields.dropFirst().map(Names.upperFirst).joined()
        return [argument(name, TypeReference(compositeKey(index, of: model) + "ConditionInput"))]
    }

    /// The beginning of the names of the inputs for the fields after the first of a key or an index.
    func compositeKey(_ index: String?, of model: APIModel) -> String {
        "Model\(model.title)\(index.map(Names.upperFirst) ?? "Primary")CompositeKey"
    }

    func mutations() -> TypeDefinition {
        var fields: [FieldDefinition] = []
        let mutations: [(ModelSettings.Operation, String, ModelAccess.Action)] = [
            (.create, "Create", .create), (.update, "Update", .update), (.delete, "Delete", .delete),
        ]
        for model in models {
            for (operation, verb, action) in mutations {
                guard let name = model.settings.names[operation] else { continue }
                fields.append(
                    FieldDefinition(
                        name: Name(name, location: model.model.location),
                        arguments: [
                            argument("input", TypeReference("\(verb)\(model.title)Input").nonNull),
                            argument("condition", TypeReference("Model\(model.title)ConditionInput")),
                        ],
                        type: TypeReference(model.name), directives: directives(model.access.modes(for: [action]))))
            }
        }
        return TypeDefinition(name: "Mutation", body: .object(interfaces: [], fields: fields))
    }

    func subscriptions() -> TypeDefinition {
        var fields: [FieldDefinition] = []
        for model in models {
            // Several owners cannot be named in one argument.
            let owners = model.access.listeningOwnerFields.filter { model.field($0)?.type.isList == false }
            for (mutation, names) in model.settings.subscriptions {
                guard let source = model.settings.names[mutation] else { continue }
                let cause = GraphQLValue(.list([GraphQLValue(.string(source))]))
                let subscribe = Directive(
                    name: "aws_subscribe", arguments: [Argument(name: "mutations", value: cause)])
                for name in names {
                    fields.append(
                        FieldDefinition(
                            name: Name(name, location: model.model.location),
                            arguments: [
                                argument("filter", TypeReference("ModelSubscription\(model.title)FilterInput"))
                            ] + owners.map { argument($0, TypeReference("String")) },
                            type: TypeReference(model.name),
                            directives: [subscribe] + directives(model.access.modes(for: [.listen]))))
                }
            }
        }
        return TypeDefinition(name: "Subscription", body: .object(interfaces: [], fields: fields))
    }
}

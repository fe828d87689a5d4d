import HoldfastGraphQL

// The inputs of mutations, filters, and conditions.
extension APIBuilder {
    mutating func inputs(of model: APIModel) -> [TypeDefinition] {
        var inputs = [filter(of: model), condition(of: model)]
        if model.settings.names[.create] != nil { inputs.append(createInput(of: model)) }
        if model.settings.names[.update] != nil { inputs.append(updateInput(of: model)) }
        if model.settings.names[.delete] != nil { inputs.append(deleteInput(of: model)) }
        if !model.settings.subscriptions.isEmpty { inputs.append(subscriptionFilter(of: model)) }
        if model.key.count > 2, model.settings.names[.list] != nil {
            inputs += compositeInputs(Array(model.key.dropFirst()), nil, of: model)
        }
        for index in model.indexes where index.fields.count > 2 {
            inputs += compositeInputs(Array(index.fields.dropFirst()), index.name, of: model)
        }
        return inputs
    }

    private func input(_ name: String, _ fields: [InputValueDefinition]) -> TypeDefinition {
        TypeDefinition(name: Name(name), body: .inputObject(fields))
    }

    // MARK: - Mutations

    /// Whether the service fills a declared field in, so that clients may leave it out.
    private func isFilledIn(_ field: APIField, of model: APIModel) -> Bool {
        guard Timestamps.names(of: schema.type(model.name)).contains(field.name) else { return false }
        return ["AWSDateTime", "String"].contains(field.type.name.text)
    }

    /// The type of a field in inputs: embedded types have their own inputs.
    private func inputType(_ field: APIField) -> TypeReference {
        field.embedded.map { field.type.renamed($0 + "Input") } ?? field.type
    }

    private func inputFields(of model: APIModel) -> [APIField] {
        model.fields.filter { field in
            switch field.origin {
            case .timestamp, .owner: false
            case .declared, .identifier, .foreignKey: !field.isRelation
            }
        }
    }

    private func createInput(of model: APIModel) -> TypeDefinition {
        let fields = inputFields(of: model).map { field in
            let type = inputType(field)
            let isIdentifier = field.name == "id" && model.key.contains("id")
            let isOptional = isIdentifier && ["ID", "String"].contains(field.type.name.text)
            return argument(field.name, isOptional || isFilledIn(field, of: model) ? type.nullable : type)
        }
        return input("Create\(model.title)Input", fields + [argument("_version", TypeReference("Int"))])
    }

    private func updateInput(of model: APIModel) -> TypeDefinition {
        let fields = inputFields(of: model).map { field in
            argument(field.name, model.key.contains(field.name) ? inputType(field).nonNull : inputType(field).nullable)
        }
        return input("Update\(model.title)Input", fields + [argument("_version", TypeReference("Int"))])
    }

    private func deleteInput(of model: APIModel) -> TypeDefinition {
        let fields = model.keyFields.map { argument($0.name, $0.type) }
        return input("Delete\(model.title)Input", fields + [argument("_version", TypeReference("Int"))])
    }

    func embeddedInputs() -> [TypeDefinition] {
        var names: [String] = []
        func collect(_ name: String) {
            guard !names.contains(name) else { return }
            names.append(name)
            for field in schema.graph.embedded.first(where: { $0.name == name })?.fields ?? [] {
                if case .value(.embedded(let inner)) = field.content { collect(inner) }
            }
        }
        for field in models.flatMap(\.fields) { if let name = field.embedded { collect(name) } }
        return names.compactMap { name in
            guard let type = schema.type(name) else { return nil }
            let fields = type.fields.map { field in
                let isEmbedded = schema.graph.embedded.contains { $0.name == field.type.name.text }
                return argument(
                    field.name.text, field.type.renamed(field.type.name.text + (isEmbedded ? "Input" : "")))
            }
            return input("\(name)Input", fields)
        }
    }

    // MARK: - Filters

    /// The input that compares a field; `nil` for fields that cannot be compared.
    private mutating func comparison(of field: APIField) -> TypeReference? {
        guard !field.isRelation, field.embedded == nil else { return nil }
        guard let name = field.enumeration else {
            return TypeReference("Model\(ComparisonScalar(field.type.name.text).rawValue)Input")
        }
        // A list that cannot be null is compared like one value: a habit of the original that clients know.
        if field.type.isList, !field.type.isNonNull {
            comparedEnumLists.insert(name)
            return TypeReference("Model\(name)ListInput")
        }
        comparedEnums.insert(name)
        return TypeReference("Model\(name)Input")
    }

    private func combinators(_ name: String, negates: Bool) -> [InputValueDefinition] {
        let type = TypeReference(name)
        var result = [argument("and", type.list), argument("or", type.list)]
        if negates { result.append(argument("not", type)) }
        result.append(argument("_deleted", TypeReference("ModelBooleanInput")))
        return result
    }

    private mutating func filter(of model: APIModel) -> TypeDefinition {
        let name = "Model\(model.title)FilterInput"
        var fields: [InputValueDefinition] = []
        for field in model.fields {
            if let type = comparison(of: field) { fields.append(argument(field.name, type, at: field.location)) }
        }
        // Models with another key are given an `id` here too.
        if model.field("id") == nil { fields.append(argument("id", TypeReference("ModelIDInput"))) }
        return input(name, fields + combinators(name, negates: true))
    }

    private mutating func condition(of model: APIModel) -> TypeDefinition {
        let name = "Model\(model.title)ConditionInput"
        var fields: [InputValueDefinition] = []
        for field in model.fields where !isLeftOutOfConditions(field, of: model) {
            if let type = comparison(of: field) { fields.append(argument(field.name, type, at: field.location)) }
        }
        return input(name, fields + combinators(name, negates: true))
    }

    /// Whether conditions leave out a field: keys, which the mutation names, but not owners or an `id` of another type.
    private func isLeftOutOfConditions(_ field: APIField, of model: APIModel) -> Bool {
        if model.ownerFields.contains(field.name) { return false }
        guard model.model.declaresKey else { return field.name == "id" && field.type.name.text == "ID" }
        return field.name == "id" || model.key.contains(field.name)
    }

    private func subscriptionFilter(of model: APIModel) -> TypeDefinition {
        let name = "ModelSubscription\(model.title)FilterInput"
        let owners = model.ownerFields
        let hidden = Set(owners + model.access.groupFields)
        var fields: [InputValueDefinition] = []
        for field in model.fields where !hidden.contains(field.name) {
            guard !field.isRelation, field.embedded == nil else { continue }
            if case .foreignKey(ofListIn: .some) = field.origin { continue }
            fields.append(argument(field.name, subscriptionComparison(of: field), at: field.location))
        }
        // The key of a list is compared at its owner, where the original puts it.
        for field in model.keysOfLists { fields.append(argument(field.name, subscriptionComparison(of: field))) }
        if model.field("id") == nil { fields.append(argument("id", TypeReference("ModelSubscriptionIDInput"))) }
        fields += owners.map { argument($0, TypeReference("ModelStringInput")) }
        return input(name, fields + combinators(name, negates: false))
    }

    private func subscriptionComparison(of field: APIField) -> TypeReference {
        let scalar = field.enumeration == nil ? ComparisonScalar(field.type.name.text) : .string
        return TypeReference("ModelSubscription\(scalar.rawValue)Input")
    }

    // MARK: - Keys

    private func compositeInputs(_ fields: [String], _ index: String?, of model: APIModel) -> [TypeDefinition] {
        let name = compositeKey(index, of: model)
        let key = TypeReference(name + "Input")
        let condition =
            ["eq", "le", "lt", "ge", "gt"].map { argument($0, key) }
            + [argument("between", key.list), argument("beginsWith", key)]
        let parts = fields.compactMap(model.field).map { field in
            // The last part has the plain scalar of its type, as in the original.
            let isLast = field.name == fields.last
            let scalar = field.enumeration == nil ? ComparisonScalar(field.type.name.text).rawValue : "String"
            return argument(field.name, isLast ? TypeReference(scalar) : field.type.nullable)
        }
        return [input(name + "ConditionInput", condition), input(name + "Input", parts)]
    }
}

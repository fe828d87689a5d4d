import HoldfastGraphQL

// Primary keys and indexes.
extension GraphBuilder {
    /// Reads the key and the indexes of a model, in both generations' spelling, and adds the implicit `id`.
    mutating func readKeys(of name: String) {
        guard let position = positions[name], let type = definitions[name] else { return }
        var model = graph.models[position]
        // Only a model without a key of its own has an `id` that is not declared, which indexes may name.
        model.declaresKey = type.declaresKey
        var declared: Location?
        for field in type.fields {
            for directive in field.directives {
                switch directive.known {
                case .primaryKey:
                    if declared != nil {
                        problems.add(
                            "\"\(name)\" has a second primary key", at: directive.location,
                            "Keep one; further fields of the key go into \"sortKeyFields\".")
                        continue
                    }
                    declared = directive.location
                    model.primaryKey = keyFields(field.name.text, directive, of: model)
                    checkKey(model.primaryKey, of: model, at: directive.location)
                case .index:
                    addIndex(keyFields(field.name.text, directive, of: model), directive, to: &model)
                default: break
                }
            }
        }
        for directive in type.definition.directives where directive.known == .key {
            let fields = known(directive.strings("fields") ?? [], of: model, in: .key)
            if directive.string("name") != nil {
                addIndex(fields, directive, to: &model)
            } else if declared != nil {
                problems.add(
                    "\"\(name)\" has a second primary key", at: directive.location, "Give this one a \"name\".")
            } else {
                declared = directive.location
                model.primaryKey = fields
                checkKey(fields, of: model, at: directive.location)
            }
        }
        if !model.declaresKey { addIdentifier(to: &model) }
        graph.models[position] = model
    }

    private mutating func addIdentifier(to model: inout ModelType) {
        model.primaryKey = ["id"]
        guard let index = model.fields.firstIndex(where: { $0.name == "id" }) else {
            model.fields.insert(
                ModelTypeField(
                    name: "id", content: .value(.string), isRequired: true, scalar: GraphQLScalar.id.rawValue), at: 0)
            return
        }
        model.fields[index].isRequired = true
        checkKey(model.primaryKey, of: model, at: model.fields[index].location)
    }

    private mutating func keyFields(_ field: String, _ directive: Directive, of model: ModelType) -> [String] {
        [field] + known(directive.strings("sortKeyFields") ?? [], of: model, in: directive.known ?? .index)
    }

    /// The names that are fields of the model; reports the others.
    mutating func known(
        _ names: [(text: String, location: Location)], of model: ModelType, in directive: DirectiveName
    ) -> [String] {
        names.compactMap { name in
            if model.field(name.text) != nil || name.text == "id" && !model.declaresKey { return name.text }
            // A field with an unknown type has been reported already.
            if definitions[model.name]?.field(name.text) != nil { return nil }
            problems.add(
                "\"\(directive)\" names \"\(name.text)\", which is not a field of \"\(model.name)\"", at: name.location,
                "Declare the field, or name one of: \(model.fields.map(\.name).joined(separator: ", ")).")
            return nil
        }
    }

    private mutating func checkKey(_ names: [String], of model: ModelType, at location: Location) {
        for field in names.compactMap(model.field) {
            guard let kind = field.value, !field.isList, !kind.isEmbedded else {
                problems.add(
                    "\"\(model.name).\(field.name)\" is part of the key, but is not a single value", at: location,
                    "Keys consist of scalars and enums.")
                continue
            }
            if kind == .bool {
                problems.add(
                    "\"\(model.name).\(field.name)\" is part of the key, but a Boolean", at: location,
                    "Use a type with more values.")
            }
            if !field.isRequired {
                problems.add(
                    "\"\(model.name).\(field.name)\" is part of the key, but can be null", at: field.location,
                    "Write \"\(field.name): \(field.scalar)!\".")
            }
        }
        if Set(names).count < names.count {
            problems.add(
                "the key of \"\(model.name)\" names a field twice", at: location, "Name each field once.")
        }
    }

    private mutating func addIndex(_ fields: [String], _ directive: Directive, to model: inout ModelType) {
        for field in fields.compactMap(model.field) where field.isList || field.value?.isEmbedded ?? true {
            problems.add(
                "an index cannot contain \"\(model.name).\(field.name)\", which is not a single value",
                at: directive.location, "Indexes consist of scalars and enums.")
        }
        if Set(fields).count < fields.count {
            problems.add(
                "an index of \"\(model.name)\" names a field twice", at: directive.location, "Name each field once.")
        }
        let name = directive.string("name") ?? Names.index(plural: model.plural, fields: fields)
        if model.indexes.contains(where: { $0.name == name }) {
            problems.add(
                "\"\(model.name)\" has a second index \"\(name)\"", at: directive.location, "Give it another name.")
            return
        }
        if name.count < 3 {
            problems.add(
                "the name of the index \"\(name)\" is too short", at: directive.location,
                "Names of indexes have at least three characters.")
        }
        model.indexes.append(ModelIndex(name: name, fields: fields, location: directive.location))
    }
}

extension SchemaType {
    /// Whether the author states a primary key.
    fileprivate var declaresKey: Bool {
        fields.contains { $0.directives.first(.primaryKey) != nil }
            || definition.directives.contains { $0.known == .key && $0.string("name") == nil }
    }
}

extension ValueKind {
    /// Whether the value is an object.
    package var isEmbedded: Bool { embeddedType != nil }

    /// The type of the object; `nil` for a single value.
    var embeddedType: String? { if case .embedded(let name) = self { name } else { nil } }
}

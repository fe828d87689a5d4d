import HoldfastGraphQL

/// Makes the API of an annotated schema.
struct APIBuilder {
    let schema: AnnotatedSchema
    let defaultMode: AuthMode
    var models: [APIModel] = []
    private var positions: [String: Int] = [:]
    /// The types that filters need beside those that every API has.
    var comparedEnums: Set<String> = []
    var comparedEnumLists: Set<String> = []
    var keyConditions: Set<ComparisonScalar> = []
    /// The modes that reach a type from another one.
    var inheritedModes: [String: Set<AuthMode>] = [:]

    init(_ schema: AnnotatedSchema, defaultMode: AuthMode) {
        self.schema = schema
        self.defaultMode = defaultMode
        for model in schema.graph.models { add(model) }
        addForeignKeys()
        addOwners()
        spreadModes()
    }

    func model(_ name: String) -> APIModel? { positions[name].map { models[$0] } }

    // MARK: - Fields

    private mutating func add(_ model: ModelType) {
        let definition = schema.type(model.name)
        var result = APIModel(
            model: model, settings: ModelSettings(model, directive: definition?.directive(.model)),
            access: access(of: model, definition))
        result.fields = definition.map { declaredFields(of: $0, model) } ?? joinFields(of: model)
        if result.key.contains("id"), result.field("id") == nil {
            result.fields.append(
                APIField(
                    name: "id", type: TypeReference("ID").nonNull, origin: .identifier, content: .value(.string)))
        }
        for name in Timestamps.names(of: definition) where result.field(name) == nil {
            result.fields.append(
                APIField(
                    name: name, type: TypeReference("AWSDateTime").nonNull, origin: .timestamp,
                    content: .value(.dateTime)))
        }
        result.indexes = indexes(of: model, definition)
        positions[model.name] = models.count
        models.append(result)
    }

    private func access(of model: ModelType, _ definition: TypeDefinition?) -> ModelAccess {
        if let definition { return ModelAccess(type: definition) }
        let sides = model.fields.compactMap { $0.relation.flatMap { schema.type($0.model) } }.map(ModelAccess.init)
        guard sides.count == 2 else { return ModelAccess(type: TypeDefinition(name: "", body: .scalar)) }
        return ModelAccess(joining: sides[0], sides[1])
    }

    private func declaredFields(of definition: TypeDefinition, _ model: ModelType) -> [APIField] {
        definition.fields.map { field in
            let content = model.field(field.name.text)?.content ?? .value(kind(of: field.type.name.text))
            var type = field.type.renamed(field.type.name.text)
            // The key is never null, even if the author made it optional.
            if field.name.text == "id", model.primaryKey == ["id"] { type = type.nonNull }
            return APIField(
                name: field.name.text, type: type, description: field.description,
                defaultValue: field.directives.first(.default)?.argument("value")?.string, content: content,
                location: field.name.location)
        }
    }

    /// What the values of a scalar or enum are, for fields that a relation took in.
    private func kind(of type: String) -> ValueKind {
        schema.graph.enums.contains { $0.name == type } ? .enumeration(type) : .string
    }

    private func joinFields(of model: ModelType) -> [APIField] {
        var fields = [APIField(name: "id", type: TypeReference("ID").nonNull, content: .value(.string))]
        let relations = model.fields.filter { $0.relation != nil }
        for field in relations {
            guard let relation = field.relation,
                let other = schema.graph.models.first(where: { $0.name == relation.model })
            else { continue }
            for (name, key) in zip(relation.targets, other.primaryKey) {
                guard let keyField = other.field(key) else { continue }
                fields.append(
                    APIField(
                        name: name, type: TypeReference(keyField.scalar).nonNull, content: keyField.content))
            }
        }
        for field in relations {
            guard let relation = field.relation else { continue }
            fields.append(
                APIField(name: field.name, type: TypeReference(relation.model).nonNull, content: field.content))
        }
        return fields
    }

    private func indexes(of model: ModelType, _ definition: TypeDefinition?) -> [APIModel.Index] {
        var queries: [String: String?] = [:]
        for field in definition?.fields ?? [] {
            for directive in field.directives where directive.known == .index {
                let fields = [field.name.text] + (directive.strings("sortKeyFields") ?? []).map(\.text)
                let automatic = Names.index(plural: model.plural, fields: fields)
                let stated = directive.argument("queryField")
                queries[directive.string("name") ?? automatic] = .some(stated == nil ? automatic : stated?.string)
            }
        }
        for directive in definition?.directives ?? [] where directive.known == .key {
            if let name = directive.string("name") { queries[name] = .some(directive.string("queryField")) }
        }
        return model.indexes.compactMap { index in
            if definition == nil {
                return APIModel.Index(
                    name: index.name, fields: index.fields,
                    query: Names.index(plural: model.plural, fields: index.fields))
            }
            // Lists without a declared index make one of their own, which has no query.
            guard let query = queries[index.name] else { return nil }
            return APIModel.Index(name: index.name, fields: index.fields, query: query)
        }
    }

    // MARK: - Foreign keys

    private mutating func addForeignKeys() {
        for position in models.indices {
            let owner = models[position].model
            for field in owner.fields {
                guard let relation = field.relation, relation.kind == .hasMany,
                    let child = positions[relation.model], schema.type(relation.model) != nil
                else { continue }
                let back = relation.associated.first.flatMap { models[child].model.field($0)?.relation }
                let names = back.map(\.targets) ?? relation.associated
                for (name, key) in zip(names, owner.primaryKey) where models[child].field(name) == nil {
                    guard
                        let foreignKey = foreignKey(name, to: key, of: owner, isRequired: isRequired(field, in: owner))
                    else { continue }
                    var entry = foreignKey
                    entry.origin = .foreignKey(ofListIn: owner.name)
                    models[child].fields.append(entry)
                    models[position].keysOfLists.append(entry)
                }
            }
        }
        for position in models.indices where schema.type(models[position].name) != nil {
            for field in models[position].model.fields {
                guard let relation = field.relation, relation.kind != .hasMany, let other = model(relation.model)
                else { continue }
                for (name, key) in zip(relation.targets, other.key) where models[position].field(name) == nil {
                    let required = relation.kind == .hasOne && isRequired(field, in: models[position].model)
                    if let entry = foreignKey(name, to: key, of: other.model, isRequired: required) {
                        models[position].fields.append(entry)
                    }
                }
            }
        }
    }

    /// Whether the author wrote the relation as required; a list counts as a whole.
    private func isRequired(_ field: ModelTypeField, in model: ModelType) -> Bool {
        let written = schema.type(model.name)?.fields.first { $0.name.text == field.name }
        return written?.type.isNonNull ?? field.isRequired
    }

    private func foreignKey(_ name: String, to key: String, of model: ModelType, isRequired: Bool) -> APIField? {
        guard let target = model.field(key) else { return nil }
        let type = TypeReference(target.scalar)
        return APIField(
            name: name, type: isRequired ? type.nonNull : type, origin: .foreignKey(ofListIn: nil),
            content: target.content)
    }

    // MARK: - Rules

    /// Owner fields that the author did not declare are there all the same; fields of groups are not.
    private mutating func addOwners() {
        for position in models.indices {
            for name in models[position].ownerFields where models[position].field(name) == nil {
                models[position].fields.append(
                    APIField(name: name, type: TypeReference("String"), origin: .owner, content: .value(.string)))
            }
        }
    }

    /// What a model holds can be read in every mode in which the model can.
    private mutating func spreadModes() {
        for model in models {
            for field in model.fields {
                if let embedded = field.embedded { spread(model.access.modes, to: embedded) }
                if case .relation(let relation) = field.content, relation.kind == .hasMany,
                    let other = self.model(relation.model)
                {
                    inheritedModes[other.connection.name.text, default: []].formUnion(model.access.modes)
                }
            }
        }
    }

    private mutating func spread(_ modes: Set<AuthMode>, to type: String) {
        let known = inheritedModes[type] ?? []
        guard !modes.isSubset(of: known) || inheritedModes[type] == nil else { return }
        inheritedModes[type] = known.union(modes)
        for field in schema.graph.embedded.first(where: { $0.name == type })?.fields ?? [] {
            if case .value(.embedded(let name)) = field.content { spread(modes, to: name) }
        }
    }

    /// The directives that let modes use a type or a field; none if only the default mode may.
    func directives(_ modes: Set<AuthMode>) -> [Directive] {
        guard !modes.isEmpty, modes != [defaultMode] else { return [] }
        return AuthMode.allCases.filter(modes.contains).map { Directive(name: Name($0.directive)) }
    }
}

extension AuthMode {
    /// The name of the directive by which an API allows the mode.
    var directive: String {
        switch self {
        case .apiKey: "aws_api_key"
        case .userPools: "aws_cognito_user_pools"
        case .iam: "aws_iam"
        case .oidc: "aws_oidc"
        case .function: "aws_lambda"
        }
    }
}

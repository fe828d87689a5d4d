import HoldfastModel
import HoldfastSchema

/// Makes the schemas of models from an annotated schema, as generated code states them.
struct ModelSchemas {
    private let embedded: [String: EmbeddedType]

    /// Documents select embedded types to a smaller depth than this.
    private static let maximumDepth = 9

    init(_ graph: ModelGraph) {
        embedded = Dictionary(graph.embedded.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The schema of a model; its fields are in the order of their names.
    func schema(of model: ModelType) -> ModelSchema {
        var attributes: [ModelAttribute] = []
        if model.declaresKey { attributes.append(.index(fields: model.primaryKey, name: nil)) }
        attributes += model.indexes.map { .index(fields: $0.fields, name: $0.name) }
        attributes.append(.primaryKey(fields: model.primaryKey))
        return ModelSchema(
            name: model.name, listPluralName: model.plural, syncPluralName: model.plural,
            authRules: model.rules.compactMap(Self.rule), attributes: attributes,
            fields: fields(model.fields.map { field(of: $0, 0) }))
    }

    private func fields(_ fields: [ModelField]) -> ModelFields {
        Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func field(of field: ModelTypeField, _ depth: Int) -> ModelField {
        let type: ModelFieldType
        var association: ModelAssociation?
        switch field.content {
        case .value(let kind): type = field.isList ? list(of: kind, depth) : single(kind, depth)
        case .relation(let relation):
            let names = relation.associated
            switch relation.kind {
            case .belongsTo:
                type = .model(name: relation.model)
                association = .belongsTo(associatedFieldName: nil, targetNames: relation.targets)
            case .hasOne:
                type = .model(name: relation.model)
                association = .hasOne(
                    associatedFieldName: nil, associatedFieldNames: names, targetNames: relation.targets)
            case .hasMany:
                type = .collection(of: relation.model)
                association = .hasMany(associatedFieldName: names.first, associatedFieldNames: names)
            }
        }
        return ModelField(
            name: field.name, type: type, isRequired: field.isRequired, isReadOnly: field.isReadOnly,
            association: association, authRules: field.rules.compactMap(Self.rule))
    }

    private func single(_ kind: ValueKind, _ depth: Int) -> ModelFieldType {
        switch kind {
        case .string: .string
        case .int: .int
        case .double: .double
        case .bool: .bool
        case .date: .date
        case .dateTime: .dateTime
        case .time: .time
        case .enumeration: .enum(type: EnumValue.self)
        case .embedded(let name): .embedded(type: EmbeddedValue.self, schema: schema(ofEmbedded: name, depth))
        }
    }

    private func list(of kind: ValueKind, _ depth: Int) -> ModelFieldType {
        switch kind {
        case .string: .embeddedCollection(of: String.self)
        case .int: .embeddedCollection(of: Int.self)
        case .double: .embeddedCollection(of: Double.self)
        case .bool: .embeddedCollection(of: Bool.self)
        case .date: .embeddedCollection(of: Temporal.Date.self)
        case .dateTime: .embeddedCollection(of: Temporal.DateTime.self)
        case .time: .embeddedCollection(of: Temporal.Time.self)
        case .enumeration: .embeddedCollection(of: EnumValue.self)
        case .embedded(let name):
            .embeddedCollection(of: EmbeddedValue.self, schema: schema(ofEmbedded: name, depth))
        }
    }

    /// The schema of an embedded type; one that contains itself ends at a depth that nothing asks for.
    private func schema(ofEmbedded name: String, _ depth: Int) -> ModelSchema {
        let isTooDeep = depth >= Self.maximumDepth
        let known = isTooDeep ? [] : embedded[name]?.fields ?? []
        let fields = known.map { field(of: $0, depth + 1) }
        return ModelSchema(
            name: name, fields: self.fields(isTooDeep ? [ModelField(name: "id", type: .string)] : fields))
    }

    private static func rule(_ rule: ModelRule) -> AuthRule? {
        AuthStrategy(rawValue: rule.allow).map { strategy in
            AuthRule(
                allow: strategy, ownerField: rule.ownerField, identityClaim: rule.identityClaim,
                groupClaim: rule.groupClaim, groups: rule.groups, groupsField: rule.groupsField,
                provider: AuthRuleProvider(rawValue: rule.provider),
                operations: rule.operations.compactMap(ModelOperation.init(rawValue:)))
        }
    }
}

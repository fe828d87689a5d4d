/// A schema under construction, filled by the closure of `defineSchema`.
public struct ModelSchemaDefinition {
    private let name: String
    private var attributes: [ModelAttribute]
    private var definitions: [ModelFieldDefinition] = []
    /// The plural in the name of list queries.
    public var listPluralName: String?
    /// The plural in the name of sync queries.
    public var syncPluralName: String?

    init(name: String, attributes: [ModelAttribute]) {
        self.name = name
        self.attributes = attributes
    }

    /// Adds fields and relations, in their order.
    public mutating func fields(_ fields: ModelFieldDefinition...) { definitions += fields }

    /// Replaces keys and indexes.
    public mutating func attributes(_ attributes: ModelAttribute...) { self.attributes = attributes }

    func build() -> ModelSchema {
        ModelSchema(
            name: name, listPluralName: listPluralName, syncPluralName: syncPluralName,
            fields: definitions.map(\.field), attributes: attributes, primaryKeyNames: primaryKeyNames)
    }

    /// The stated primary key, else the fields marked as identifier, else the first index without a name.
    private var primaryKeyNames: [String] {
        for attribute in attributes {
            if case .primaryKey(let fields) = attribute { return fields }
        }
        let identifiers = definitions.filter(\.isIdentifier).map(\.field.name)
        if !identifiers.isEmpty { return identifiers }
        for attribute in attributes {
            if case .index(let fields, nil) = attribute { return fields }
        }
        return []
    }
}

/// What a model is: its fields, relations, keys and indexes.
///
/// ```swift
/// let fields = Post.schema.orderedFields.map(\.name)  // ["id", "title", "rating", "comments", …]
/// let key = Post.schema.primaryKeyNames  // ["id"]
/// ```
public struct ModelSchema: Sendable {
    /// Kept behind one reference, so that a schema is copied and passed at the cost of one.
    private final class Content: Sendable {
        let name: ModelName
        let pluralName: String?
        let listPluralName: String?
        let syncPluralName: String?
        let authRules: AuthRules
        let attributes: [ModelAttribute]
        let orderedFields: [ModelField]
        let fields: ModelFields
        let primaryKeyNames: [String]
        let layout: RowLayout

        init(definition: ModelSchemaDefinition) {
            name = definition.name
            (pluralName, listPluralName) = (definition.plural, definition.listPluralName)
            syncPluralName = definition.syncPluralName
            authRules = definition.authRules
            attributes = definition.attributes
            orderedFields = definition.fields
            fields = Dictionary(definition.fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            primaryKeyNames = definition.primaryKeyNames
            layout = RowLayout(model: name, fields: orderedFields, primaryKey: primaryKeyNames)
        }
    }

    private let content: Content

    init(definition: ModelSchemaDefinition) { content = Content(definition: definition) }

    /// Creates a schema from its parts; without an attribute that states a primary key, the fields marked as such are.
    ///
    /// - Parameters:
    ///   - name: The model's name in the GraphQL schema.
    ///   - pluralName: The plural as older generated files state it.
    ///   - listPluralName: The plural in the name of list queries.
    ///   - syncPluralName: The plural in the name of sync queries.
    ///   - authRules: Who may do what.
    ///   - attributes: Keys and indexes.
    ///   - fields: The fields by their names; kept in the order of the names.
    public init(
        name: ModelName, pluralName: String? = nil, listPluralName: String? = nil, syncPluralName: String? = nil,
        authRules: AuthRules = [], attributes: [ModelAttribute] = [], fields: ModelFields = [:]
    ) {
        var definition = ModelSchemaDefinition(name: name, attributes: attributes)
        (definition.plural, definition.listPluralName) = (pluralName, listPluralName)
        definition.syncPluralName = syncPluralName
        definition.authRules = authRules
        definition.fields = fields.sorted { $0.key < $1.key }.map(\.value)
        self.init(definition: definition)
    }

    /// The model's name in the GraphQL schema.
    public var name: ModelName { content.name }
    /// The plural as older generated files state it.
    public var pluralName: String? { content.pluralName }
    /// The plural in the name of list queries.
    public var listPluralName: String? { content.listPluralName }
    /// The plural in the name of sync queries.
    public var syncPluralName: String? { content.syncPluralName }
    /// Who may do what with the records.
    public var authRules: AuthRules { content.authRules }
    /// The keys, indexes and marks as stated.
    public var attributes: [ModelAttribute] { content.attributes }
    /// The fields and relations, in the order of the GraphQL schema.
    public var orderedFields: [ModelField] { content.orderedFields }
    /// The fields and relations by their names.
    public var fields: ModelFields { content.fields }
    /// The fields of the primary key, most significant first.
    public var primaryKeyNames: [String] { content.primaryKeyNames }
    /// The columns of a stored record: the fields' in their order, each once.
    public var columns: [String] { content.layout.columns }
    /// The positions of the primary key's fields among ``columns``.
    public var primaryKeyColumns: [Int] { content.layout.primaryKeyColumns }
    /// The positions of the fields in a row.
    var layout: RowLayout { content.layout }

    /// The field of a name, or `nil`.
    public func field(withName name: ModelFieldName) -> ModelField? { content.fields[name] }
}

extension ModelSchema {
    /// The primary key.
    public var primaryKey: ModelPrimaryKey {
        ModelPrimaryKey(fields: primaryKeyNames.compactMap(field(withName:)))
    }

    /// The indexes among ``attributes``.
    public var indexes: [ModelAttribute] {
        attributes.filter { if case .index = $0 { true } else { false } }
    }

    /// The fields of the first index without a name, which is the primary key in older generated files.
    public var primaryKeyIndexFields: [ModelFieldName]? {
        for case .index(let fields, nil) in attributes { return fields }
        return nil
    }

    /// The fields of the primary key, then the other values by name, then the relations by name.
    public var sortedFields: [ModelField] {
        let others = orderedFields.filter { !primaryKeyNames.contains($0.name) }
        let byName = others.sorted { $0.name < $1.name }
        return primaryKey.fields + byName.filter { !$0.hasAssociation } + byName.filter(\.hasAssociation)
    }

    /// Whether the store keeps the model for itself.
    public var isSystem: Bool { attributes.contains(.isSystem) }

    /// Whether the model's records are synchronized with a service.
    public var isSyncable: Bool { !isSystem }

    /// Whether it is stated who may do what.
    public var hasAuthenticationRules: Bool { !authRules.isEmpty }

    /// Whether the model relates to others.
    public var hasAssociations: Bool { orderedFields.contains(where: \.hasAssociation) }
}

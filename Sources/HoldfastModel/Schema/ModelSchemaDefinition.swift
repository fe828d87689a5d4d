/// A schema under construction, filled by the closure of `defineSchema`.
public struct ModelSchemaDefinition {
    let name: ModelName
    private(set) var attributes: [ModelAttribute]
    var fields: [ModelField] = []
    var plural: String?

    /// The plural in the name of list queries.
    public var listPluralName: String?
    /// The plural in the name of sync queries.
    public var syncPluralName: String?
    /// Who may do what with the records.
    public var authRules: AuthRules = []

    /// The plural as older generated files state it.
    public var pluralName: String? {
        get { plural }
        set { plural = newValue }
    }

    init(name: ModelName, attributes: [ModelAttribute]) {
        self.name = name
        self.attributes = attributes
    }

    /// Adds fields and relations, in their order.
    public mutating func fields(_ fields: ModelFieldDefinition...) { self.fields += fields.map(\.modelField) }

    /// Replaces keys, indexes and marks.
    ///
    /// Of several primary keys the first counts.
    public mutating func attributes(_ attributes: ModelAttribute...) { self.attributes = attributes }

    /// The stated primary key, else the first index without a name, else the fields marked as such.
    var primaryKeyNames: [String] {
        for case .primaryKey(let fields) in attributes { return fields }
        for case .index(let fields, nil) in attributes { return fields }
        return fields.filter(\.isPrimaryKey).map(\.name)
    }
}

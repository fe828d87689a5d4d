/// What a model is: its fields, relations, keys and indexes.
public struct ModelSchema: Sendable {
    /// The model's name in the GraphQL schema.
    public let name: String
    /// The plural in the name of list queries.
    public let listPluralName: String?
    /// The plural in the name of sync queries.
    public let syncPluralName: String?
    /// The fields and relations, in the order of the GraphQL schema.
    public let orderedFields: [ModelField]
    /// The keys and indexes as stated.
    public let attributes: [ModelAttribute]
    /// The fields of the primary key, most significant first.
    public let primaryKeyNames: [String]
    /// The columns of a stored record: the fields' in their order, each once.
    public let columns: [String]
    /// Where the primary key's fields stand among ``columns``.
    public let primaryKeyColumns: [Int]

    init(
        name: String, listPluralName: String?, syncPluralName: String?, fields: [ModelField],
        attributes: [ModelAttribute], primaryKeyNames: [String]
    ) {
        self.name = name
        self.listPluralName = listPluralName
        self.syncPluralName = syncPluralName
        orderedFields = fields
        self.attributes = attributes
        self.primaryKeyNames = primaryKeyNames
        var columns: [String] = []
        for column in fields.flatMap(\.columns) where !columns.contains(column) { columns.append(column) }
        self.columns = columns
        primaryKeyColumns = primaryKeyNames.compactMap { columns.firstIndex(of: $0) }
    }

    /// The field of a name, or `nil`.
    public func field(withName name: String) -> ModelField? { orderedFields.first { $0.name == name } }
}

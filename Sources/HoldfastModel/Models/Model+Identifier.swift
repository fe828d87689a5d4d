import HoldfastStorage

extension Model {
    /// The values of the primary key as one text; see ``ModelIdentifierProtocol/stringValue``.
    ///
    /// Empty for a model without a key, or whose key cannot be written as a row.
    public var identifier: String {
        (self as? AnyModel)?.id ?? identifier(schema: Self.schema).stringValue
    }

    /// The values of the primary key by a schema; without fields if the model cannot be written as a row.
    public func identifier(schema: ModelSchema) -> any ModelIdentifierProtocol {
        if let any = self as? AnyModel { return any.instance.identifier(schema: schema) }
        let fields: [(name: String, value: any Persistable)]
        if let row = try? row() {
            fields = schema.primaryKeyNames.compactMap { name in
                Self.schema.columns.firstIndex(of: name).flatMap { row[0, $0].persistable }.map { (name, $0) }
            }
        } else {
            fields = []
        }
        if fields.count == 1, fields[0].name == ModelIdentifierFormat.Default.name {
            return ModelIdentifier<Self, ModelIdentifierFormat.Default>(fields: fields)
        }
        return ModelIdentifier<Self, ModelIdentifierFormat.Custom>(fields: fields)
    }
}

extension Value {
    /// The value as predicates and identifiers take it; `nil` for null, bytes and lists.
    var persistable: (any Persistable)? {
        switch self {
        case .boolean(let value): value
        case .integer(let value): Int(exactly: value)
        case .double(let value): value
        case .text(let value): value
        case .date(let value): Temporal.Date(value)
        case .time(let value): Temporal.Time(value)
        case .timestamp(let value): Temporal.DateTime(value)
        case .null, .bytes, .list: nil
        }
    }
}

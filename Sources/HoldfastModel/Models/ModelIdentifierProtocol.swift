public import HoldfastStorage

/// The values that identify one record.
public protocol ModelIdentifierProtocol {
    /// A field of the primary key and its value.
    typealias Field = (name: String, value: any Persistable)
    /// The fields of the primary key, most significant first.
    typealias Fields = [Field]

    /// The fields of the primary key, most significant first.
    var fields: Fields { get }
}

extension ModelIdentifierProtocol {
    /// The values as one text: a single value is itself; several values are in quotes, with `#` between them.
    ///
    /// Values that contain `"#"` make texts that look alike; ``recordKey`` never does.
    public var stringValue: String { identifierText(of: fields.map { $0.value.identifierText }) }

    /// The names of the fields.
    public var keys: [String] { fields.map(\.name) }

    /// The values of the fields.
    public var values: [any Persistable] { fields.map(\.value) }

    /// The condition that the identified record alone satisfies.
    public var predicate: any QueryPredicate {
        let comparisons = fields.map { field($0.name).eq($0.value) }
        return comparisons.count == 1 ? comparisons[0] : QueryPredicateGroup(type: .and, predicates: comparisons)
    }

    /// The key of the identified record.
    public var recordKey: RecordKey { RecordKey(fields.map(\.value.storageValue)) }

    /// The key of the identified record of a model, independent of the order of the identifier's fields.
    ///
    /// - Throws: ``ModelError`` `.invalidSchema` if the identifier has other fields than the model's primary key.
    public func recordKey(in schema: ModelSchema) throws(ModelError) -> RecordKey {
        let components = schema.primaryKeyNames.compactMap { name in fields.first { $0.name == name } }
        guard components.count == fields.count, !components.isEmpty else {
            throw ModelError(.invalidSchema, "The identifier has other fields than the key of model '\(schema.name)'.")
        }
        return RecordKey(components.map(\.value.storageValue))
    }
}

public import HoldfastStorage

/// The key of a related record, as comparisons of a relation take it.
public struct RelatedKey: Persistable {
    /// The key's cells, in the order of the related model's primary key; empty if the model has no key.
    public let components: [Value]

    /// Creates the operand for a key.
    public init(_ key: RecordKey) { components = key.components }

    /// The key of a list cell.
    public init?(storageValue: Value) {
        guard case .list(let components) = storageValue else { return nil }
        self.components = components
    }

    /// A list of keys; relations with one target name take the single element instead.
    public static var fieldType: FieldType { .list(of: .string, elementsAreRequired: true) }

    /// The only component, or the list of several.
    public var storageValue: Value { components.count == 1 ? components[0] : .list(components) }

    /// Writes the key as one text, or its only component as it is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if components.count == 1 {
            try container.encode(KeyComponent(components[0]))
        } else {
            try container.encode(HoldfastModel.identifierText(of: components.map(\.identifierText)))
        }
    }
}

extension QueryFieldOperation {
    /// Whether the relation leads to a record, by its key.
    public func eq(_ model: any Model) -> QueryPredicateOperation { eq(RelatedKey(of: model)) }

    /// Whether the relation leads to the record of an identifier.
    public func eq<M, Format>(_ identifier: ModelIdentifier<M, Format>) -> QueryPredicateOperation {
        eq(RelatedKey(of: identifier))
    }

    /// The complement of `eq`; true on an empty relation to at most one record.
    public func ne(_ model: any Model) -> QueryPredicateOperation { ne(RelatedKey(of: model)) }

    /// The complement of `eq`; true on an empty relation to at most one record.
    public func ne<M, Format>(_ identifier: ModelIdentifier<M, Format>) -> QueryPredicateOperation {
        ne(RelatedKey(of: identifier))
    }

    /// `eq` for a related model.
    public static func == (key: Self, model: any Model) -> QueryPredicateOperation { key.eq(model) }

    /// `eq` for the identifier of a related model.
    public static func == <M, Format>(
        key: Self, identifier: ModelIdentifier<M, Format>
    ) -> QueryPredicateOperation { key.eq(identifier) }

    /// `ne` for a related model.
    public static func != (key: Self, model: any Model) -> QueryPredicateOperation { key.ne(model) }

    /// `ne` for the identifier of a related model.
    public static func != <M, Format>(
        key: Self, identifier: ModelIdentifier<M, Format>
    ) -> QueryPredicateOperation { key.ne(identifier) }
}

extension RelatedKey {
    /// The key of a model; without components if it cannot be written as a row.
    init(of model: any Model) {
        let instance = (model as? AnyModel)?.instance ?? model
        components = (try? instance.recordKey())?.components ?? []
    }

    /// The key of an identifier; in the order of its fields if they are not those of the model's primary key.
    init<M, Format>(of identifier: ModelIdentifier<M, Format>) {
        components = ((try? identifier.recordKey(in: M.schema)) ?? identifier.recordKey).components
    }
}

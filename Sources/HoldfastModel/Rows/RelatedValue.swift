import HoldfastStorage

/// What a model has in place of related records: a list or a reference.
protocol RelatedValue {
    /// The value of a field of a row.
    static func related(in row: RowReader, _ entry: RowLayout.Entry, primaryKey: [Int]) -> Self?

    /// The related record's key, if the value leads to one.
    func relatedKey() throws(ModelError) -> RecordKey?

    /// The key of the record that an application put in place of what was read; `nil` if it did not, or has changed the
    /// fields of the key since.
    func assignedKey(over held: [Value]) throws(ModelError) -> RecordKey?

    /// The related model's type.
    static var modelType: any Model.Type { get }

    /// The related models, or `nil` if not all are loaded.
    func relatedModels() -> [any Model]?
}

extension List: RelatedValue {
    static func related(in row: RowReader, _ entry: RowLayout.Entry, primaryKey: [Int]) -> Self? {
        guard case .children(let fields) = entry.kind, let key = row.key(primaryKey) else { return nil }
        return Self(parent: key, fields: fields, loader: row.loader)
    }

    func relatedKey() -> RecordKey? { nil }

    func assignedKey(over held: [Value]) -> RecordKey? { nil }

    static var modelType: any Model.Type { Element.self }

    func relatedModels() -> [any Model]? { hasNextPage() ? nil : loadedElements }
}

extension LazyReference: RelatedValue {
    static func related(in row: RowReader, _ entry: RowLayout.Entry, primaryKey: [Int]) -> Self? {
        switch entry.kind {
        case .parent(let columns): Self(key: row.key(columns), loader: row.loader)
        case .child(let columns, []): Self(key: row.key(columns), loader: row.loader)
        case .child(let columns, let fields): Self(childBy: fields, of: row.key(columns), loader: row.loader)
        case .value, .children: nil
        }
    }

    func relatedKey() throws(ModelError) -> RecordKey? { try key() }

    static var modelType: any Model.Type { ModelType.self }

    func relatedModels() -> [any Model]? { isLoaded ? modelAtHand.map { [$0] } ?? [] : nil }
}

extension Optional: RelatedValue where Wrapped: RelatedValue {
    static func related(in row: RowReader, _ entry: RowLayout.Entry, primaryKey: [Int]) -> Self? {
        .some(Wrapped.related(in: row, entry, primaryKey: primaryKey))
    }

    func relatedKey() throws(ModelError) -> RecordKey? { try self?.relatedKey() }

    func assignedKey(over held: [Value]) throws(ModelError) -> RecordKey? { try self?.assignedKey(over: held) }

    static var modelType: any Model.Type { Wrapped.modelType }

    func relatedModels() -> [any Model]? { map { $0.relatedModels() } ?? [] }
}

/// An optional, so that the type inside can be asked for.
protocol OptionalType {
    /// The type inside.
    static var wrappedType: Any.Type { get }
    /// The optional around a value; empty if there is none or it has another type.
    static func wrap(_ value: Any?) -> Self
    /// The value inside, or `nil`.
    var wrappedValue: Any? { get }
}

extension Optional: OptionalType {
    static var wrappedType: Any.Type { Wrapped.self }
    static func wrap(_ value: Any?) -> Wrapped? { value.flatMap { $0 as? Wrapped } }
    var wrappedValue: Any? { map { $0 } }
}

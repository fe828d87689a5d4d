import HoldfastModel
import HoldfastStorage

/// A field of a model whose values are aggregated.
struct AggregatedField: Sendable {
    let entity: EntitySchema
    let position: Int

    /// The field's name as the adapter knows it.
    var name: String { entity.fields[position].name }

    /// Finds a field.
    ///
    /// - Throws: ``ModelError`` `.invalidSchema` if the model keeps no such field, or keeps it in several columns.
    init(_ field: String, of model: ModelCatalog.RegisteredModel) throws(ModelError) {
        let columns = model.schema.columns(named: field)
        guard columns.count == 1, let position = model.entity.position(of: columns[0]) else {
            throw ModelError(
                .invalidSchema,
                "'\(model.entity.name).\(field)' has no stored value of its own; aggregate a field of the model.")
        }
        entity = model.entity
        self.position = position
    }

    /// An aggregate as a Swift type; an integer also as a double.
    ///
    /// - Throws: ``ModelError`` `.decodingFailed` if the type cannot hold it.
    func value<Result: RowValue>(_ value: Value, as type: Result.Type) throws(ModelError) -> Result {
        if let result = Result(storageValue: value) { return result }
        if case .integer(let integer) = value, let result = Result(storageValue: .double(Double(integer))) {
            return result
        }
        throw ModelError(
            .decodingFailed,
            "Values of '\(entity.name).\(name)' are not of type '\(Result.self)'; request the field's own type."
        )
    }
}

extension AggregatedField {
    /// The sum of a field.
    ///
    /// - Throws: ``ModelError`` `.decodingFailed` if there is none.
    static func existing<Result>(_ sum: Result?, of field: String) throws(ModelError) -> Result {
        guard let sum else { throw ModelError(.decodingFailed, "The adapter has no sum of '\(field)'.") }
        return sum
    }

    /// Whether an index or the primary key begins with the field.
    var isIndexed: Bool {
        entity.primaryKey.first == name || entity.indexes.contains { $0.fields.first == name }
    }
}

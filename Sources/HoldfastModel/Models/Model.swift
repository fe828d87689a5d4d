/// A record of an application: a struct generated from a GraphQL schema.
///
/// Generated files give the struct its schema, its keys and, in a file beside it, its row codec
/// (``init(row:)`` and ``write(to:)``).
public protocol Model: Codable, Sendable {
    /// The fields, relations, keys and indexes.
    static var schema: ModelSchema { get }
    /// The model's name in the GraphQL schema; the type's name by default.
    static var modelName: String { get }

    /// Reads the model from a row whose cells stand in the order of ``ModelSchema/columns``.
    ///
    /// - Throws: ``ModelError`` `.decodingFailed` for a cell that the field cannot hold.
    init(row: RowReader) throws(ModelError)

    /// Writes one cell for each of ``ModelSchema/columns``, in that order.
    ///
    /// - Throws: ``ModelError`` `.encodingFailed` for a value that has no stored form.
    func write(to row: inout RowWriter) throws(ModelError)
}

extension Model {
    /// The type's name.
    public static var modelName: String { String(describing: Self.self) }

    /// Builds the model's schema from its definition.
    ///
    /// - Parameters:
    ///   - name: The model's name; the type's name by default.
    ///   - attributes: Keys and indexes; `model.attributes(…)` in the closure replaces them.
    ///   - define: Fills the definition.
    public static func defineSchema(
        name: String? = nil, attributes: ModelAttribute..., define: (inout ModelSchemaDefinition) -> Void
    ) -> ModelSchema {
        var definition = ModelSchemaDefinition(name: name ?? modelName, attributes: attributes)
        define(&definition)
        return definition.build()
    }
}

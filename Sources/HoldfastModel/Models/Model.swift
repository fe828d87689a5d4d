public import HoldfastStorage

/// A record of an application: a struct generated from a GraphQL schema.
///
/// Generated files give the struct its schema and its keys. ``init(row:)`` and ``write(to:)`` come from `Codable`; a
/// file that implements them directly makes reading and writing several times as fast.
///
/// ```swift
/// struct Bookmark: Model {
///     let id: String
///     var url: String
///     var shelf: Shelf
///     var size: Size?
///
///     enum CodingKeys: String, ModelKey { case id, url, shelf, size }
///     static let keys = CodingKeys.self
///
///     static let schema = defineSchema { model in
///         model.attributes(.primaryKey(fields: [keys.id]))
///         model.fields(
///             .field(keys.id), .field(keys.url), .field(keys.shelf, ofType: .enum(type: Shelf.self)),
///             .field(keys.size, is: .optional, ofType: .embedded(type: Size.self)))
///     }
/// }
/// ```
public protocol Model: Codable, Sendable {
    /// The fields, relations, keys and indexes.
    static var schema: ModelSchema { get }
    /// The model's name in the GraphQL schema; the type's name by default.
    static var modelName: ModelName { get }
    /// Where paths through the model begin; `nil` for an eager model, which holds its parents themselves.
    static var rootPath: (any PropertyContainerPath)? { get }
    /// Whether the model holds its parents themselves, so that they are loaded with it; if it has no ``rootPath`` by
    /// default.
    ///
    /// A model without a root path that has only references and lists returns `false` to skip loading.
    static var isEager: Bool { get }

    /// Reads the model from a row whose cells are in the order of ``ModelSchema/columns``.
    ///
    /// - Throws: ``ModelError`` `.decodingFailed` for a cell that the field cannot hold; `.missingRelation` if an eager
    ///   model is read without its parents.
    init(row: borrowing RowReader) throws(ModelError)

    /// Writes one cell for each of ``ModelSchema/columns``, in that order.
    ///
    /// - Throws: ``ModelError`` `.encodingFailed` for a value that has no stored form.
    func write(to row: inout RowWriter) throws(ModelError)

    /// Appends the models of all rows to a buffer.
    ///
    /// A requirement only so that the loop is compiled for each model; the default is right for all of them.
    ///
    /// - Parameters:
    ///   - rows: Cells in the order of ``ModelSchema/columns``.
    ///   - loader: Where relations are loaded from.
    ///   - parents: The related records of these rows; needed by eager models that relate to others.
    ///   - buffer: The models are appended here; a ``ModelBuffer`` of this model.
    /// - Throws: ``ModelError`` `.decodingFailed` for the first row that does not fit, and for a buffer of another
    ///   model. The models of the rows before stay in the buffer.
    static func read(
        _ rows: RowBuffer, loader: (any ModelLoader)?, parents: ParentRows?, into buffer: AnyModelBuffer
    ) throws(ModelError)
}

extension Model {
    /// A schema without fields, for models that are not kept in a store.
    public static var schema: ModelSchema { ModelSchema(name: modelName) }
    /// The type's name.
    public static var modelName: ModelName { String(describing: Self.self) }
    /// None: the model is eager.
    public static var rootPath: (any PropertyContainerPath)? { nil }

    /// An identifier as text.
    @available(*, deprecated, renamed: "String")
    public typealias Identifier = String

    /// Models without a path hold their parents themselves.
    public static var isEager: Bool { rootPath == nil }

    /// The model's schema.
    public var schema: ModelSchema { Self.schema }
    /// The model's name.
    public var modelName: ModelName { Self.modelName }

    /// Reads the model through `Decodable`.
    public init(row: RowReader) throws(ModelError) { self = try RowDecoder.decode(Self.self, from: row) }

    /// Writes the model through `Encodable`.
    public func write(to row: inout RowWriter) throws(ModelError) { try RowEncoder.write(self, to: &row) }

    /// Builds the model's schema from its definition.
    ///
    /// - Parameters:
    ///   - name: The model's name; the type's name by default.
    ///   - attributes: Keys and indexes; `model.attributes(…)` in the closure replaces them.
    ///   - define: Fills the definition.
    /// - Returns: The schema.
    public static func defineSchema(
        name: String? = nil, attributes: ModelAttribute..., define: (inout ModelSchemaDefinition) -> Void
    ) -> ModelSchema {
        var definition = ModelSchemaDefinition(name: name ?? modelName, attributes: attributes)
        define(&definition)
        return ModelSchema(definition: definition)
    }

    /// A rule about who may do what; see ``AuthRule``.
    public static func rule(
        allow: AuthStrategy, ownerField: String? = nil, identityClaim: String? = nil, groupClaim: String? = nil,
        groups: [String] = [], groupsField: String? = nil, provider: AuthRuleProvider? = nil,
        operations: [ModelOperation] = []
    ) -> AuthRule {
        AuthRule(
            allow: allow, ownerField: ownerField, identityClaim: identityClaim, groupClaim: groupClaim,
            groups: groups, groupsField: groupsField, provider: provider, operations: operations)
    }
}

import HoldfastModel

/// The fields that the documents of a model select, in the order in which amplify-swift writes them.
struct DocumentFields: Sendable {
    /// One selected field with what is selected inside it.
    struct Field: Sendable {
        var name: String
        var fields: [Field] = []
        /// The fields inside if relations are selected by their keys; `nil` if there is no difference.
        var keys: [Field]?
    }

    /// The fields of a record, without what the service says of it.
    private var fields: [Field]
    private let ownerFields: [String]
    /// Whether the service versions records; otherwise it does not know the fields that say so.
    var isVersioned = true

    init(_ schema: ModelSchema, among models: [String: ModelSchema], ownerFields: [String]) {
        fields = Self.fields(of: schema, among: models, depth: 0)
        self.ownerFields = ownerFields.filter { schema.field(withName: $0) == nil }
    }

    /// The names of a record's members, in the order in which a service writes them.
    var names: [String] { fields(.keys).map(\.name) }

    /// The fields of a record.
    func fields(_ relations: RelationSelection) -> [Field] {
        let own = fields.map { field in
            guard relations == .keys, let keys = field.keys else { return field }
            return Field(name: field.name, fields: keys)
        }
        let all = own + Self.metadata + ownerFields.map { Field(name: $0) }
        return isVersioned ? all : Self.withoutMetadata(all)
    }

    /// Selects related records as well, with all their fields and the keys of their relations.
    ///
    /// - Parameters:
    ///   - path: The relations that lead to them from the model, one at least.
    ///   - schema: The model.
    ///   - models: The schemas of all models of the API, by name.
    /// - Throws: `ModelError` `.invalidSchema` for a step that is not a relation.
    mutating func include(
        _ path: some Collection<String>, of schema: ModelSchema, among models: [String: ModelSchema]
    ) throws(ModelError) {
        fields = try Self.including(Array(path)[...], in: fields, of: schema, among: models)
    }

    private static func including(
        _ path: ArraySlice<String>, in fields: [Field], of schema: ModelSchema, among models: [String: ModelSchema]
    ) throws(ModelError) -> [Field] {
        guard let name = path.first else { return fields }
        guard let relation = schema.field(withName: name),
            let other = relation.associatedModelName.flatMap({ models[$0] })
        else { throw ModelError(.invalidSchema, "'\(schema.name).\(name)' leads to no model that is known.") }
        var fields = fields
        let position = fields.firstIndex { $0.name == name }
        let isList = if case .hasMany = relation.association { true } else { false }
        // What is selected by its key alone has another form as well; what is included has one only.
        let known = position.flatMap { fields[$0].keys == nil ? fields[$0].fields : nil }
        let inner = try including(
            path.dropFirst(), in: known.map { isList ? $0[0].fields : $0 } ?? included(other, among: models),
            of: other, among: models)
        let field = Field(
            name: name, fields: isList ? [Field(name: "items", fields: inner), Field(name: "nextToken")] : inner)
        if let position { fields[position] = field } else { fields.append(field) }
        return fields
    }

    private static func included(_ schema: ModelSchema, among models: [String: ModelSchema]) -> [Field] {
        // Relations stay marked as selected by their keys, so that they can be included as well.
        fields(of: schema, among: models, depth: 0).map {
            Field(name: $0.name, fields: $0.keys ?? $0.fields, keys: $0.keys)
        } + metadata
    }

    private static let metadata = ["_version", "_deleted", "_lastChangedAt"].map { Field(name: $0) }
    private static func withoutMetadata(_ fields: [Field]) -> [Field] {
        let names = Set(metadata.map(\.name))
        return fields.filter { !names.contains($0.name) }.map { field in
            Field(name: field.name, fields: withoutMetadata(field.fields))
        }
    }

    private static let typeName = Field(name: "__typename")

    /// The fields of a model or an embedded type and `__typename`; relations only of the outermost model.
    private static func fields(
        of schema: ModelSchema, among models: [String: ModelSchema], depth: Int
    ) -> [Field] {
        var fields: [Field] = []
        for field in schema.sortedFields {
            switch field.association {
            case .hasMany: continue
            case .hasOne, .belongsTo:
                guard depth == 0, let other = field.associatedModelName.flatMap({ models[$0] }) else { continue }
                fields.append(
                    Field(
                        name: field.name, fields: Self.fields(of: other, among: models, depth: 1) + metadata,
                        keys: other.primaryKeyNames.map { Field(name: $0) } + [typeName, Field(name: "_deleted")]))
            case nil: if let selected = Self.field(field, depth: depth) { fields.append(selected) }
            }
        }
        return fields + [typeName]
    }

    /// An embedded type that contains itself is selected to this depth.
    private static let maximumDepth = 8

    /// A field with everything inside it; `nil` beyond the greatest depth.
    private static func field(_ field: ModelField, depth: Int) -> Field? {
        // A list of scalars has no schema, and its name is all there is to select.
        guard field.isEmbeddedType, let schema = field.embeddedTypeSchema, !schema.orderedFields.isEmpty else {
            return Field(name: field.name)
        }
        if depth >= maximumDepth { return nil }
        return Field(name: field.name, fields: fields(of: schema, among: [:], depth: depth + 1))
    }
}

public import HoldfastModel
import HoldfastSchema
import HoldfastStorage

/// A model as the dialect sees it: names, documents, inputs, and the layout of its records, compiled once.
public struct WireModel: Sendable {
    /// The model's name.
    public let name: String
    /// The plural in the name of list queries.
    public let listPlural: String
    /// The plural in the name of sync queries.
    public let syncPlural: String
    /// The columns of a row, in the order of the store's.
    public let columns: [WireColumn]
    /// The positions of the primary key's fields among ``columns``.
    public let keyColumns: [Int]
    /// Who may do what with the records.
    let authRules: AuthRules
    /// The same of those fields that have rules of their own.
    let fieldRules: AuthRules
    /// The fields that hold the owner's name and no list of them, by the rules, each once.
    let ownerFields: [String]
    /// The selected fields and their order.
    private(set) var selection: DocumentFields
    /// The sort fields of indexes with several, of which the service wants all or none.
    let jointFields: [[String]]
    /// The fields of named indexes, and of a primary key other than `id`, by their names on the wire.
    let queryKeys: [[String]]
    let layout: RecordLayout

    /// Compiles a model.
    ///
    /// - Parameters:
    ///   - schema: The model.
    ///   - models: The schemas of all models of the API, by name.
    /// - Throws: `ModelError` `.invalidSchema` for a model that the store refuses too.
    public init(_ schema: ModelSchema, among models: [String: ModelSchema]) throws(ModelError) {
        let entity = try schema.entity(among: models)
        name = schema.name
        let plural = schema.pluralName ?? Plurals.plural(of: schema.name)
        listPlural = schema.listPluralName ?? plural
        syncPlural = schema.syncPluralName ?? plural
        let wireNames = Self.wireNames(of: schema)
        let addedKeys = Self.addedKeys(of: schema, among: models)
        let groupFields = schema.authRules.compactMap { $0.allow == .groups ? $0.groupsField : nil }
        let columns = entity.fields.map { field in
            WireColumn(
                name: field.name, wireName: wireNames[field.name] ?? field.name, type: field.type,
                isRequired: field.isRequired, isReadOnly: schema.field(withName: field.name)?.isReadOnly ?? false,
                isInSubscriptionFilters: schema.field(withName: field.name) != nil && !addedKeys.contains(field.name)
                    && !groupFields.contains(field.name))
        }
        self.columns = columns
        keyColumns = entity.primaryKeyPositions
        authRules = schema.authRules
        fieldRules = schema.orderedFields.flatMap(\.authRules)
        var owners: [String] = []
        for rule in schema.authRules where rule.allow == .owner {
            let field = rule.ownerField ?? "owner"
            if schema.field(withName: field)?.isArray != true, !owners.contains(field) { owners.append(field) }
        }
        ownerFields = owners
        jointFields = schema.attributes.compactMap { attribute in
            guard case .index(let fields, .some) = attribute, fields.count > 2 else { return nil }
            return Array(fields.dropFirst())
        }
        let keys = schema.attributes.compactMap { attribute in
            if case .index(let fields, .some) = attribute { fields } else { nil }
        }
        queryKeys = (keys + [schema.primaryKeyNames].filter { $0 != ["id"] }).map { fields in
            fields.map(columns.wireName(of:))
        }
        selection = DocumentFields(schema, among: models, ownerFields: owners)
        let relations = schema.orderedFields.compactMap { field -> (String, [(String, Int)])? in
            guard case .belongsTo = field.association, let other = field.associatedModelName.flatMap({ models[$0] })
            else { return nil }
            let held = zip(other.primaryKeyNames, field.columns).compactMap { key, column in
                // A column that is a field as well is selected as such.
                schema.field(withName: column) == nil ? entity.position(of: column).map { (key, $0) } : nil
            }
            return (field.name, held)
        }
        layout = RecordLayout(
            columns: columns, keyColumns: keyColumns, relations: relations, selection: selection.names)
    }

    /// The model at a service without conflict resolution, whose documents select no versions.
    public var unversioned: WireModel {
        var model = self
        model.selection.isVersioned = false
        return model
    }

    /// The model with related records in its selection: all their fields, and the keys of their relations.
    ///
    /// - Parameters:
    ///   - paths: The relations that lead to them from the model.
    ///   - schema: The schema from which the model was compiled.
    ///   - models: The schemas of all models of the API, by name.
    /// - Returns: A copy of the model with the larger selection.
    /// - Throws: `ModelError` `.invalidSchema` for a step that is not a relation.
    public func including(
        _ paths: [[String]], of schema: ModelSchema, among models: [String: ModelSchema]
    ) throws(ModelError) -> WireModel {
        var model = self
        for path in paths { try model.selection.include(path, of: schema, among: models) }
        return model
    }

    /// The position of a column by its name in the store or on the wire.
    func position(of name: String) -> Int? {
        columns.firstIndex { $0.name == name } ?? columns.firstIndex { $0.wireName == name }
    }

    /// The names of keys of relations that do not state one: the service's, `commentPostId` for `Comment.post`.
    private static func wireNames(of schema: ModelSchema) -> [String: String] {
        var names: [String: String] = [:]
        for field in schema.orderedFields {
            guard case .belongsTo(_, let targetNames) = field.association, targetNames.isEmpty else { continue }
            names[field.name + "Id"] = Names.foreignKey(schema.name, field.name, "id")
        }
        return names
    }

    /// The keys that the service adds to a model for the lists of others; generated models have them as fields.
    private static func addedKeys(of schema: ModelSchema, among models: [String: ModelSchema]) -> Set<String> {
        var keys: Set<String> = []
        for other in models.values {
            for field in other.orderedFields where field.associatedModelName == schema.name {
                guard case .hasMany = field.association else { continue }
                keys.formUnion(other.primaryKeyNames.map { Names.foreignKey(other.name, field.name, $0) })
            }
        }
        return keys
    }
}

import HoldfastGraphQL
import HoldfastModel
import HoldfastSchema
import HoldfastStorage

/// A model of the simulated schema.
struct SimulatedModel: Sendable {
    /// A field that holds a value.
    struct Field: Sendable {
        let content: ModelTypeField
        /// The position among the columns of a client.
        let column: Int

        var name: String { content.name }
    }

    /// A relation whose key the model holds.
    struct Link: Sendable {
        let model: String
        /// The positions of the key among the columns of a client.
        let columns: [Int]
        let names: [String]
        /// Whether records belong to the other one, so that it must be there.
        let isOwned: Bool
        let isRequired: Bool
        /// Whether the key of the other record is a part of the own key.
        let isInKey: Bool
    }

    let name: String
    let schema: ModelSchema
    let entity: EntitySchema
    let type: any SimulatedRecord.Type
    /// The fields that edits change, in the order of the schema.
    let fields: [Field]
    /// The fields that every new record has.
    let required: [Field]
    /// The fields of the key, most significant first.
    let key: [Field]
    let links: [Link]
    let access: ModelAccess
    /// Fields of which the service wants all with one, and those of the keys of other records.
    let jointFields: [[String]]
    /// The fields that say who may use a record.
    let ruleFields: Set<String>
    /// The fields that the service sets, whatever a client sends.
    let serviceFields: Set<String>
    /// The columns of those that an application cannot set.
    let readOnlyColumns: [Int]

    /// Reads a model.
    ///
    /// - Parameters:
    ///   - model: The model of the service.
    ///   - index: The position of the model among all types of records.
    ///   - schemas: The schemas of the client's models, which may lack fields of the service.
    ///   - timestamps: The fields that the service sets.
    /// - Throws: `ModelError` if the client cannot have such a model.
    init(
        _ model: APIModel, at index: Int, _ schemas: [String: ModelSchema], timestamps: APITimestamps?
    ) throws(ModelError) {
        name = model.name
        guard let schema = schemas[model.name] else {
            throw ModelError(.invalidSchema, "Model '\(model.name)' has no schema.")
        }
        self.schema = schema
        let entity = try schema.entity(among: schemas)
        self.entity = entity
        type = RecordTypes.type(at: index)
        access = model.access
        let ruleFields = Set(model.ownerFields + model.access.rules.compactMap(\.groupsField))
        self.ruleFields = ruleFields
        let values = model.model.fields.compactMap { field in
            field.relation == nil ? entity.position(of: field.name).map { Field(content: field, column: $0) } : nil
        }
        key = entity.primaryKey.compactMap { name in values.first { $0.name == name } }
        links = model.model.fields.compactMap { field in
            guard let relation = field.relation, relation.kind != .hasMany, !relation.targets.isEmpty else {
                return nil
            }
            let columns = relation.targets.compactMap(entity.position(of:))
            guard columns.count == relation.targets.count else { return nil }
            let isRequired = relation.targets.contains { model.field($0)?.type.isNonNull ?? false }
            return Link(
                model: relation.model, columns: columns, names: relation.targets,
                isOwned: relation.kind == .belongsTo, isRequired: field.isRequired || isRequired,
                isInKey: !Set(relation.targets).isDisjoint(with: entity.primaryKey))
        }
        let held = Set(links.flatMap(\.names) + entity.primaryKey).union(ruleFields)
        let times = [timestamps?.created, timestamps?.updated]
        serviceFields = Set(values.filter { $0.content.isReadOnly || times.contains($0.name) }.map(\.name))
        readOnlyColumns = values.filter(\.content.isReadOnly).map(\.column)
        let own = values.filter { !$0.content.isReadOnly && !held.contains($0.name) }
        fields = own.filter { !times.contains($0.name) }
        required = own.filter(\.content.isRequired)
        jointFields =
            model.model.indexes.filter { $0.fields.count > 2 }.map { Array($0.fields.dropFirst()) }
            + links.map(\.names).filter { $0.count > 1 }
    }

    /// The fields of the records to which a new one must belong.
    var requiredParents: [String] { links.filter { $0.isOwned && $0.isRequired }.map(\.model) }

    /// The number that conditions ask for; `nil` if the model has none.
    var number: Field? { fields.first { !$0.content.isList && $0.content.scalar == "Int" } }

    func field(_ name: String) -> Field? { fields.first { $0.name == name } }

    /// What the service takes a field's values for; clients have an `AWSJSON` as text.
    func serviceType(of field: FieldSchema) -> FieldType {
        let content = self.field(field.name)?.content
        return content?.scalar == "AWSJSON" && content?.isList == false ? .json : field.type
    }

    /// The field that an earlier version of the application lacks; `nil` if it must have all of them.
    ///
    /// - Parameters:
    ///   - model: The same model of the service.
    ///   - kept: A field that it has.
    /// - Returns: The name of the field.
    func lateField(_ model: APIModel, but kept: String?) -> String? {
        let indexed = Set(model.model.indexes.flatMap(\.fields))
        let candidates = fields.filter { !$0.content.isRequired && !indexed.contains($0.name) && $0.name != kept }
        return (candidates.last { ValueMaker.isUnique($0.content) } ?? candidates.last)?.name
    }
}

package import HoldfastGraphQL
package import HoldfastSchema
package import HoldfastStorage

/// A model as the server keeps and serves it.
package final class ServerModel: Sendable {
    /// A field of the model with its position in the entity.
    package struct Column: Sendable {
        /// The name, in the API as in the store.
        package let name: String
        /// The position of the field in the entity.
        package let position: Int
        /// What the field holds.
        package let type: FieldType
        /// The type in the API.
        package let reference: TypeReference
        /// The value of a new record that has none, as `@default` has it.
        package let defaultValue: String?
        /// Whether a record without a value would be null for clients: the field cannot be null, or a relation that goes
        /// through it cannot.
        package let isRequired: Bool
        /// Whether the author declared the field; others belong to a relation, or the service sets them.
        package let isDeclared: Bool
        /// Whether the field names owners, of whom clients see a part of the name; not so in the key.
        package let isOwner: Bool
        /// How two values are merged.
        package let merging: Merging

        /// The type in inputs, where objects have types of their own.
        var inputType: TypeReference {
            var type = reference
            if self.type.isEmbedded { type.name = Name(type.name.text + "Input") }
            return type
        }
    }

    /// The name of the type.
    package let name: String
    /// What keeps the records.
    ///
    /// All fields but those of the key are optional, so that every change of the schema is additive and old clients
    /// stay able to read and write.
    package let entity: EntitySchema
    /// The fields that are values, in the order of the API, and the three that the service gives every record.
    package let columns: [Column]
    /// The relations to other models, by the name of their field.
    package let relations: [String: APIRelation]
    /// The indexes, as the API shows them.
    package let indexes: [APIModel.Index]
    /// The names of the operations.
    package let settings: ModelSettings
    /// Who may do what.
    package let access: ModelAccess
    /// Whether the author chose the key; if not, the service makes an identifier where a client gives none.
    package let declaresKey: Bool
    /// The name of the type of pages.
    package let connection: String
    /// The position of the time of the creation; `nil` if there is none, or the service does not set it.
    let createdAt: Int?
    /// The position of the time of the last change; `nil` if there is none, or the service does not set it.
    let updatedAt: Int?
    private let columnsByName: [String: Int]
    /// The entity alone, to check predicates against.
    private let single: StorageSchema

    let version: Int
    let deleted: Int
    let lastChangedAt: Int
    let timeToLive: Int

    init(
        _ model: APIModel, in service: ServiceSchema, sets: Set<String>, stored: EntitySchema?
    ) throws(StorageError) {
        name = model.name
        indexes = model.indexes
        settings = model.settings
        access = model.access
        declaresKey = model.model.declaresKey
        connection = model.connection.name.text
        let relations = service.relations[model.name] ?? []
        self.relations = Dictionary(relations.map { ($0.field, $0) }, uniquingKeysWith: { first, _ in first })
        let requiredKeys = relations.filter { relation in
            !relation.isList && model.field(relation.field)?.type.isNonNull ?? false
        }.flatMap(\.own)
        var columns: [Column] = []
        for field in model.fields where !field.isRelation {
            let type = FieldType(field)
            columns.append(
                Column(
                    name: field.name, position: columns.count, type: type, reference: field.type,
                    defaultValue: field.defaultValue,
                    isRequired: field.type.isNonNull || requiredKeys.contains(field.name), isDeclared: field.isDeclared,
                    isOwner: model.ownerFields.contains(field.name) && !model.key.contains(field.name),
                    merging: Merging(type, isSet: sets.contains("\(model.name).\(field.name)"))))
        }
        let system: [(String, FieldType, TypeReference)] = [
            ("_version", .int, TypeReference("Int").nonNull), ("_deleted", .boolean, TypeReference("Boolean")),
            ("_lastChangedAt", .timestamp, TypeReference("AWSTimestamp").nonNull),
        ]
        version = columns.count
        deleted = columns.count + 1
        lastChangedAt = columns.count + 2
        timeToLive = columns.count + 3
        for (name, type, reference) in system {
            columns.append(
                Column(
                    name: name, position: columns.count, type: type, reference: reference, defaultValue: nil,
                    isRequired: false, isDeclared: false, isOwner: false, merging: .scalar))
        }
        self.columns = columns
        columnsByName = Dictionary(
            columns.map { ($0.name, $0.position) }, uniquingKeysWith: { first, _ in first })
        var fields = columns.map { FieldSchema($0.name, $0.type) } + [FieldSchema("_ttl", .timestamp)]
        let names = Set(fields.map(\.name))
        fields += (stored?.fields ?? []).filter { !names.contains($0.name) }
        // Those that the schema lacks stay, too: another process may serve a later schema, which needs them.
        let own = Self.indexes(of: model, in: service)
        // Of a field that has become a list, the change of its type is what has to be reported.
        let lists = Set(columns.filter { $0.reference.isList }.map(\.name))
        let others = (stored?.indexes ?? []).filter { index in
            !own.contains { $0.name == index.name } && lists.isDisjoint(with: index.fields)
        }
        entity = EntitySchema(
            model.name, fields: fields, primaryKey: model.key, indexes: own + others, isOrderedByVersion: true)
        single = try StorageSchema(entities: [entity])
        let timestamps = service.timestamps[model.name]
        let byName = columnsByName
        func position(_ name: String?) -> Int? {
            guard let name, let position = byName[name], !columns[position].reference.isList,
                ["AWSDateTime", "String"].contains(columns[position].reference.name.text)
            else { return nil }
            return position
        }
        createdAt = position(timestamps?.created)
        updatedAt = position(timestamps?.updated)
    }

    /// The column of a name; `nil` for relations and unknown fields.
    package func column(_ name: String) -> Column? { columnsByName[name].map { columns[$0] } }

    /// The names of the key's fields.
    var key: [String] { entity.primaryKey }

    /// A predicate checked against the entity.
    ///
    /// - Throws: ``StorageError`` if an operand is not a value of its field.
    func bind(_ predicate: Predicate) throws(StorageError) -> BoundPredicate {
        try single.bind(QueryPlan(name, where: predicate)).predicate
    }

    /// A predicate of the field `size` alone.
    static func bindSize(_ predicate: Predicate) throws(StorageError) -> BoundPredicate {
        let size = EntitySchema("size", fields: [FieldSchema("size", .int)], primaryKey: ["size"])
        return try StorageSchema(entities: [size]).bind(QueryPlan("size", where: predicate)).predicate
    }

    /// The indexes that the author declared, and one for each relation that would otherwise have to read everything.
    private static func indexes(of model: APIModel, in service: ServiceSchema) -> [IndexSchema] {
        var indexes = model.model.indexes.map { IndexSchema($0.name, on: $0.fields) }
        let names = Set(model.fields.filter { !$0.isRelation }.map(\.name))
        indexes.removeAll { !Set($0.fields).isSubset(of: names) }
        for relation in service.models.flatMap({ service.relations[$0.name] ?? [] }) where relation.model == model.name
        {
            let fields = Array(relation.other.prefix(relation.own.count))
            let isServed = model.key.starts(with: fields) || indexes.contains { $0.fields.starts(with: fields) }
            guard !isServed, Set(fields).isSubset(of: names) else { continue }
            indexes.append(IndexSchema("relation." + fields.joined(separator: "."), on: fields))
        }
        return indexes
    }
}

extension FieldType {
    /// What the store keeps of a field of the API.
    init(_ field: APIField) {
        let single: FieldType =
            if let name = field.enumeration {
                .enumeration(name)
            } else if let name = field.embedded {
                .embedded(name)
            } else {
                FieldType(scalar: field.type.name.text)
            }
        // Elements are judged where requests are read, so that a schema that allows null later fits the store.
        self = field.type.isList ? .list(of: single, elementsAreRequired: false) : single
    }

    /// The type of a scalar by its name in the API; text for unknown ones.
    init(scalar name: String) {
        self = FieldType.scalars.first { $0.graphQLName == name } ?? .string
    }
}

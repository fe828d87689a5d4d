/// Everything a store holds: a checked set of entities.
///
/// ```swift
/// let schema = try StorageSchema(entities: [book])
/// let entity = try schema.entity(named: "Book")
/// let position = entity.position(of: "title")  // 1
/// ```
public struct StorageSchema: Sendable, Hashable {
    /// The entities, in the order given.
    public let entities: [EntitySchema]

    private let positions: [String: Int]

    /// Creates a schema and checks its rules.
    ///
    /// Names must be 1...255 UTF-8 bytes without NUL and unique in their scope; every entity needs a field and a
    /// primary key; keys and indexes must name existing fields, each once, none of them a list.
    ///
    /// - Parameter entities: In any order.
    /// - Throws: ``StorageError`` `.schemaMismatch` that names the entity and the rule.
    public init(entities: [EntitySchema]) throws(StorageError) {
        self.entities = entities
        positions = Dictionary(
            entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        try Self.requireUnique(entities.map(\.name), in: "the schema")
        for entity in entities { try Self.check(entity) }
    }

    /// The entity of that name.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` if there is none.
    public func entity(named name: String) throws(StorageError) -> EntitySchema {
        guard let position = positions[name] else {
            throw StorageError.unknownEntity(name)
        }
        return entities[position]
    }

    private static func check(_ entity: EntitySchema) throws(StorageError) {
        let subject = "entity '\(entity.name)'"
        try requireUnique(entity.fields.map(\.name), in: subject)
        try requireUnique(entity.indexes.map(\.name), in: "the indexes of \(subject)")
        if entity.primaryKey.isEmpty {
            throw StorageError(.schemaMismatch, "\(subject) needs a primary key of one field or more.")
        }
        try checkKey(entity.primaryKey, of: entity, as: "The primary key of \(subject)")
        for index in entity.indexes {
            if index.fields.isEmpty {
                throw StorageError(.schemaMismatch, "Index '\(index.name)' of \(subject) names no field.")
            }
            try checkKey(index.fields, of: entity, as: "Index '\(index.name)' of \(subject)")
        }
    }

    private static func checkKey(
        _ names: [String], of entity: EntitySchema, as subject: String
    ) throws(StorageError) {
        try requireUnique(names, in: subject)
        for name in names {
            guard let field = entity.field(named: name) else {
                throw StorageError(.schemaMismatch, "\(subject) names the unknown field '\(name)'.")
            }
            if case .list = field.type {
                throw StorageError(.schemaMismatch, "\(subject) cannot contain the list '\(name)'.")
            }
        }
    }

    private static func requireUnique(_ names: [String], in subject: String) throws(StorageError) {
        // Few names are compared with each other sooner than they are hashed.
        let isSmall = names.count <= 16
        var seen: Set<String> = []
        for (position, name) in names.enumerated() {
            guard (1...255).contains(name.utf8.count), !name.utf8.contains(0) else {
                throw StorageError(
                    .schemaMismatch, "A name in \(subject) is not 1 to 255 UTF-8 bytes without NUL.")
            }
            guard isSmall ? !names[..<position].contains(name) : seen.insert(name).inserted else {
                throw StorageError(.schemaMismatch, "'\(name)' occurs twice in \(subject).")
            }
        }
    }
}

/// What separates the schema a store was written with from the one it is opened with.
///
/// ```swift
/// let larger = EntitySchema("Book", fields: book.fields + [FieldSchema("year", .int)], indexes: book.indexes)
/// let change = SchemaChange(from: schema, to: try StorageSchema(entities: [larger]))
/// let isDoneInPlace = change.isAdditive  // true: a new field that may be null
/// ```
public struct SchemaChange: Sendable, Hashable {
    /// One difference.
    public enum Difference: Sendable, Hashable, CustomStringConvertible {
        /// A new entity.
        case entityAdded(String)
        /// An entity that is no longer declared.
        case entityRemoved(String)
        /// A new field.
        case fieldAdded(entity: String, field: String, isRequired: Bool)
        /// A field that is no longer declared.
        case fieldRemoved(entity: String, field: String)
        /// A field whose storage type differs.
        case fieldTypeChanged(entity: String, field: String)
        /// A field that was optional and is required now.
        case fieldBecameRequired(entity: String, field: String)
        /// A field that was required and is optional now.
        case fieldBecameOptional(entity: String, field: String)
        /// Another primary key.
        case primaryKeyChanged(entity: String)
        /// A new index, or one whose fields or uniqueness differ.
        case indexAdded(entity: String, index: String)
        /// An index that is no longer declared or differs.
        case indexRemoved(entity: String, index: String)
        /// The records must also be kept in the order of their versions.
        case versionOrderAdded(entity: String)
        /// The order of the records by version is no longer declared.
        case versionOrderRemoved(entity: String)

        /// The difference as one short sentence.
        public var description: String {
            switch self {
            case .entityAdded(let entity): "entity '\(entity)' was added"
            case .entityRemoved(let entity): "entity '\(entity)' was removed"
            case .fieldAdded(let entity, let field, let isRequired):
                "\(isRequired ? "required" : "optional") field '\(entity).\(field)' was added"
            case .fieldRemoved(let entity, let field): "field '\(entity).\(field)' was removed"
            case .fieldTypeChanged(let entity, let field): "the type of '\(entity).\(field)' changed"
            case .fieldBecameRequired(let entity, let field): "field '\(entity).\(field)' became required"
            case .fieldBecameOptional(let entity, let field): "field '\(entity).\(field)' became optional"
            case .primaryKeyChanged(let entity): "the primary key of '\(entity)' changed"
            case .indexAdded(let entity, let index): "index '\(entity).\(index)' was added"
            case .indexRemoved(let entity, let index): "index '\(entity).\(index)' was removed"
            case .versionOrderAdded(let entity): "the order of '\(entity)' by version was added"
            case .versionOrderRemoved(let entity): "the order of '\(entity)' by version was removed"
            }
        }

        /// The entity that differs.
        public var entity: String {
            switch self {
            case .entityAdded(let entity), .entityRemoved(let entity), .fieldAdded(let entity, _, _),
                .fieldRemoved(let entity, _), .fieldTypeChanged(let entity, _), .fieldBecameRequired(let entity, _),
                .fieldBecameOptional(let entity, _), .primaryKeyChanged(let entity), .indexAdded(let entity, _),
                .indexRemoved(let entity, _), .versionOrderAdded(let entity), .versionOrderRemoved(let entity):
                entity
            }
        }

        /// Whether an adapter can make the change in place without touching a stored cell.
        public var isAdditive: Bool {
            switch self {
            case .entityAdded, .indexAdded, .indexRemoved, .versionOrderAdded, .versionOrderRemoved: true
            case .fieldAdded(_, _, let isRequired): !isRequired
            default: false
            }
        }
    }

    /// The differences, entity by entity in the order of the new schema, removed entities last.
    public let differences: [Difference]

    /// Whether every difference can be made in place.
    public var isAdditive: Bool { differences.allSatisfy(\.isAdditive) }

    /// Compares two schemas.
    ///
    /// The order of fields counts for nothing; types are compared as storage types, so that `String` → `AWSEmail`
    /// is not a difference.
    public init(from old: StorageSchema, to new: StorageSchema) {
        var differences: [Difference] = []
        let olds = Dictionary(uniqueKeysWithValues: old.entities.map { ($0.name, $0) })
        for entity in new.entities {
            guard let previous = olds[entity.name] else {
                differences.append(.entityAdded(entity.name))
                continue
            }
            differences += Self.differences(from: previous, to: entity)
        }
        let names = Set(new.entities.map(\.name))
        for entity in old.entities where !names.contains(entity.name) {
            differences.append(.entityRemoved(entity.name))
        }
        self.differences = differences
    }

    /// The error for differences that cannot be made in place and that no migration covers.
    public static func mismatch(_ differences: [Difference]) -> StorageError {
        StorageError(
            .schemaMismatch,
            "The stored schema cannot become the new one without a migration: "
                + differences.map(\.description).joined(separator: "; ") + ".")
    }

    /// What separates two forms of one entity; their names are not compared.
    package static func differences(from old: EntitySchema, to new: EntitySchema) -> [Difference] {
        var differences: [Difference] = []
        for field in new.fields {
            guard let previous = old.field(named: field.name) else {
                differences.append(
                    .fieldAdded(entity: new.name, field: field.name, isRequired: field.isRequired))
                continue
            }
            if previous.type.storageType != field.type.storageType {
                differences.append(.fieldTypeChanged(entity: new.name, field: field.name))
            }
            if !previous.isRequired && field.isRequired {
                differences.append(.fieldBecameRequired(entity: new.name, field: field.name))
            } else if previous.isRequired && !field.isRequired {
                differences.append(.fieldBecameOptional(entity: new.name, field: field.name))
            }
        }
        for field in old.fields where new.field(named: field.name) == nil {
            differences.append(.fieldRemoved(entity: new.name, field: field.name))
        }
        if old.primaryKey != new.primaryKey {
            differences.append(.primaryKeyChanged(entity: new.name))
        }
        for index in old.indexes where !new.indexes.contains(index) {
            differences.append(.indexRemoved(entity: new.name, index: index.name))
        }
        for index in new.indexes where !old.indexes.contains(index) {
            differences.append(.indexAdded(entity: new.name, index: index.name))
        }
        if old.isOrderedByVersion != new.isOrderedByVersion {
            differences.append(
                new.isOrderedByVersion
                    ? .versionOrderAdded(entity: new.name) : .versionOrderRemoved(entity: new.name))
        }
        return differences
    }
}

package import HoldfastStorage

/// An additive change of a schema between two sessions.
package enum SchemaWidening: Sendable {
    /// A new entity.
    case entity(EntitySchema)
    /// A new optional field, after all others.
    case field(String, FieldSchema)
    /// A new index that is not unique.
    case index(String, IndexSchema)
    /// An index that is given up.
    case withoutIndex(String, String)

    /// The entity that changes.
    var entity: String {
        switch self {
        case .entity(let entity): entity.name
        case .field(let entity, _), .index(let entity, _), .withoutIndex(let entity, _): entity
        }
    }
}

extension StorageSchema {
    /// The schema after a change.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` if the change does not fit.
    func widened(by widening: SchemaWidening) throws(StorageError) -> StorageSchema {
        if case .entity(let entity) = widening { return try StorageSchema(entities: entities + [entity]) }
        _ = try entity(named: widening.entity)
        return try StorageSchema(
            entities: entities.map { entity in
                guard entity.name == widening.entity else { return entity }
                var (fields, indexes) = (entity.fields, entity.indexes)
                switch widening {
                case .entity: break
                case .field(_, let field): fields.append(field)
                case .index(_, let index): indexes.append(index)
                case .withoutIndex(_, let name): indexes.removeAll { $0.name == name }
                }
                return EntitySchema(entity.name, fields: fields, primaryKey: entity.primaryKey, indexes: indexes)
            })
    }
}

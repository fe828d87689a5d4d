package import HoldfastStorage

/// A table that holds an entity.
package protocol SQLTable: Sendable {
    /// The entity as it was opened.
    var entity: EntitySchema { get }
    /// The columns of the fields, in the order of a record's cells.
    var columns: [SQLColumn] { get }
}

/// The column of a field.
package struct SQLColumn: Sendable {
    package let type: StorageType
    package let isRequired: Bool
    /// The quoted name of the column that is compared and sorted.
    package let name: String
    /// The quoted name of the column that holds how dates and times were written.
    package let tailName: String?
}

extension SQLCatalog.Entity {
    /// The columns of an entity's fields, in their order.
    ///
    /// - Throws: ``HoldfastStorage/StorageError`` `.corruption` if a field is not in the catalog.
    package func columns(of entity: EntitySchema) throws(StorageError) -> [SQLColumn] {
        var columns: [SQLColumn] = []
        for field in entity.fields {
            guard let native = self.field(named: field.name) else {
                throw StorageError(
                    .corruption, "The catalog has no field '\(entity.name).\(field.name)'; restore a backup.")
            }
            columns.append(
                SQLColumn(
                    type: native.type, isRequired: native.isRequired, name: native.column.quotedIdentifier,
                    tailName: native.tailColumn?.quotedIdentifier))
        }
        return columns
    }
}

extension StorageType {
    /// Whether a second column holds how dates and times were written.
    package var hasTail: Bool {
        switch self {
        case .date, .time, .timestamp: true
        case .list(let element): element.hasTail
        default: false
        }
    }
}

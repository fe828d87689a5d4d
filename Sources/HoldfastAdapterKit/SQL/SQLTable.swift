package import HoldfastStorage

/// A table that holds an entity.
package protocol SQLTable: Sendable {
    associatedtype Layout: SQLRowLayout

    /// The entity as it was opened.
    var entity: EntitySchema { get }
    /// The quoted name of the table, its schema before it if it has one.
    var name: String { get }
    /// The columns of the fields, in the order of a record's cells.
    var columns: [SQLColumn] { get }
    /// The quoted name of the version column.
    var versionName: String { get }
    /// The cells of a whole row, then its version.
    var layout: Layout { get }
    /// The beginning of a statement that reads whole rows, up to the table: ``selecting(_:)`` of ``layout``.
    var selectingRows: String { get }
}

extension SQLTable {
    /// The quoted names of the key's columns, in its order.
    package var keyNames: [String] { entity.primaryKeyPositions.map { columns[$0].name } }

    /// The beginning of a statement that reads cells and the version, up to the table.
    package func selecting(_ layout: Layout) -> String { Self.selecting(layout, versionName, from: name) }

    /// The same for a table that is not made yet.
    package static func selecting(_ layout: Layout, _ versionName: String, from name: String) -> String {
        "SELECT \(layout.columnCount > 0 ? layout.selection + ", " : "")\(versionName) FROM \(name)"
    }

    /// The column of the versions, as one to compare with.
    package var versionColumn: SQLColumn {
        SQLColumn(type: .integer, isRequired: true, name: versionName, tailName: nil)
    }

    /// The quoted names of all columns in the order in which rows are written, the version first.
    package var writtenNames: [String] { Self.writtenNames(versionName, columns) }

    package static func writtenNames(_ versionName: String, _ columns: [SQLColumn]) -> [String] {
        [versionName] + columns.flatMap { column in [column.name] + (column.tailName.map { [$0] } ?? []) }
    }

    /// The positions of the key's columns among ``writtenNames``, counted from 1.
    package static func keyParameterNumbers(_ entity: EntitySchema, _ columns: [SQLColumn]) -> [Int] {
        entity.primaryKeyPositions.map { position in
            2 + columns[..<position].reduce(0) { $0 + ($1.tailName == nil ? 1 : 2) }
        }
    }

    /// What an upsert does with a record that exists: every column but the key's is replaced.
    package var replacingClause: String { Self.replacingClause(keyNames, writtenNames) }

    package static func replacingClause(_ keyNames: [String], _ writtenNames: [String]) -> String {
        let keys = Set(keyNames)
        let assignments = writtenNames.filter { !keys.contains($0) }.map { "\($0) = excluded.\($0)" }
        return " ON CONFLICT (\(keyNames.joined(separator: ", "))) DO UPDATE SET "
            + assignments.joined(separator: ", ")
    }
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
    /// - Throws: ``/HoldfastStorage/StorageError`` `.corruption` if a field is not in the catalog.
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

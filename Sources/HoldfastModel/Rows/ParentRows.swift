public import HoldfastStorage

/// The records to which those of a page relate, loaded beforehand: what eager models are built from.
///
/// An eager model holds its parents themselves, not references to them, and they hold theirs. So the parents of a page
/// are loaded with one query per relation, and then found here by their keys.
public final class ParentRows: Sendable {
    /// The records to which one field of a page's records leads.
    public struct Relation: Sendable {
        /// The related records.
        package let rows: RowBuffer
        /// Where each is among ``rows``, by its key.
        package let positions: [RecordKey: Int]
        /// The records to which these relate in turn.
        package let parents: ParentRows?

        /// Creates a relation.
        ///
        /// - Parameters:
        ///   - rows: Related records in the order of their ``ModelSchema/columns``; rows of absent records are passed
        ///     over, and of several with one key the first counts.
        ///   - keyColumns: The columns by which they are found; see ``EagerRelation/keyColumns(of:)``.
        ///   - parents: The records to which these relate in turn; `nil` if their model is lazy or relates to none.
        public init(_ rows: RowBuffer, by keyColumns: [Int], parents: ParentRows? = nil) {
            self.rows = rows
            self.parents = parents
            var positions: [RecordKey: Int] = [:]
            positions.reserveCapacity(rows.rowCount)
            for row in 0..<rows.rowCount {
                let key = keyColumns.map { rows[row, $0] }
                if key.contains(where: \.isNull) { continue }
                // Of several that claim one record the first counts, as for a lazy relation.
                if positions[RecordKey(key)] == nil { positions[RecordKey(key)] = row }
            }
            self.positions = positions
        }
    }

    private let relations: [String: Relation]

    /// Creates the relations of a page by the names of their fields.
    public init(_ relations: [String: Relation]) { self.relations = relations }

    /// The relation of a field, or `nil` if it was not loaded.
    package subscript(_ field: String) -> Relation? { relations[field] }
}

/// A relation of an eager model, as it has to be loaded for a page of its rows.
public struct EagerRelation: Sendable {
    /// The field.
    public let field: String
    /// The name of the related model.
    public let model: String
    /// The columns of the page's rows that hold the key to look for; a null in one of them means no relation.
    public let keyColumns: [Int]
    /// The fields of the related model that hold the key; empty if it is the related model's primary key.
    public let relatedFields: [String]

    /// The key to look for, or `nil` if a row relates to nothing.
    ///
    /// - Parameters:
    ///   - rows: Rows of the model that has the field.
    ///   - row: One of them, counted from 0.
    /// - Returns: The cells of the key's columns; `nil` if one of them is null.
    public func key(in rows: RowBuffer, row: Int) -> RecordKey? {
        var components: [Value] = []
        components.reserveCapacity(keyColumns.count)
        for column in keyColumns {
            let cell = rows[row, column]
            if cell.isNull { return nil }
            components.append(cell)
        }
        return RecordKey(components)
    }

    /// The columns of the related model that hold the key: its primary key's or those of ``relatedFields``.
    public func keyColumns(of related: ModelSchema) -> [Int] {
        relatedFields.isEmpty ? related.primaryKeyColumns : related.columnPositions(of: relatedFields)
    }
}

extension ModelSchema {
    /// The relations to at most one record, which an eager model holds as the related models themselves.
    public var eagerRelations: [EagerRelation] {
        layout.entries.compactMap { entry in
            guard let model = entry.relatedModel else { return nil }
            return switch entry.kind {
            case .parent(let columns):
                EagerRelation(field: entry.name, model: model, keyColumns: columns, relatedFields: [])
            case .child(let columns, let fields):
                EagerRelation(field: entry.name, model: model, keyColumns: columns, relatedFields: fields)
            case .value, .children: nil
            }
        }
    }

    /// The positions of the columns of fields among ``columns``; a name that is not a field stands for a column itself.
    public func columnPositions(of fields: [String]) -> [Int] {
        let names = fields.flatMap { field(withName: $0)?.columns ?? [$0] }
        return names.compactMap { columns.firstIndex(of: $0) }
    }
}

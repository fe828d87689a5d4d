import Foundation
public import HoldfastStorage

/// One row of a buffer, as a model's row codec reads it.
public struct RowReader: Sendable {
    @usableFromInline let rows: RowBuffer
    @usableFromInline let start: Int
    /// Loads the records to which relations lead; `nil` for a row outside a store.
    public let loader: (any ModelLoader)?

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - rows: Cells in the order of ``ModelSchema/columns``.
    ///   - row: The row to read, counted from 0.
    ///   - loader: Where relations are loaded from.
    public init(_ rows: RowBuffer, row: Int, loader: (any ModelLoader)? = nil) {
        self.rows = rows
        start = row * rows.columnCount
        self.loader = loader
    }

    /// The cell at a column.
    @inlinable public func cell(_ column: Int) -> Value { rows.cells[start + column] }

    /// The value of a column; null only for an optional type.
    ///
    /// - Throws: ``ModelError`` `.decodingFailed` if the cell holds something else.
    @inlinable public func read<T: RowValue>(
        _ column: Int, as type: T.Type = T.self
    ) throws(ModelError) -> T {
        guard let value = T(storageValue: rows.cells[start + column]) else { throw Self.mismatch(column) }
        return value
    }

    /// The value of a column that holds an embedded type as JSON.
    ///
    /// - Throws: ``ModelError`` `.decodingFailed` if the JSON is not the type's.
    public func embedded<T: Decodable>(
        _ column: Int, as type: T.Type = T.self
    ) throws(ModelError) -> T {
        guard let value = try embeddedIfPresent(column, as: type) else { throw Self.mismatch(column) }
        return value
    }

    /// The value of a column that holds an embedded type as JSON, or `nil` for null.
    ///
    /// - Throws: ``ModelError`` `.decodingFailed` if the JSON is not the type's.
    public func embeddedIfPresent<T: Decodable>(
        _ column: Int, as type: T.Type = T.self
    ) throws(ModelError) -> T? {
        switch cell(column) {
        case .null: return nil
        case .text(let json):
            do {
                return try JSONDecoder().decode(type, from: Data(json.utf8))
            } catch {
                throw Self.mismatch(column)
            }
        default: throw Self.mismatch(column)
        }
    }

    /// The relation whose foreign key begins at a column.
    public func reference<Parent: Model>(_ column: Int, to type: Parent.Type = Parent.self) -> LazyReference<Parent> {
        let names = Parent.schema.primaryKeyNames
        var components: [Value] = []
        for offset in names.indices {
            let value = cell(column + offset)
            if value.isNull { return LazyReference(key: nil, loader: loader) }
            components.append(value)
        }
        return LazyReference(key: RecordKey(components), loader: loader)
    }

    /// The records of another model whose foreign key leads to this row's.
    ///
    /// - Parameters:
    ///   - field: The field of the other model that belongs to this one.
    ///   - keyColumns: The columns of this row's primary key.
    public func children<Child: Model>(
        by field: String, keyColumns: Int..., of type: Child.Type = Child.self
    ) -> List<Child> {
        List(parent: RecordKey(keyColumns.map(cell)), field: field, loader: loader)
    }

    @usableFromInline static func mismatch(_ column: Int) -> ModelError {
        ModelError(
            .decodingFailed,
            "Column \(column) of a stored row does not fit its field; generate the models again or migrate the store.")
    }
}

import Foundation
public import HoldfastStorage

/// One row of a buffer, as a model's row codec reads it.
public struct RowReader: Sendable {
    @usableFromInline let page: RowPage
    /// The position of the row's first cell.
    @usableFromInline var start: Int
    /// Loads the records to which relations lead; `nil` for a row outside a store.
    @inlinable public var loader: (any ModelLoader)? { page.loader }
    /// The related records of the page, for eager models; `nil` if none were loaded.
    @inlinable public var parents: ParentRows? { page.parents }

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - rows: Cells in the order of ``ModelSchema/columns``.
    ///   - row: The row to read, counted from 0.
    ///   - loader: Where relations are loaded from.
    ///   - parents: The related records of these rows, for eager models.
    @inlinable public init(
        _ rows: RowBuffer, row: Int, loader: (any ModelLoader)? = nil, parents: ParentRows? = nil
    ) {
        page = RowPage(rows, loader: loader, parents: parents)
        start = row * rows.columnCount
    }

    /// The cell at a column.
    @inlinable public func cell(_ column: Int) -> Value { page.rows.cells[start + column] }

    /// The value of a column; null only for an optional type.
    ///
    /// - Throws: ``ModelError`` `.decodingFailed` if the cell holds something else.
    @inlinable public func read<T: RowValue>(
        _ column: Int, as type: T.Type = T.self
    ) throws(ModelError) -> T {
        guard let value = T(storageValue: page.rows.cells[start + column]) else { throw Self.mismatch(column) }
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
                return try JSONCoding.decoder.decode(type, from: Data(json.utf8))
            } catch {
                throw Self.mismatch(column)
            }
        default: throw Self.mismatch(column)
        }
    }

    /// The values of a column that holds a list of an embedded type.
    ///
    /// The element type may be optional; then an element may be null.
    /// - Throws: ``ModelError`` `.decodingFailed` if the cell is null or an element's JSON is not the type's.
    public func embeddedList<T: Decodable>(_ column: Int, of type: T.Type = T.self) throws(ModelError) -> [T] {
        guard let values = try embeddedListIfPresent(column, of: type) else { throw Self.mismatch(column) }
        return values
    }

    /// The values of a column that holds a list of an embedded type, or `nil` for null.
    ///
    /// The element type may be optional; then an element may be null.
    /// - Throws: ``ModelError`` `.decodingFailed` if an element's JSON is not the type's.
    public func embeddedListIfPresent<T: Decodable>(
        _ column: Int, of type: T.Type = T.self
    ) throws(ModelError) -> [T]? {
        switch cell(column) {
        case .null: return nil
        case .list(let elements):
            let json = JSONCoding.text(of: .list(elements), type: .list(of: .embedded(""), elementsAreRequired: false))
            guard let values = try? JSONCoding.decoder.decode([T].self, from: Data(json.utf8)),
                values.count == elements.count
            else { throw Self.mismatch(column) }
            return values
        default: throw Self.mismatch(column)
        }
    }

    @usableFromInline static func mismatch(_ column: Int) -> ModelError {
        ModelError(
            .decodingFailed,
            "Column \(column) of a stored row does not fit its field; generate the models again or migrate the store.")
    }
}

import Foundation
public import HoldfastStorage

/// The rows that a model's row codec appends its cells to.
public struct RowWriter: Sendable {
    @usableFromInline var rows: RowBuffer

    /// Creates a writer for rows of a number of columns.
    public init(columnCount: Int, rowCapacity: Int = 1) {
        rows = RowBuffer(columnCount: columnCount, rowCapacity: rowCapacity)
    }

    /// The finished rows.
    public var finishedRows: RowBuffer { rows }

    /// Writes one model as a row.
    ///
    /// - Throws: ``ModelError`` `.encodingFailed` if the model wrote another number of cells than it has columns;
    ///   the writer must not be used further.
    public mutating func append(_ model: some Model) throws(ModelError) {
        try model.write(to: &self)
        guard rows.cells.count == (rows.rowCount + 1) * rows.columnCount else {
            throw ModelError(.encodingFailed, "The row codec wrote too few or too many cells; generate it again.")
        }
        rows.finishRow()
    }

    /// Writes a cell.
    @inlinable public mutating func write(_ value: some RowValue) { rows.appendCell(value.storageValue) }

    /// Writes an embedded value as JSON with sorted keys, or null.
    ///
    /// - Throws: ``ModelError`` `.encodingFailed` if the value cannot be written as JSON.
    public mutating func writeEmbedded(_ value: (some Encodable)?) throws(ModelError) {
        guard let value else {
            rows.appendCell(.null)
            return
        }
        do {
            rows.appendCell(.text(String(decoding: try JSONCoding.encoder.encode(value), as: UTF8.self)))
        } catch {
            throw ModelError(.encodingFailed, "An embedded value cannot be written as JSON.")
        }
    }

    /// Writes the foreign key of a relation: one cell per field of the other model's primary key.
    ///
    /// - Throws: ``ModelError`` `.encodingFailed` if the key has another number of fields.
    public mutating func write<Parent: Model>(_ reference: LazyReference<Parent>) throws(ModelError) {
        try write(key: reference.key(), of: Parent.self)
    }

    /// Writes the foreign key of a related model that an eager model holds: one cell per field of its primary key.
    ///
    /// - Throws: ``ModelError`` `.encodingFailed` if the related model cannot be written as a row.
    public mutating func write<Parent: Model>(parent: Parent?) throws(ModelError) {
        try write(key: parent?.recordKey(), of: Parent.self)
    }

    private mutating func write<Parent: Model>(key: RecordKey?, of type: Parent.Type) throws(ModelError) {
        let count = Parent.schema.primaryKeyNames.count
        guard key == nil || key?.components.count == count else {
            throw ModelError(
                .encodingFailed, "A relation's key has not the fields of the key of '\(Parent.modelName)'.")
        }
        for index in 0..<count { rows.appendCell(key?.components[index] ?? .null) }
    }
}

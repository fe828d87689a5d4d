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
        rows.appendCell(try Self.cell(value))
    }

    /// Writes a list of embedded values, each as JSON with sorted keys and `nil` as null, or null for no list.
    ///
    /// - Throws: ``ModelError`` `.encodingFailed` if a value cannot be written as JSON.
    public mutating func writeEmbeddedList(_ values: [some Encodable]?) throws(ModelError) {
        guard let values else {
            rows.appendCell(.null)
            return
        }
        var cells: [Value] = []
        cells.reserveCapacity(values.count)
        for value in values { cells.append(try Self.cell(value)) }
        rows.appendCell(.list(cells))
    }

    private static func cell(_ value: some Encodable) throws(ModelError) -> Value {
        do {
            let json = String(decoding: try JSONCoding.encoder.encode(value), as: UTF8.self)
            return json == "null" ? .null : .text(json)
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

    /// Writes some cells of the foreign key of a relation, where its other columns are fields of their own.
    ///
    /// - Parameters:
    ///   - reference: The relation.
    ///   - keyFields: The positions of the cells among the fields of the other model's primary key, counted from 0, in
    ///     the order of the columns.
    /// - Throws: ``ModelError`` `.encodingFailed` if the key has another number of fields.
    public mutating func write<Parent: Model>(
        _ reference: LazyReference<Parent>, keyFields: Int...
    ) throws(ModelError) {
        try write(key: reference.key(), of: Parent.self, keyFields: keyFields)
    }

    /// Writes some cells of the foreign key of a related model that an eager model holds, where its other columns are
    /// fields of their own.
    ///
    /// - Parameters:
    ///   - parent: The related model.
    ///   - keyFields: The positions of the cells among the fields of its primary key, counted from 0, in the order of
    ///     the columns.
    /// - Throws: ``ModelError`` `.encodingFailed` if the related model does not have these key fields or cannot be
    ///   written as a row.
    public mutating func write<Parent: Model>(parent: Parent?, keyFields: Int...) throws(ModelError) {
        try write(key: parent?.recordKey(), of: Parent.self, keyFields: keyFields)
    }

    private mutating func write<Parent: Model>(
        key: RecordKey?, of type: Parent.Type, keyFields: [Int]? = nil
    ) throws(ModelError) {
        let all = Parent.schema.primaryKeyNames.indices
        guard key == nil || key?.components.count == all.count, keyFields?.allSatisfy(all.contains) ?? true else {
            throw ModelError(
                .encodingFailed, "The relation's key does not match the primary key of '\(Parent.modelName)'.")
        }
        for index in keyFields ?? Array(all) { rows.appendCell(key?.components[index] ?? .null) }
    }
}

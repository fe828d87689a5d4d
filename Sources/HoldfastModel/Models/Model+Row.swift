public import HoldfastStorage

extension Model {
    /// The model as one row.
    ///
    /// - Throws: ``ModelError`` `.encodingFailed`.
    public func row() throws(ModelError) -> RowBuffer {
        try Self.rows(CollectionOfOne(self))
    }

    /// Models as rows, in their order.
    ///
    /// - Throws: ``ModelError`` `.encodingFailed` for the first model that cannot be written.
    public static func rows(_ models: some Collection<Self>) throws(ModelError) -> RowBuffer {
        var writer = RowWriter(columnCount: schema.columns.count, rowCapacity: models.count)
        for model in models { try writer.append(model) }
        return writer.finishedRows
    }

    /// The models of all rows, in their order.
    @inlinable public static func read(
        _ rows: RowBuffer, loader: (any ModelLoader)?, parents: ParentRows?, into models: inout [Self]
    ) throws(ModelError) {
        let count = models.count + rows.rowCount
        if models.capacity < count { models.reserveCapacity(Swift.max(count, models.capacity * 2)) }
        for row in 0..<rows.rowCount {
            models.append(try Self(row: RowReader(rows, row: row, loader: loader, parents: parents)))
        }
    }

    /// The model's key.
    ///
    /// - Throws: ``ModelError`` `.encodingFailed` if the model cannot be written as a row.
    public func recordKey() throws(ModelError) -> RecordKey {
        let row = try row()
        return RecordKey(Self.schema.primaryKeyColumns.map { row[0, $0] })
    }
}

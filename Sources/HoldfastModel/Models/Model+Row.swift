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

    /// Appends the models of all rows to an array, in their order.
    ///
    /// - Throws: ``ModelError`` `.decodingFailed` for the first row that does not fit; the models of the rows before it
    ///   stay in the array.
    public static func read(
        _ rows: RowBuffer, loader: (any ModelLoader)?, parents: ParentRows?, into models: inout [Self]
    ) throws(ModelError) {
        let buffer = ModelBuffer(models)
        // The array is the buffer's alone, so that appending does not copy it.
        models = []
        defer { models = buffer.models }
        try read(rows, loader: loader, parents: parents, into: buffer as AnyModelBuffer)
    }

    /// Appends the models of all rows to a buffer, in their order.
    @inlinable public static func read(
        _ rows: RowBuffer, loader: (any ModelLoader)?, parents: ParentRows?, into buffer: AnyModelBuffer
    ) throws(ModelError) {
        guard let buffer = buffer as? ModelBuffer<Self> else {
            throw ModelError(.decodingFailed, "The buffer is for another model than '\(modelName)'.")
        }
        var models = buffer.models
        buffer.models = []
        defer { buffer.models = models }
        let count = models.count + rows.rowCount
        if models.capacity < count { models.reserveCapacity(Swift.max(count, models.capacity * 2)) }
        var reader = RowReader(rows, row: 0, loader: loader, parents: parents)
        for row in 0..<rows.rowCount {
            reader.start = row * rows.columnCount
            models.append(try Self(row: reader))
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

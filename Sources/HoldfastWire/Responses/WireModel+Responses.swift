public import HoldfastStorage

extension WireModel {
    /// Reads the answer to a sync or list query.
    ///
    /// Records are judged one by one: what is wrong with one of them is a fault of ``RemoteItems`` and no error.
    ///
    /// - Throws: ``WireError`` with the place if the answer as a whole is not one.
    public func page(
        _ body: [UInt8], limits: JSONLimits = .received
    ) throws(WireError) -> ServiceResponse<RemotePage> {
        try ServiceResponse(parsing: body, limits: limits) { (reader) throws(WireError) in
            var items: RemoteItems?
            var nextToken: String?
            var startedAt: Int64?
            try reader.object { (reader, name) throws(WireError) in
                switch name {
                case "items":
                    var records = RecordReader(layout)
                    if !reader.isNull() {
                        try reader.array { (reader, index) throws(WireError) in records.record(at: index, &reader) }
                    }
                    items = records.result
                case "nextToken": nextToken = reader.isNull() ? nil : try reader.string()
                case "startedAt": startedAt = reader.isNull() ? nil : try reader.integer()
                default: break
                }
            }
            guard let items else { throw WireError(.missing, "no 'items'") }
            return RemotePage(items: items, nextToken: nextToken, startedAt: startedAt)
        }
    }

    /// Reads the answer to a mutation or a get query, or the payload of a subscription's `data` frame.
    ///
    /// - Parameters:
    ///   - body: The answer.
    ///   - limits: What the answer may contain at most.
    ///   - cells: Cells by their columns, for a record that has no value there: ``cells(of:missingFor:)``.
    /// - Returns: One record, or one fault; `nil` without a record.
    /// - Throws: ``WireError`` with the place if the answer as a whole is not one.
    public func record(
        _ body: [UInt8], limits: JSONLimits = .received, filling cells: [Int: Value] = [:]
    ) throws(WireError) -> ServiceResponse<RemoteItems> {
        try ServiceResponse(parsing: body, limits: limits) { (reader) throws(WireError) in
            record(&reader, filling: cells)
        }
    }

    /// The cells of a row that an answer lacks because of its errors.
    ///
    /// An error inside a related record hides that record, and with it the key that leads to it.
    ///
    /// - Parameters:
    ///   - row: The record as it should be.
    ///   - errors: The errors of an answer with one record.
    /// - Returns: The cells, by their columns.
    public func cells(of row: [Value], missingFor errors: [ServiceError]) -> [Int: Value] {
        let members = errors.filter(\.isPartial).compactMap { $0.path?[1].string }
        let columns = members.flatMap(layout.columns(of:)).filter(row.indices.contains)
        return Dictionary(columns.map { ($0, row[$0]) }) { first, _ in first }
    }

    /// Reads the record that an error of a conflict carries.
    ///
    /// AppSync does not read the relations of this record, so that one without a value says nothing about its key.
    ///
    /// - Returns: One record, or one fault; `nil` without a record, and if the record may lack the key of a relation.
    public func record(of error: ServiceError) -> RemoteItems? {
        guard let data = error.data, let record = data.object else { return nil }
        if record["_deleted"] != true, layout.relationsWithKeys.contains(where: { record[$0]?.object == nil }) {
            return nil
        }
        return self.record(json: data.text)
    }

    /// Reads a record from the text that a ``RemoteFault`` has kept.
    ///
    /// - Returns: One record, or one fault; `nil` for text that is not JSON.
    public func record(json: String) -> RemoteItems? {
        let limits = JSONLimits(bytes: .max, depth: 512, values: .max)
        return try? JSONReader.read(json, limits: limits) { (reader) throws(WireError) in record(&reader) }
    }

    private func record(_ reader: inout JSONReader, filling cells: [Int: Value] = [:]) -> RemoteItems {
        var records = RecordReader(layout, filling: cells)
        records.record(at: 0, &reader)
        return records.result
    }
}

public import HoldfastStorage

extension WireModel {
    /// The input of a mutation: the key, the fields to write, and the version on which the change is based.
    ///
    /// - Parameters:
    ///   - mutation: A creation sends all fields that have a value; an update the changed ones, null where they have
    ///     none; a deletion only the key. Fields that only the service writes are never sent, and neither is an owner
    ///     that is null. Of the sort fields of an index with several, the service wants all with one.
    ///   - row: The record's cells, in the order of ``WireModel/columns``.
    ///   - changedFields: The columns that an update changed, by their names in the store; unknown names are left out.
    ///   - version: The version on which the change is based; `nil` if the service does not know the record.
    /// - Returns: The input, or `nil` for an update that has nothing to send.
    public func input(
        for mutation: WireMutation, row: some RandomAccessCollection<Value>, changedFields: [String] = [],
        version: Int64? = nil
    ) -> JSONObject? {
        var input = JSONObject()
        var isEmpty = true
        let changed = mutation == .update ? joined(changedFields) : []
        for (position, column) in columns.enumerated() {
            let value = row[row.index(row.startIndex, offsetBy: position)]
            if !keyColumns.contains(position) {
                switch mutation {
                case .create where value.isNull: continue
                case .create: break
                case .update where !changed.contains(column.name): continue
                case .update: break
                case .delete: continue
                }
                if !sends(value, in: position) { continue }
            }
            isEmpty = isEmpty && keyColumns.contains(position)
            input.append(unique: column.wireName, WireValue(value, of: column.type))
        }
        if mutation == .update && isEmpty { return nil }
        if let version { input.append(unique: "_version", .integer(version)) }
        return input
    }

    /// Whether an update sends a value: not what only the service writes, and no owner that is null, which the service
    /// knows better.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - column: The position of its column in ``WireModel/columns``.
    /// - Returns: Whether it is a member of the input of an update that changes the column.
    public func sends(_ value: Value, in column: Int) -> Bool {
        !columns[column].isReadOnly && !(value.isNull && ownerFields.contains(columns[column].name))
    }

    /// The changed fields and those that the service wants with them.
    private func joined(_ changedFields: [String]) -> Set<String> {
        var changed = Set(changedFields)
        for fields in jointFields where fields.contains(where: changed.contains) { changed.formUnion(fields) }
        return changed
    }
}

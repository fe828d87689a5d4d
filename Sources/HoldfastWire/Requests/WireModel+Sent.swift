public import HoldfastStorage

extension WireModel {
    /// Whether a record of the service has all the values that an input would give it.
    ///
    /// Tells whether a mutation without an answer was carried out. Values are compared by their meaning: instants
    /// with any offset, embedded values with their members in any order.
    ///
    /// - Parameters:
    ///   - input: An input that was or may have been sent; see ``input(for:row:changedFields:version:)``.
    ///   - row: The service's record, in the order of ``columns``.
    /// - Returns: Also `false` for an input with a member that is not the model's.
    public func holds(_ input: JSONObject, in row: some RandomAccessCollection<Value>) -> Bool {
        input.members.allSatisfy { member in
            if member.name == "_version" { return true }
            guard let position = columns.firstIndex(where: { $0.wireName == member.name }),
                let sent = try? member.value.cell(of: columns[position].type, isLenient: true)
            else { return false }
            let value = row[row.index(row.startIndex, offsetBy: position)]
            if sent.isNull || value.isNull { return sent.isNull && value.isNull }
            return ValueOrder.compare(sent, value) == .equal
        }
    }
}

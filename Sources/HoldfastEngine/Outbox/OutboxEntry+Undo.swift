package import HoldfastStorage

extension OutboxEntry {
    /// A record with the change taken back.
    ///
    /// - Parameters:
    ///   - row: The record after the change; `nil` if there is none.
    ///   - entity: Its entity.
    /// - Returns: The record before the change, with `nil` for none; `nil` itself if that is not known.
    func undone(_ row: [Value]?, of entity: EntitySchema) -> [Value]?? {
        if before == FieldValues.noRecord { return .some(nil) }
        switch operation {
        case .create: return .some(nil)
        case .delete: return before.map { FieldValues.row($0, of: entity) }
        case .update:
            guard let before else { return nil }
            guard var row else { return nil }
            let positions = changedFields.compactMap(entity.position(of:))
            for (position, value) in zip(positions, FieldValues.values(before, positions, of: entity)) {
                row[position] = value
            }
            return row
        }
    }
}

extension [OutboxEntry] {
    /// The service's record at the version of its metadata: a record with all its changes taken back, the newest first.
    ///
    /// - Returns: As ``OutboxEntry/undone(_:of:)``.
    package func undone(_ row: [Value]?, of entity: EntitySchema) -> [Value]?? {
        var row = row
        for entry in sorted(by: { $0.position > $1.position }) {
            guard let earlier = entry.undone(row, of: entity) else { return nil }
            row = earlier
        }
        return .some(row)
    }
}

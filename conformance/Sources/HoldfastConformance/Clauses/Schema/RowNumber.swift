package import HoldfastStorage

/// A migration that gives every record of `Entry` its number: what checks of migrations run.
package enum RowNumber {
    /// `Entry` with the required field `row`.
    static let target = EntitySchema.entries.adding(FieldSchema("row", .int, isRequired: true))

    /// The migration.
    ///
    /// - Parameter visit: Told the number of each record before it is migrated.
    /// - Returns: A migration with one step, from the entity `Entry` to ``target``.
    static func migration(
        _ visit: @escaping @Sendable (Int) throws(StorageError) -> Void
    ) -> SchemaMigration {
        SchemaMigration(steps: [
            SchemaMigration.Step(from: .entries, to: target) { row throws(StorageError) in
                let number = Self.number(of: row)
                try visit(number)
                return row + [.integer(Int64(number))]
            }
        ])
    }

    /// The number in the key of a record.
    package static func number(of row: [Value]) -> Int {
        guard case .text(let id) = row[0] else { return -1 }
        return Int(id.dropFirst()) ?? -1
    }

    /// The records of some numbers after the migration.
    static func rows(_ numbers: Range<Int>) -> [[Value]] {
        numbers.map { EntitySchema.entryRow($0) + [.integer(Int64($0))] }
    }
}

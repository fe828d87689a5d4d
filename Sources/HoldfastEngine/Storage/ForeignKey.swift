import HoldfastStorage

/// The columns of one entity that hold the key of another.
struct ForeignKey: Sendable {
    /// The entity that has the columns.
    let child: EntitySchema
    /// The relation's field in the model.
    let field: String
    /// The positions of the columns in the child's row, in the order of the parent's key.
    let columns: [Int]
    /// The entity whose key they hold.
    let parent: EntitySchema
    /// Whether the child belongs to the parent and is deleted with it; `false` where a has-one relation holds the key.
    let isOwned: Bool

    /// The index whose first fields are the columns; relations have one.
    var index: IndexSchema? {
        let names = columns.map { child.fields[$0].name }
        return child.indexes.first { $0.fields.starts(with: names) }
    }

    /// The parent's key in a row of the child, or `nil` if the relation is empty.
    func parentKey(_ rows: RowBuffer, _ row: Int) -> RecordKey? { rows.key(row, columns) }

    /// Whether a row clears the relation of the stored one; cells of the key that it keeps are fields of their own.
    func isCleared(by rows: RowBuffer, _ row: Int, over existing: RowBuffer) -> Bool {
        parentKey(rows, row) == nil && parentKey(existing, row) != nil
            && columns.allSatisfy { rows[row, $0].isNull || rows[row, $0] == existing[row, $0] }
    }

    /// Selects the children of any of some parents.
    func isAny(of keys: some Sequence<RecordKey>) -> Predicate {
        .isAny(of: keys, in: columns.map { child.fields[$0].name })
    }
}

extension RowBuffer {
    /// The key that columns of a row hold, or `nil` if one of them is null.
    func key(_ row: Int, _ columns: [Int]) -> RecordKey? {
        var components: [Value] = []
        components.reserveCapacity(columns.count)
        for column in columns {
            let value = self[row, column]
            if value.isNull { return nil }
            components.append(value)
        }
        return RecordKey(components)
    }
}

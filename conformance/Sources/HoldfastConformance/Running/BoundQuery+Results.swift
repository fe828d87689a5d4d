package import HoldfastStorage

extension BoundQuery {
    /// The results among all records, not yet projected; each part of the evaluation can be replaced by a wrong one.
    ///
    /// - Parameters:
    ///   - records: Every record of the entity, all fields, in key order.
    ///   - matches: Which records; by the predicate by default.
    ///   - compare: In which order; the total order by default. Equal records stay in key order.
    ///   - isAfter: Which records come after the cursor.
    ///   - offset: How many to skip.
    ///   - limit: At most how many; `.max` for all.
    /// - Returns: The selected records, all fields, in the order asked for.
    package func results(
        of records: [StoredRow], where matches: (([Value]) -> Bool)? = nil,
        by compare: (([Value], [Value]) -> Ordering)? = nil, after isAfter: (([Value]) -> Bool)? = nil,
        offset: Int? = nil, limit: Int? = nil
    ) -> [StoredRow] {
        var rows = records.filter { matches?($0.cells) ?? predicate.matches($0.cells) }
        rows.sort { left, right in
            (compare?(left.cells, right.cells) ?? self.compare(left.cells, right.cells)) == .ascending
        }
        rows = rows.filter { isAfter?($0.cells) ?? isAfterCursor($0.cells) }
        return Array(rows.dropFirst(offset ?? self.offset).prefix(limit ?? self.limit ?? .max))
    }

    /// Compares two records in the total order.
    package func compare(_ left: [Value], _ right: [Value]) -> Ordering {
        left.withUnsafeBufferPointer { left in right.withUnsafeBufferPointer { compare(left, $0) } }
    }

    /// Whether a record comes after the cursor.
    package func isAfterCursor(_ row: [Value]) -> Bool { row.withUnsafeBufferPointer { isAfterCursor($0) } }

    /// The position of the first sort criterion that is not part of the key, if there is one.
    package var firstSortPosition: Int? {
        order.first { !entity.primaryKeyPositions.contains($0.position) }?.position
    }

    /// Whether the sort's first criterion or the predicate's only comparison is the first field of an index.
    package var mayUseIndex: Bool {
        var positions = [firstSortPosition]
        switch predicate {
        case .compare(let position, _, _), .between(let position, _, _), .isIn(let position, _),
            .beginsWith(let position, _):
            positions.append(position)
        default: break
        }
        return positions.contains { position in
            position.map { position in
                entity.indexes.contains { $0.fields.first == entity.fields[position].name }
            } ?? false
        }
    }

    /// The result row of a record.
    package func projected(_ row: StoredRow) -> StoredRow {
        StoredRow(projection.map { row.cells[$0] }, version: row.version)
    }
}

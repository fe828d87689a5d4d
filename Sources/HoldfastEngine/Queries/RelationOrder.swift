import HoldfastStorage

/// An order by values of related records or parts of embedded values; ties are in key order.
struct RelationOrder: Sendable {
    /// One criterion.
    struct Key: Sendable {
        /// The relations that lead to the record with the value; none for the record itself.
        let steps: [RelationStep]
        /// The values there.
        let values: Values
        /// Whether the largest comes first, and nulls last.
        let isDescending: Bool
    }

    /// Where the values of a criterion are in a row.
    enum Values: Sendable {
        /// In columns.
        case columns([Int])
        /// In an embedded value, not in a list.
        case embedded(EmbeddedPath)

        /// How many there are.
        var count: Int { if case .columns(let columns) = self { columns.count } else { 1 } }

        /// The values of a row, nulls for none.
        func values(in rows: RowBuffer, _ row: Int?) -> [Value] {
            guard let row else { return Array(repeating: .null, count: count) }
            return switch self {
            case .columns(let columns): columns.map { rows[row, $0] }
            case .embedded(let path): rows.withRow(row, path.values)
            }
        }
    }

    /// A row with the values by which it is sorted.
    struct Entry: Sendable {
        /// The values of all criteria, then the primary key.
        let values: [Value]
        let row: [Value]
        let version: UInt64
    }

    /// The entity whose records are sorted.
    let entity: EntitySchema
    /// The criteria, most significant first.
    let keys: [Key]

    /// The entities at the ends and on the way.
    var relatedEntities: Set<String> { Set(keys.flatMap { $0.steps.map(\.related.entity.name) }) }

    /// Whether one row comes before another.
    func isAscending(_ left: Entry, _ right: Entry) -> Bool {
        var index = 0
        for key in keys {
            for _ in 0..<key.values.count {
                let ordering = ValueOrder.compare(left.values[index], right.values[index])
                if ordering != .equal { return (ordering == .ascending) != key.isDescending }
                index += 1
            }
        }
        for index in index..<left.values.count {
            let ordering = ValueOrder.compare(left.values[index], right.values[index])
            if ordering != .equal { return ordering == .ascending }
        }
        return false
    }

    /// The rows of a page with the values by which they are sorted, related records read with one query per step.
    func entries(
        _ rows: RowBuffer, from source: any RecordSource, limits: Capabilities.Limits
    ) async throws -> [Entry] {
        var values = Array(repeating: [Value](), count: rows.rowCount)
        for key in keys {
            var buffer = rows
            var relatedRows = (0..<rows.rowCount).map { Int?($0) }
            for step in key.steps {
                let related = relatedRows.map { $0.flatMap { step.ownKey(in: buffer, $0) } }
                let (found, byKey) = try await Self.related(Set(related.compactMap(\.self)), step, source, limits)
                buffer = found
                relatedRows = related.map { $0.flatMap { byKey[$0] } }
            }
            for (row, relatedRow) in relatedRows.enumerated() {
                values[row] += key.values.values(in: buffer, relatedRow)
            }
        }
        return values.indices.map { row in
            let keyCells = entity.primaryKeyPositions.map { rows[row, $0] }
            return Entry(values: values[row] + keyCells, row: Array(rows[row]), version: rows.versions[row])
        }
    }

    /// Related records by the key that both sides share; of several the first in key order.
    private static func related(
        _ keys: Set<RecordKey>, _ step: RelationStep, _ source: any RecordSource, _ limits: Capabilities.Limits
    ) async throws -> (RowBuffer, [RecordKey: Int]) {
        var found = RowBuffer(columnCount: step.related.entity.fields.count)
        var indexes: [RecordKey: Int] = [:]
        try await RelatedRowReader(source: source, limits: limits, step: step).read(keys) { rows in
            for row in 0..<rows.rowCount {
                guard let key = step.relatedKey(in: rows, row), indexes[key] == nil else { continue }
                indexes[key] = found.rowCount
                found.append(rows[row], version: rows.versions[row])
            }
            return indexes.count < keys.count
        }
        return (found, indexes)
    }
}

import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `MAP` must find: one per type and path.
    static let mapping: [Mutant] = MappedType.all.flatMap { type in
        let name = type.type == .bytes ? "bytes" : type.name.lowercased().split(separator: " ").joined(separator: "-")
        return paths(of: type, name, type.clause)
    }

    private static func paths(of type: MappedType, _ name: String, _ clause: String) -> [Mutant] {
        let last = type.values[type.values.count - 1]
        let first = type.values[0]
        // What a wrong conversion makes of the last value.
        let other = first
        return [
            Mutant(
                "mapping-column-\(name)", "One value of the type is stored as another in a column.", killedBy: clause,
                requesting: { $0.replacing(last, by: other, in: "Column", column: 1) }),
            Mutant(
                "mapping-list-\(name)", "One value of the type is stored as null in a list.", killedBy: clause,
                requesting: { $0.replacing(.list([last, last]), by: .list([last, .null]), in: "List", column: 1) }),
            Mutant(
                "mapping-list-order-\(name)", "Long lists of the type come back in order.", killedBy: clause,
                fetching: { request, rows in
                    guard request.entity == "List" else { return rows }
                    return rows.map { row in
                        guard case .list(let elements) = row.cells[1], elements.count > type.values.count else {
                            return row
                        }
                        let sorted = elements.sorted { ValueOrder.compare($0, $1) == .ascending }
                        return StoredRow([row.cells[0], .list(sorted)], version: row.version)
                    }
                }),
            Mutant(
                "mapping-key-\(name)", "A record under the last key of the type is not found by it.", killedBy: clause,
                fetching: { request, rows in
                    guard request.entity == "Key" else { return rows }
                    return zip(request.keys, rows).map { key, row in
                        key == RecordKey([last]) ? StoredRow(row.cells.map { _ in .null }, version: 0) : row
                    }
                }),
            Mutant(
                "mapping-second-key-\(name)", "The second part of a key is ordered downwards.", killedBy: clause,
                scanning: { range, rows in
                    guard range.entity == "SecondKey" else { return rows }
                    return rows.sorted { left, right in
                        let group = ValueOrder.compare(left.cells[1], right.cells[1])
                        if group != .equal { return group == .ascending }
                        return ValueOrder.compare(left.cells[0], right.cells[0]) == .descending
                    }
                }),
            Mutant(
                "mapping-operand-\(name)", "No record equals the last value of the type.", killedBy: clause,
                delivering: { query, rows in
                    guard query.entity.name == "Column", case .compare(_, .equal, last) = query.predicate else {
                        return rows
                    }
                    return []
                }),
            Mutant(
                "mapping-index-\(name)", "The index does not find the first value of the type.", killedBy: clause,
                delivering: { query, rows in
                    guard query.entity.name == "Indexed", case .compare(_, .lessOrEqual, _) = query.predicate else {
                        return rows
                    }
                    return rows.filter { $0.cells[1] != first }
                }),
            Mutant(
                "mapping-element-\(name)", "No list contains the first value of the type.", killedBy: clause,
                delivering: { query, rows in
                    guard case .containsElement(_, first) = query.predicate else { return rows }
                    return []
                }),
            Mutant(
                "mapping-sort-\(name)", "The last two values of the type change places in a sort.", killedBy: clause,
                delivering: { query, rows in
                    guard query.entity.name == "Column", query.firstSortPosition == 1, query.after == nil,
                        rows.count > 2
                    else { return rows }
                    var rows = rows
                    rows.swapAt(rows.count - 1, rows.count - 2)
                    return rows
                }),
            Mutant(
                "mapping-cursor-\(name)", "After a cursor at the last value of the type, records come again.",
                killedBy: clause,
                answering: { query, records in
                    guard let value = query.after?.first, value == last, query.firstSortPosition != nil else {
                        return query.results(of: records)
                    }
                    return query.results(of: records, after: { _ in true })
                }),
            Mutant(
                "mapping-aggregate-\(name)", "The maximum of the type is its minimum.", killedBy: clause,
                computing: { aggregate, values in
                    guard let minimum = aggregate.functions.firstIndex(of: .minimum(1)) else { return values }
                    return zip(aggregate.functions, values).map { function, value in
                        if case .maximum = function { values[minimum] } else { value }
                    }
                }),
        ]
    }
}

extension CommitRequest {
    /// The same with one cell in place of another; `nil` if it does not occur.
    fileprivate func replacing(_ old: Value, by new: Value, in entity: String, column: Int) -> CommitRequest? {
        changing { operation in
            guard operation.entity == entity else { return nil }
            return operation.changingRows { rows in
                rows.map { row in
                    var row = row
                    if row[column] == old { row[column] = new }
                    return row
                }
            }
        }
    }
}

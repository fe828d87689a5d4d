import HoldfastConformance
import HoldfastStorage

/// A query answered in memory over a scan of everything, with parts that a mutant replaces.
struct DamagedQuery: Sendable {
    /// The truth of a part of the predicate for a row of all fields; `nil` where the mutant does not apply.
    typealias Truth = @Sendable (BoundPredicate, [Value], BoundQuery) -> Bool?
    /// The order of two cells of a field, before the direction is applied; `nil` where the mutant does not apply.
    typealias CellOrder = @Sendable (Value, Value, FieldSchema) -> Ordering?

    private let query: BoundQuery
    private let truth: Truth?
    private let cellOrder: CellOrder?
    private let trigger: MutantTrigger

    init(_ query: BoundQuery, truth: Truth? = nil, cellOrder: CellOrder? = nil, trigger: MutantTrigger) {
        self.query = query
        self.truth = truth
        self.cellOrder = cellOrder
        self.trigger = trigger
    }

    func run(_ snapshot: any AdapterSnapshot) async throws(StorageError) -> RowsScan {
        var rows = try await snapshot.allRows(KeyRange(query.entity.name)).filter { row in
            let answer = matches(query.predicate, row.cells)
            if answer != query.predicate.matches(row.cells) { trigger.fire() }
            return answer
        }
        // A stable sort, whatever a wrong order does.
        rows = rows.enumerated().sorted { left, right in
            let ordering = compare(query.order.map { left.element.cells[$0.position] }, right.element.cells)
            return ordering == .equal ? left.offset < right.offset : ordering == .ascending
        }.map(\.element)
        if let after = query.after { rows = rows.filter { compare(after, $0.cells) == .ascending } }
        return RowsScan(
            rows: rows.dropFirst(query.offset).prefix(query.limit ?? .max).map { query.projected($0) },
            columnCount: query.projection.count)
    }

    private func matches(_ predicate: BoundPredicate, _ row: [Value]) -> Bool {
        if let answer = truth?(predicate, row, query) { return answer }
        return switch predicate {
        case .not(let inner): !matches(inner, row)
        case .and(let all): all.allSatisfy { matches($0, row) }
        case .or(let any): any.contains { matches($0, row) }
        default: predicate.matches(row)
        }
    }

    /// Compares a position in the total order with a row.
    private func compare(_ position: [Value], _ row: [Value]) -> Ordering {
        for (key, left) in zip(query.order, position) {
            let right = row[key.position]
            var ordering = ValueOrder.compare(left, right)
            if let damaged = cellOrder?(left, right, query.entity.fields[key.position]) {
                if damaged != ordering { trigger.fire() }
                ordering = damaged
            }
            if ordering != .equal { return key.isDescending ? ordering.reversed : ordering }
        }
        return .equal
    }
}

import HoldfastConformance
import HoldfastStorage

/// A query evaluated on rows in memory, with one seeded defect.
struct FaultyQuery {
    let query: BoundQuery
    let defect: ModelDefect

    /// The result rows, projected.
    func results(_ records: [StoredRow]) -> [StoredRow] {
        let predicate = damaged(query.predicate)
        var rows = records.filter { matches(predicate, $0.cells) }
        if defect == .noKeyTieBreak { rows.reverse() }
        rows = rows.enumerated().sorted { left, right in
            let ordering = compare(left.element.cells, right.element.cells)
            return ordering == .equal ? left.offset < right.offset : ordering == .ascending
        }.map(\.element)
        rows = rows.filter { isBehindCursor($0.cells) }
        if query.offset > 0 {
            rows = Array(rows.dropFirst(defect == .offsetBeforeCursorIgnored ? query.offset - 1 : query.offset))
        }
        if let limit = query.limit, !(limit == 0 && defect == .limitZeroIsAll) { rows = Array(rows.prefix(limit)) }
        if defect == .rowLostBeyondFifty && rows.count > 50 { rows.remove(at: 50) }
        return rows.map { row in StoredRow(query.projection.map { row.cells[$0] }, version: row.version) }
    }

    private func compare(_ left: [Value], _ right: [Value]) -> Ordering {
        for key in query.order {
            if defect == .noKeyTieBreak && !query.isKeyOrder
                && query.entity.primaryKeyPositions.contains(key.position)
            {
                continue
            }
            var ordering = ValueOrder.compare(left[key.position], right[key.position])
            if defect == .nullsLast && left[key.position].isNull != right[key.position].isNull {
                ordering = ordering.reversed
            }
            if ordering != .equal { return key.isDescending ? ordering.reversed : ordering }
        }
        return .equal
    }

    private func isBehindCursor(_ row: [Value]) -> Bool {
        if defect == .cursorSkipsNulls, let after = query.after,
            zip(query.order, after).contains(where: { row[$0.position].isNull || $1.isNull })
        {
            return false
        }
        return row.withUnsafeBufferPointer(query.isBehindCursor)
    }

    private func damaged(_ predicate: BoundPredicate) -> BoundPredicate {
        switch predicate {
        case .not(let inner): defect == .notDropped ? damaged(inner) : .not(damaged(inner))
        case .and(let all): .and(all.map(damaged))
        case .or(let any): any.isEmpty && defect == .emptyOrIsTrue ? .constant(true) : .or(any.map(damaged))
        default: predicate
        }
    }

    private func matches(_ predicate: BoundPredicate, _ row: [Value]) -> Bool {
        switch (predicate, defect) {
        case (.not(let inner), _): return !matches(inner, row)
        case (.and(let all), _): return all.allSatisfy { matches($0, row) }
        case (.or(let any), _): return any.contains { matches($0, row) }
        case (.compare(let position, .equal, .text(let operand)), .caseInsensitiveEquality):
            guard case .text(let text) = row[position] else { return false }
            return text.lowercased() == operand.lowercased()
        case (.compare(let position, .notEqual, _), .notEqualSkipsNull):
            return !row[position].isNull && predicate.matches(row)
        case (.containsText(let position, let needle), .wildcardsInNeedles):
            guard case .text(let text) = row[position] else { return false }
            if needle == "%" { return true }
            return needle == "_" ? !text.isEmpty : predicate.matches(row)
        default: return predicate.matches(row)
        }
    }
}

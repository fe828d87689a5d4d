public import HoldfastStorage

/// Chooses how to reach the records of a query in a back end of ordered keys.
///
/// A pure function of the plan: it knows no statistics. The first of these that distinguishes two paths decides:
///
/// 1. all fields of the primary key, or of a unique index, are fixed to one value or a few (`isIn`);
/// 2. more leading fields are fixed to one value;
/// 3. more leading fields are fixed to a few values;
/// 4. the next field has a range with two ends, then with one;
/// 5. the scan delivers the query's order, then its order with reversed runs, so that nothing is sorted;
/// 6. the primary key before the indexes, these in schema order.
public enum IndexPlanner {
    /// The most ranges a path has; an `isIn` that would need more becomes one range around its values.
    public static let maximumRangeCount = 1_024

    /// Chooses the path of a query.
    ///
    /// - Returns: A path whose ranges also leave out what lies before the query's cursor, where the order allows it.
    /// - Complexity: O(size of the predicate × number of indexes).
    public static func plan(_ query: BoundQuery) -> AccessPath {
        let constraints = FieldConstraints(query.predicate)
        if constraints.areImpossible || query.limit == 0 {
            return AccessPath(source: .primaryKey, ranges: [], order: .total)
        }
        var best = Candidate(.primaryKey, query, constraints)
        for (index, positions) in query.entity.indexPositions.enumerated() {
            // Without a condition on its first field an index offers only an order.
            if !best.isLowest, let first = positions.first, constraints[first] == nil { continue }
            let other = Candidate(.index(index), query, constraints)
            if best.rank < other.rank { best = other }
        }
        return best.path(query, constraints)
    }
}

/// One way to answer a query, with what recommends it.
private struct Candidate {
    let source: AccessPath.Source
    /// The positions of an entry's components.
    let components: [Int]
    let isReversed: Bool
    let order: AccessPath.Order
    /// The leading fields of the query's order, in one direction, in which the scan follows it.
    let orderedPositions: [Int]
    /// Greater is better, the first difference decides.
    let rank: (key: Int, pinned: Int, points: Int, ends: Int, order: Int)
    private let ranges: [ByteRange]

    /// Whether it has nothing to recommend it, unless another path is in a better order.
    var isLowest: Bool { (rank.key, rank.pinned, rank.points, rank.ends) == (0, 0, 0, 0) && order != .total }

    init(_ source: AccessPath.Source, _ query: BoundQuery, _ constraints: FieldConstraints) {
        self.source = source
        let entity = query.entity
        var keyFieldCount: Int?
        switch source {
        case .primaryKey:
            components = entity.primaryKeyPositions
            keyFieldCount = components.count
        case .index(let index):
            let fields = entity.indexPositions[index]
            components = fields + entity.primaryKeyPositions
            let canRepeat = fields.contains { constraints[$0]?.points?.contains(where: \.isNull) ?? false }
            if entity.indexes[index].isUnique && !canRepeat { keyFieldCount = fields.count }
        }

        var prefixes: [[UInt8]] = [[]]
        var (pinnedCount, pointsCount, endCount) = (0, 0, 0)
        var open: FieldConstraints.Field?
        /// The last component with several values; each of them has ranges of its own.
        var split: Int?
        for position in components {
            guard let field = constraints[position] else { break }
            let isRepeated = components.prefix(pointsCount).contains(position)
            guard let points = field.points, field.pinned != nil || !isRepeated,
                prefixes.count * points.count <= IndexPlanner.maximumRangeCount
            else {
                open = field
                break
            }
            if pinnedCount == pointsCount && points.count == 1 { pinnedCount += 1 }
            pointsCount += 1
            if points.count > 1 { split = position }
            let encoded = points.map { KeyCodec.encode([$0]) }
            prefixes = prefixes.flatMap { prefix in encoded.map { prefix + $0 } }
        }
        if var open {
            if let points = open.points, let first = points.first, let last = points.last {
                open.lower = KeyCodec.encode([first])
                open.upper = KeyCodec.successor(of: KeyCodec.encode([last]))
            }
            endCount = open.endCount
            ranges = prefixes.map { prefix in
                ByteRange(
                    from: prefix + (open.lower ?? []),
                    to: open.upper.map { prefix + $0 } ?? KeyCodec.successor(of: prefix))
            }
        } else {
            ranges = prefixes.map(ByteRange.init(prefix:))
        }

        (order, isReversed, orderedPositions) = Self.order(components, split, query, constraints)
        let orderRank =
            switch order {
            case .total: 2
            case .totalWithReversedRuns: 1
            case .unordered: 0
            }
        let isKey = keyFieldCount.map { pointsCount >= $0 } ?? false
        rank = (isKey ? 1 : 0, pinnedCount, pointsCount, endCount, orderRank)
    }

    func path(_ query: BoundQuery, _ constraints: FieldConstraints) -> AccessPath {
        let inside = afterCursor(query, constraints)
        return AccessPath(
            source: source, ranges: ranges.map { $0.intersection(inside) }.filter { !$0.isEmpty },
            isReversed: isReversed, order: order)
    }

    /// How a scan over entries of these components agrees with the query's order; `split` is the last of them for which
    /// several ranges are scanned.
    private static func order(
        _ components: [Int], _ split: Int?, _ query: BoundQuery, _ constraints: FieldConstraints
    ) -> (AccessPath.Order, isReversed: Bool, [Int]) {
        // Fields in which all records delivered so far equal each other, or that the scan has put in order.
        var covered = constraints.fields.compactMap { $0.field.pinned == nil ? nil : $0.position }
        var rest = components[...]
        var matched: [BoundQuery.OrderKey] = []
        for key in query.order where !covered.contains(key.position) {
            if identifiesRecord(covered, query.entity, constraints) { break }
            rest = rest.drop { covered.contains($0) }
            guard rest.popFirst() == key.position else { return (.unordered, false, []) }
            matched.append(key)
            covered.append(key.position)
        }
        guard let isReversed = matched.first?.isDescending else { return (.total, false, []) }
        let run = matched.prefix { $0.isDescending == isReversed }.map(\.position)
        let others = matched.dropFirst(run.count)
        if others.isEmpty { return (.total, isReversed, run) }
        guard others.allSatisfy({ $0.isDescending != isReversed }) else { return (.unordered, false, []) }
        // A field behind the run with several values spreads each run over several ranges, and an adapter turns around
        // what lies in one. Every component before the end of the run is pinned or part of the run, so only a split
        // behind it matters.
        if let split, !run.contains(split) { return (.unordered, false, []) }
        return (.totalWithReversedRuns(run), isReversed, run)
    }

    /// Whether two records cannot agree in all these fields.
    private static func identifiesRecord(
        _ positions: [Int], _ entity: EntitySchema, _ constraints: FieldConstraints
    ) -> Bool {
        if entity.primaryKeyPositions.allSatisfy(positions.contains) { return true }
        return zip(entity.indexes, entity.indexPositions).contains { index, fields in
            index.isUnique
                && fields.allSatisfy { position in
                    let isNeverNull =
                        entity.fields[position].isRequired || !(constraints[position]?.pinned?.isNull ?? true)
                    return isNeverNull && positions.contains(position)
                }
        }
    }

    /// A range that holds every entry after the query's cursor.
    private func afterCursor(_ query: BoundQuery, _ constraints: FieldConstraints) -> ByteRange {
        guard let after = query.after else { return .all }
        var cursorValues: [Int: Value] = [:]
        for (key, value) in zip(query.order, after) {
            if let pinned = constraints[key.position]?.pinned {
                // A cursor beside the pinned value says nothing about the fields after it.
                if !ValueOrder.areEqual(pinned, value) { return .all }
            } else if orderedPositions.contains(key.position) {
                cursorValues[key.position] = value
            }
        }
        var prefix: [UInt8] = []
        var isAtCursor = false
        for position in components {
            if let pinned = constraints[position]?.pinned {
                KeyCodec.append(pinned, to: &prefix)
            } else if let value = cursorValues[position] {
                KeyCodec.append(value, to: &prefix)
                isAtCursor = true
            } else {
                break
            }
        }
        guard isAtCursor else { return .all }
        return isReversed
            ? ByteRange(from: [], to: KeyCodec.successor(of: prefix)) : ByteRange(from: prefix, to: nil)
    }
}

import HoldfastAdapterKit
import HoldfastConformance
import HoldfastStorage

/// Random posts, and what a path over their keys delivers.
struct PlannerRows {
    let rows: [[Value]]

    init(schema: StorageSchema, random: inout SplitMix64) {
        rows = (0..<60).map { number in
            [
                .text("p\(number)"), Self.text(&random), Self.integer(&random), .text("s\((number * 37) % 60)"),
                number % 3 == 0 ? .null : .text("a\((number * 17) % 60)"),
            ]
        }
    }

    static func text(_ random: inout SplitMix64) -> Value {
        [.null, .text(""), .text("a"), .text("ab"), .text("b")].randomElement(using: &random) ?? .null
    }

    static func integer(_ random: inout SplitMix64) -> Value {
        Int.random(in: 0..<5, using: &random) == 0 ? .null : .integer(.random(in: -2...2, using: &random))
    }

    /// The rows, by number, in the order in which a path delivers them.
    func scan(_ path: AccessPath, _ entity: EntitySchema) -> [Int] {
        var positions: [Int] = []
        if case .index(let index) = path.source {
            positions = entity.indexes[index].fields.compactMap(entity.position(of:))
        }
        positions += entity.primaryKeyPositions
        let entries = rows.indices.map { row in (KeyCodec.encode(positions.map { rows[row][$0] }), row) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
        var parts = path.ranges.map { range in entries.filter { range.contains($0.0) }.map(\.1) }
        if path.isReversed { parts = parts.reversed().map { Array($0.reversed()) } }
        guard case .totalWithReversedRuns(let fields) = path.order else { return parts.flatMap { $0 } }
        // Range by range, as adapters do.
        return parts.flatMap { turningRuns($0, of: fields) }
    }

    /// The rows with each run turned around that agrees in some fields.
    private func turningRuns(_ scanned: [Int], of fields: [Int]) -> [Int] {
        var result: [Int] = []
        var run: [Int] = []
        for row in scanned {
            if let first = run.first, !fields.allSatisfy({ ValueOrder.areEqual(rows[first][$0], rows[row][$0]) }) {
                result += run.reversed()
                run = []
            }
            run.append(row)
        }
        return result + run.reversed()
    }

    /// The rows, by number, that a query selects, in its order; limit and offset ignored.
    func answer(_ query: BoundQuery) -> [Int] {
        rows.indices.filter { query.predicate.matches(rows[$0]) }
            .filter { rows[$0].withUnsafeBufferPointer(query.isAfterCursor) }
            .sorted { left, right in
                rows[left].withUnsafeBufferPointer { left in
                    rows[right].withUnsafeBufferPointer { query.compare(left, $0) == .ascending }
                }
            }
    }

    func randomPlan(_ random: inout SplitMix64) -> QueryPlan {
        let fields = ["author", "rank", "slug", "alias", "id"]
        // Often in the order of an index, which a shuffled list has seldom.
        let sorted = Bool.random(using: &random) ? fields : fields.shuffled(using: &random)
        let sort = sorted.prefix(Int.random(in: 0...3, using: &random)).map {
            SortKey($0, Bool.random(using: &random) ? .ascending : .descending)
        }
        let predicates = (0..<Int.random(in: 0...3, using: &random)).map { _ in randomPredicate(&random) }
        var plan = QueryPlan("Post", where: .and(predicates), sort: sort)
        if Bool.random(using: &random) {
            let values = ["id", "author", "rank", "slug", "alias"]
            let row = rows.randomElement(using: &random) ?? []
            // Not always the place of a record that exists.
            let order = sort.map(\.field) + (sort.contains { $0.field == "id" } ? [] : ["id"])
            plan.after = Cursor(
                order.map { field in
                    Int.random(in: 0..<6, using: &random) == 0 && field == "rank"
                        ? Self.integer(&random) : row[values.firstIndex(of: field) ?? 0]
                })
        }
        return plan
    }

    private func randomPredicate(_ random: inout SplitMix64) -> Predicate {
        let comparison = Predicate.Comparison.allCases.randomElement(using: &random) ?? .equal
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: return .compare("author", comparison, Self.text(&random))
        case 2, 3: return .compare("rank", comparison, Self.integer(&random))
        case 4: return .isIn("rank", (0..<3).map { _ in Self.integer(&random) })
        case 5: return .isIn("author", (0..<2).map { _ in Self.text(&random) })
        case 6: return .between("rank", Self.integer(&random), Self.integer(&random))
        case 7: return .beginsWith("author", ["", "a", "ab"].randomElement(using: &random) ?? "")
        case 8: return .compare("slug", comparison, .text("s\(Int.random(in: 0..<60, using: &random))"))
        case 9, 10:
            return .and([
                .isIn("author", (0..<3).map { _ in Self.text(&random) }),
                .isIn("rank", (0..<3).map { _ in Self.integer(&random) }),
            ])
        default:
            return .compare("alias", comparison, Bool.random(using: &random) ? .null : .text("a17"))
        }
    }
}

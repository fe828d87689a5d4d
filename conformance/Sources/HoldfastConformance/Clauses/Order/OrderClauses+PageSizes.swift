import HoldfastStorage

extension Clause {
    /// The sizes of pages.
    static let orderOfPageSizes: [Clause] = [
        Clause(
            "ORD-022",
            "Each page by cursor is exactly its part of the whole: never longer than its limit, and shorter at the end only, "
                + "also where a page goes from values to nulls or back.",
            level: .query,
            catches: "Values and nulls are read by two statements, and each of them gets the whole limit.",
            witness: "pages compared with their part of the whole"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows: [[Value]] = (0..<130).map { number in
                let isNull = number % 13 < 6
                return [
                    .text(Items.id(number)), isNull ? .null : .integer(Int64(number * 7 % 11)),
                    number % 3 == 0 || isNull ? .null : .text("t\(number % 4)"),
                    number < 65 ? .null : .double(Double(number)), .boolean(number % 2 == 0),
                ]
            }
            for entity in ["Item", "Indexed"] {
                try await store.putShuffled(entity, rows, seed: context.seed)
                let schema = try store.store.schema.entity(named: entity)
                let sorts: [[SortKey]] = [[]] + Items.sorts
                let conditions: [Predicate] = [.all, .compare("done", .equal, .boolean(true))]
                for (sort, condition) in sorts.flatMap({ sort in conditions.map { (sort, $0) } }) {
                    let plan = QueryPlan(entity, where: condition, sort: sort)
                    let whole = try await store.rows(plan)
                    for size in [7, 20, 33, 64] {
                        var page = plan
                        page.limit = size
                        for start in stride(from: 0, to: whole.count, by: size) {
                            let expected = Array(whole[start..<min(start + size, whole.count)])
                            let found = try await store.rows(page)
                            try context.expect(
                                found == expected,
                                "\(SwiftText.query(page)): \(SwiftText.difference(found, expected))")
                            page.after = Cursor(after: expected[expected.count - 1], of: schema, sortedBy: sort)
                            context.witness()
                        }
                        try context.expectEqual(try await store.rows(page), [], "the page after the last one")
                    }
                }
            }
        }
    ]
}

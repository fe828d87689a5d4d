import HoldfastStorage

extension Clause {
    /// Indexes that change under their name.
    static let schemaOfChangedIndexes: [Clause] = [
        Clause(
            "SCH-021",
            "An index that gets other fields under its old name, or the same in another order, finds old and new records: "
                + "conditions, sorts and pages over it are right.",
            requires: .persistence,
            catches: "The index keeps its old entries, since one of its name exists.",
            witness: "questions answered after an index changed"
        ) { context in
            let fields: [[String]] = [
                ["rank"], ["title"], ["title", "rank"], ["rank", "title"], ["price", "title"], ["rank"],
            ]
            func schema(_ fields: [String]) throws -> StorageSchema {
                try StorageSchema(entities: [
                    EntitySchema("Item", fields: EntitySchema.items().fields, indexes: [IndexSchema("one", on: fields)])
                ])
            }
            let all = Items.mixed(180, seed: context.seed &+ 21)
            var rows: [[Value]] = []
            var store = try await context.open(try schema(fields[0]))
            for (number, next) in fields.enumerated() {
                if number > 0 {
                    store = try await store.reopen(try schema(next))
                    // Before anything is written: only what the change of the index did with old records counts.
                    try await expectAnswers(store, rows, context)
                }
                let new = Array(all[number * 30..<(number + 1) * 30])
                // Some old records get other cells, most stay as they are.
                let changed = stride(from: number, to: rows.count, by: 17).map { index in
                    [rows[index][0]] + all[(index + 40 + number) % 180][1...]
                }
                for row in changed { rows[rows.firstIndex { $0[0] == row[0] } ?? 0] = row }
                rows += new
                try await store.put("Item", changed + new)
                try await expectAnswers(store, rows, context)
            }
            try await store.expectHolds("Item", rows)
        }
    ]

    private static func expectAnswers(_ store: TestStore, _ rows: [[Value]], _ context: ClauseContext) async throws {
        let entity = try store.store.schema.entity(named: "Item")
        for sort in Items.sorts {
            try await store.expectAnswer(QueryPlan("Item", sort: sort), of: rows)
            let cursor = Cursor(after: rows[rows.count / 2], of: entity, sortedBy: sort)
            try await store.expectAnswer(QueryPlan("Item", sort: sort, limit: 9, after: cursor), of: rows)
            context.witness(2)
        }
        for row in rows.prefix(25) {
            for condition: Predicate in [
                .compare("rank", .equal, row[1]), .compare("title", .equal, row[2]),
                .and([.compare("title", .equal, row[2]), .compare("rank", .equal, row[1])]),
                .compare("price", .greaterOrEqual, row[3]), .isIn("title", [row[2], .text("b")]),
            ] {
                try await store.expectAnswer(QueryPlan("Item", where: condition), of: rows)
                context.witness()
            }
        }
    }
}

import HoldfastStorage

extension Clause {
    /// Indexes that go and come back.
    static let schemaReturning: [Clause] = [
        Clause(
            "SCH-022",
            "An index that was removed and comes back knows what was written meanwhile, and nothing that is gone.",
            requires: .persistence,
            catches: "Its entries stay when it is removed, and are taken for complete when it comes back.",
            witness: "questions answered by an index that came back", protectsData: true
        ) { context in
            let bare = EntitySchema("Entry", fields: EntitySchema.entries.fields)
            let (with, without) = (
                try StorageSchema(entities: [.entries]), try StorageSchema(entities: [bare])
            )
            var rows = EntitySchema.entryRows(0..<200)
            var store = try await context.open(with)
            try await store.put("Entry", rows)
            for round in 0..<3 {
                store = try await store.reopen(without)
                for index in stride(from: round, to: rows.count, by: 3) { rows[index][1] = .integer(Int64(20 + round)) }
                try await store.put("Entry", rows)
                let gone = rows.remove(at: 40)
                try await store.delete("Entry", [RecordKey([gone[0]])])
                let new = EntitySchema.entryRow(500 + round)
                rows.append(new)
                try await store.put("Entry", [new])
                store = try await store.reopen(with)
                for number in 0..<25 {
                    let plan = QueryPlan("Entry", where: .compare("number", .equal, .integer(Int64(number))))
                    try await store.expectAnswer(plan, of: rows)
                    context.witness()
                }
                try await store.expectAnswer(QueryPlan("Entry", sort: [SortKey("number")]), of: rows)
                try await store.expectAnswer(
                    QueryPlan("Entry", sort: [SortKey("number", .descending)], limit: 30), of: rows)
                store = try await store.expectHolds("Entry", rows)
            }
        }
    ]
}

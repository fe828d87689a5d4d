import HoldfastStorage

extension Clause {
    /// Long texts in indexes.
    static let longIndexedText: [Clause] = [
        Clause(
            "TXT-034",
            "Texts of any length are distinguished in an index up to their last byte: conditions, sorts, pages, and "
                + "uniqueness.",
            level: .query,
            catches:
                "Entries of an index are cut at some length, and what differs after it is the same or out of order.",
            witness: "questions about long texts in an index"
        ) { context in
            let isUnique = try await context.declaredCapabilities().support(for: .uniqueIndexes) != .unsupported
            func entity(_ name: String, isUnique: Bool) -> EntitySchema {
                EntitySchema(
                    name,
                    fields: [FieldSchema("id", .int), FieldSchema("text", .string), FieldSchema("number", .int)],
                    indexes: [
                        IndexSchema("byText", on: ["text"], isUnique: isUnique),
                        IndexSchema("byNumber", on: ["number", "text"]),
                    ])
            }
            let store = try await context.open(entity("Plain", isUnique: false), entity("Once", isUnique: isUnique))
            let limit = store.store.capabilities.limits.cellByteCount
            var texts: [String] = []
            for length in [250, 1_023, 1_024, 2_700, 4_096, 8_192, 65_536] where length < limit {
                let long = String(repeating: "k", count: length - 1)
                texts += [long + "b", long + "a", long + "c", long]
            }
            var rows: [[Value]] = texts.enumerated().map {
                [.integer(Int64(($0 * 7) % 29)), .text($1), .integer(Int64($0 % 2))]
            }
            rows.sort { ValueOrder.compare($0[0], $1[0]) == .ascending }
            for name in ["Plain", "Once"] {
                try await store.put(name, rows)
                let schema = try store.store.schema.entity(named: name)
                for text in texts.map(Value.text) {
                    for condition: Predicate in [
                        .compare("text", .equal, text), .compare("text", .greater, text),
                        .compare("text", .lessOrEqual, text), .isIn("text", [text, .text("k")]),
                        .and([.compare("number", .equal, .integer(1)), .compare("text", .less, text)]),
                        .between("text", .text(texts[1]), text),
                    ] {
                        try await store.expectAnswer(QueryPlan(name, where: condition, projection: ["id"]), of: rows)
                        context.witness()
                    }
                }
                for direction in [SortKey.Direction.ascending, .descending] {
                    for sort in [[SortKey("text", direction)], [SortKey("number"), SortKey("text", direction)]] {
                        for row in rows {
                            let cursor = Cursor(after: row, of: schema, sortedBy: sort)
                            let plan = QueryPlan(name, sort: sort, limit: 4, after: cursor, projection: ["id"])
                            try await store.expectAnswer(plan, of: rows)
                            context.witness()
                        }
                    }
                }
            }
            guard isUnique else { return }
            for text in texts {
                try await context.expectError(
                    .uniqueViolation, from: "a duplicate of a text of \(text.utf8.count) bytes"
                ) {
                    try await store.put("Once", [[.integer(1_000), .text(text), .null]])
                }
            }
            try await store.expectHolds("Once", rows)
        }
    ]
}

import HoldfastStorage

extension Clause {
    /// One order of text, everywhere.
    static let textOrder: [Clause] = [
        Clause(
            "TXT-010", "Text is ordered by its UTF-8 bytes, ascending and descending.", level: .query,
            catches: "Collations ignore punctuation and case, UTF-16 puts 😀 before ﬀ, Swift compares normal forms.",
            witness: "texts sorted in both directions"
        ) { context in
            let indexed = EntitySchema(
                "Indexed", fields: EntitySchema.texts.fields, indexes: [IndexSchema("byText", on: ["text"])])
            var store = try await ComparedStore(context, .texts, indexed)
            var random = SplitMix64(seed: context.seed)
            let rows = SampleText.rows(random.sample(SampleText.unordered, 1_000))
            for entity in ["Text", "Indexed"] {
                try await store.put(entity, rows)
                for direction: SortKey.Direction in [.ascending, .descending] {
                    let sort = [SortKey("text", direction)]
                    context.witness(try await store.expectAgrees(QueryPlan(entity, sort: sort)))
                    context.witness(try await store.expectAgrees(QueryPlan(entity, sort: sort, limit: 7, offset: 20)))
                }
            }
        },
        Clause(
            "TXT-011", "Conditions on ranges of text use the order of its bytes.", level: .query,
            catches: "A comparison under another collation than the sort: pages that skip, ranges with strangers.",
            witness: "ranges at every text of the list"
        ) { context in
            var store = try await ComparedStore(context, .texts)
            try await store.put("Text", SampleText.rows(SampleText.unordered))
            for text in SampleText.unordered.map(Value.text) {
                for comparison: Predicate.Comparison in [.less, .lessOrEqual, .greater, .greaterOrEqual] {
                    let count = try await store.expectAgrees(
                        QueryPlan("Text", where: .compare("text", comparison, text)))
                    context.witness(count)
                }
                context.witness(try await store.expectAgrees("Text", .between("text", text, .text("e\u{302}"))))
                context.witness(try await store.expectAgrees("Text", .between("text", .text("A"), text)))
            }
        },
        Clause(
            "TXT-012",
            "Pages by cursor follow the order of the bytes: together they are the whole result, each row once.",
            level: .query, catches: "The cursor compares otherwise than the sort, so pages overlap or skip.",
            witness: "pages of several sizes in both directions"
        ) { context in
            let indexed = EntitySchema(
                "Text", fields: EntitySchema.texts.fields, indexes: [IndexSchema("byText", on: ["text"])])
            for entity in [EntitySchema.texts, indexed] {
                var store = try await ComparedStore(context, entity)
                let rows = SampleText.rows(SampleText.unordered + SampleText.unordered.prefix(9) + ["\u{1F600}"])
                try await store.put("Text", rows + [[.text("n"), .null], [.text("o"), .null]])
                for (direction, page): (SortKey.Direction, Int) in [
                    (.ascending, 1), (.ascending, 2), (.ascending, 7), (.descending, 1), (.descending, 3),
                ] {
                    let plan = QueryPlan("Text", sort: [SortKey("text", direction)])
                    let whole = try await store.store.rows(plan)
                    let scanned = try await store.store.store.withSnapshot {
                        try await $0.readPages(plan, page: page, of: entity, maximumCount: 1_000).map(\.cells)
                    }
                    try context.expectEqual(scanned, whole, "pages of \(page), \(direction)")
                    context.witness(try await store.expectAgrees(plan))
                }
            }
        },
        Clause(
            "TXT-013", "Records whose keys are text lie in the order of the bytes, in scans, ranges and queries.",
            catches: "Keys kept in a collation's order, in UTF-16 order or in hash order.",
            witness: "keys read in order, whole and in ranges"
        ) { context in
            var store = try await ComparedStore(context, .texts)
            var random = SplitMix64(seed: context.seed)
            let keys = random.sample(SampleText.unordered + SampleText.spaced, 1_000)
            try await store.put("Text", keys.map { [.text($0), .text($0)] })
            try await store.expectHolds("Text")
            let rows = store.rows(of: "Text")
            let snapshot = try await store.store.adapter.snapshot()
            for (index, row) in rows.enumerated() {
                for (range, expected): (KeyRange, [[Value]]) in [
                    (KeyRange("Text", from: .included([row[0]])), Array(rows[index...])),
                    (KeyRange("Text", from: .excluded([row[0]])), Array(rows[(index + 1)...])),
                    (KeyRange("Text", to: .included([row[0]])), Array(rows[...index])),
                    (KeyRange("Text", to: .excluded([row[0]])), Array(rows[..<index])),
                ] {
                    let actual = try await snapshot.allRows(range).map(\.cells)
                    try context.expectEqual(actual, expected, "a range of keys that begins or ends at key \(index)")
                    context.witness()
                }
            }
            await snapshot.close()
        },
        Clause(
            "TXT-014", "A unique index distinguishes texts by their bytes: no more of them collide, and no fewer.",
            requires: .feature(.uniqueIndexes),
            catches: "Unique indexes under a collation refuse \"A\" beside \"a\", or take é twice.",
            witness: "almost equal texts side by side, and equal ones refused", protectsData: true
        ) { context in
            let entity = EntitySchema(
                "Text", fields: EntitySchema.texts.fields,
                indexes: [IndexSchema("byText", on: ["text"], isUnique: true)])
            let texts = Set((SampleText.unordered + SampleText.spaced + SampleText.naughty).map(Value.text))
                .union(SampleText.normalForms.flatMap { [Value.text($0), Value.text($1)] })
                .union([299, 300, 301].map { .text(String(repeating: "x", count: $0)) })
                .sorted { ValueOrder.compare($0, $1) == .ascending }
            let rows = texts.enumerated().map { [Value.text(SampleText.key($0)), $1] }
            let store = try await context.open(entity)
            for row in rows { try await store.put("Text", [row]) }
            let again = try await store.expectHolds("Text", rows)
            for text in texts {
                let error = try await context.expectError(.uniqueViolation, from: "a second record of a unique text") {
                    try await again.put("Text", [[.text("new"), text]])
                }
                try context.expectEqual(error.position, .operation(0), "the position of a unique violation")
                context.witness()
            }
            try await again.expectHolds("Text", rows)
        },
    ]
}

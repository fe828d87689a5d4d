import HoldfastStorage

extension Clause {
    /// Limits, offsets and cursors.
    static let orderOfPages: [Clause] = [
        Clause(
            "ORD-006", "A limit gives the first so many results: none for 0, all if there are fewer.", level: .query,
            catches: "Zero means no limit; an index or a batch delivers one row too many or too few.",
            witness: "limits that were kept to the row"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.numbered(0..<1_003)
            for entity in ["Item", "Indexed"] {
                try await store.put(entity, rows)
                for limit in [
                    0, 1, 2, 31, 32, 33, 50, 51, 99, 100, 101, 255, 256, 257, 512, 999, 1_000, 1_001, 1_003, 1_004,
                ] {
                    let first = try await store.rows(QueryPlan(entity, limit: limit))
                    try context.expectEqual(first, Array(rows.prefix(limit)), "\(entity), limit \(limit)")
                    let last = try await store.rows(
                        QueryPlan(entity, sort: [SortKey("rank", .descending)], limit: limit))
                    try context.expectEqual(
                        last, Array(rows.reversed().prefix(limit)), "\(entity) by rank descending, limit \(limit)")
                    context.witness()
                }
                let filter = Predicate.compare("rank", .greaterOrEqual, .integer(500))
                try await store.expectAnswer(QueryPlan(entity, where: filter, limit: 0), of: rows)
                try await store.expectAnswer(
                    QueryPlan(entity, where: filter, sort: [SortKey("title")], limit: 33), of: rows)
            }
        },
        Clause(
            "ORD-007",
            "An offset skips the given number of results, before the limit counts; beyond the end the result is empty.",
            level: .query,
            catches: "The offset counts records that do not match, or the limit is taken first.",
            witness: "offsets that were kept to the row"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.numbered(0..<300)
            let even = Predicate.compare("title", .equal, .text("even"))
            let marked = rows.map { row in
                Items.row(Self.number(row), rank: Self.number(row), title: Self.number(row) % 2 == 0 ? "even" : nil)
            }
            for entity in ["Item", "Indexed"] {
                try await store.put(entity, marked)
                for offset in [0, 1, 2, 31, 32, 33, 99, 100, 101, 149, 150, 151, 255, 256, 299, 300, 301, 5_000] {
                    for limit in [nil, 0, 1, 32, 1_000] {
                        for sort in [[], [SortKey("rank", .descending)], [SortKey("price")]] {
                            let plan = QueryPlan(entity, sort: sort, limit: limit, offset: offset)
                            try await store.expectAnswer(plan, of: marked)
                        }
                        let plan = QueryPlan(entity, where: even, limit: limit, offset: offset)
                        try await store.expectAnswer(plan, of: marked)
                        context.witness()
                    }
                }
            }
        },
        Clause(
            "ORD-008", "The greatest limits and offsets are numbers like others: no overflow, no wrap-around.",
            level: .query,
            catches: "offset + limit overflows, and a large number bound as 32 bits or as -1 becomes no limit at all.",
            witness: "queries with limits and offsets near 2^31, 2^32 and 2^63"
        ) { context in
            let store = try await context.open(.items())
            let rows = Items.numbered(0..<12)
            try await store.put("Item", rows)
            let large = [Int(Int32.max), Int(Int32.max) + 1, Int(UInt32.max), Int(UInt32.max) + 1, .max - 1, .max]
            for sort in [[], [SortKey("rank", .descending)]] {
                for number in large {
                    try await store.expectAnswer(QueryPlan("Item", sort: sort, limit: number), of: rows)
                    try await store.expectAnswer(QueryPlan("Item", sort: sort, limit: number, offset: 3), of: rows)
                    for limit in [nil, 1, number] {
                        let plan = QueryPlan("Item", sort: sort, limit: limit, offset: number)
                        try context.expectEqual(try await store.rows(plan), [], "rows after offset \(number)")
                        context.witness()
                    }
                }
            }
        },
        Clause(
            "ORD-009", "The cursor is applied first, then the offset, then the limit.", level: .query,
            catches: "The offset counts from the first result although there is a cursor.",
            witness: "queries with cursor, offset and limit together"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.mixed(90, seed: context.seed)
            for entity in ["Item", "Indexed"] {
                let schema = try store.store.schema.entity(named: entity)
                try await store.put(entity, rows)
                for sort in [[]] + Items.sorts {
                    let sorted = try await store.rows(QueryPlan(entity, sort: sort))
                    for index in [0, 30, 88] {
                        let cursor = Cursor(after: sorted[index], of: schema, sortedBy: sort)
                        for (offset, limit) in [(0, 5), (1, 1), (7, 20), (60, 5), (3, 1_000)] {
                            let plan = QueryPlan(entity, sort: sort, limit: limit, offset: offset, after: cursor)
                            let expected = Array(sorted.dropFirst(index + 1 + offset).prefix(limit))
                            let found = try await store.rows(plan)
                            try context.expect(
                                found == expected, "\(SwiftText.query(plan)): \(SwiftText.difference(found, expected))")
                            context.witness()
                        }
                    }
                }
            }
        },
        Clause(
            "ORD-010",
            "Pages by cursor together are the whole result in order: no record twice, none left out, also with nulls and equal values.",
            level: .query,
            catches: "`WHERE (a, b) > (?, ?)` with a null is unknown: of ten rows, three arrive.",
            witness: "pages that were put together to the whole", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.mixed(110, seed: context.seed &+ 3)
            for entity in ["Item", "Indexed"] {
                let schema = try store.store.schema.entity(named: entity)
                try await store.putShuffled(entity, rows, seed: context.seed)
                for sort in [[]] + Items.sorts {
                    let whole = try await store.rows(QueryPlan(entity, sort: sort))
                    for page in [1, 7, 32, 33, 100, 109, 110, 111] where page > 1 || sort.count == 1 {
                        let pages = try await store.store.withSnapshot { snapshot in
                            try await snapshot.readPages(
                                QueryPlan(entity, sort: sort), page: page, of: schema, maximumCount: 2 * rows.count)
                        }
                        let found = pages.map(\.cells)
                        try context.expect(
                            found == whole,
                            "pages of \(page) by \(SwiftText.query(QueryPlan(entity, sort: sort))): \(SwiftText.difference(found, whole))"
                        )
                        context.witness()
                    }
                }
            }
        },
        Clause(
            "ORD-025",
            "A page by cursor is the same part of the whole where the sort names a field that the condition fixes to one "
                + "value, whatever the cursor has for this field.",
            level: .query,
            catches: "A record that does not match decides where the page begins, and records come a second time.",
            witness: "rows of pages behind records that match and behind others"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.mixed(120, seed: context.seed &+ 4)
            let rests: [[SortKey]] = [
                [], [SortKey("rank")], [SortKey("rank", .descending)],
                [SortKey("title"), SortKey("rank", .descending)],
            ]
            for entity in ["Item", "Indexed"] {
                try await store.putShuffled(entity, rows, seed: context.seed)
                let schema = try store.store.schema.entity(named: entity)
                for direction in [SortKey.Direction.ascending, .descending] {
                    for sort in rests.map({ [SortKey("done", direction)] + $0 }) {
                        for index in stride(from: 0, to: rows.count, by: 9) {
                            var plan = QueryPlan(entity, where: .compare("done", .equal, .boolean(false)), sort: sort)
                            plan.after = Cursor(after: rows[index], of: schema, sortedBy: sort)
                            context.witness(try await store.expectAnswer(plan, of: rows))
                            plan.limit = 3
                            try await store.expectAnswer(plan, of: rows)
                        }
                    }
                }
            }
        },
        Clause(
            "ORD-011",
            "A cursor stands for a place, not for a record: it continues right there when its record was changed or deleted and others came in between.",
            level: .query,
            catches: "The cursor is a row number or is looked up by key; pages overlap or skip after a write.",
            witness: "scans that continued after their last record was deleted"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            for entity in ["Item", "Indexed"] {
                let schema = try store.store.schema.entity(named: entity)
                for direction in [SortKey.Direction.ascending, .descending] {
                    var rows = (0..<60).map { Items.row($0 * 2, rank: $0 / 3 * 2) }
                    try await store.commit([.clear(entity: entity)])
                    try await store.put(entity, rows)
                    let sort = [SortKey("rank", direction)]
                    let first = try await store.rows(QueryPlan(entity, sort: sort, limit: 20))
                    let cursor = Cursor(after: first[19], of: schema, sortedBy: sort)
                    try await store.delete(entity, [schema.key(of: first[19]), schema.key(of: first[3])])
                    let added = [
                        Items.row(1, rank: -1), Items.row(33, rank: 13), Items.row(35, rank: 99), Items.row(61),
                    ]
                    try await store.put(entity, added)
                    rows.removeAll { $0 == first[19] || $0 == first[3] }
                    rows = (rows + added).sorted { schema.key(of: $0) < schema.key(of: $1) }
                    let plan = QueryPlan(entity, sort: sort, after: cursor)
                    context.witness(try await store.expectAnswer(plan, of: rows, "after a delete and four puts,"))
                }
            }
        },
        Clause(
            "ORD-012",
            "Pages by offset in one snapshot together are the whole result, whatever is committed meanwhile.",
            level: .query,
            catches: "Each page is a statement of its own, which sees a newer state.",
            witness: "pages read while records before them were deleted and added"
        ) { context in
            let store = try await context.open(.items())
            let rows = Items.numbered(0..<100)
            try await store.put("Item", rows)
            for sort in [[], [SortKey("rank", .descending)]] {
                try await store.store.withSnapshot { snapshot in
                    var found: [[Value]] = []
                    for page in 0..<10 {
                        found += try await snapshot.rows(QueryPlan("Item", sort: sort, limit: 10, offset: page * 10))
                            .map(\.cells)
                        try await store.delete("Item", [Items.key(page), Items.key(99 - page)])
                        try await store.put("Item", [Items.row(-page - 1, rank: 1_000)])
                        context.witness()
                    }
                    try context.expectEqual(found, sort.isEmpty ? rows : rows.reversed(), "the pages of one snapshot")
                }
                try await store.commit([.clear(entity: "Item")])
                try await store.put("Item", rows)
            }
        },
    ]

    private static func number(_ row: [Value]) -> Int {
        if case .integer(let number) = row[1] { Int(number) } else { 0 }
    }
}

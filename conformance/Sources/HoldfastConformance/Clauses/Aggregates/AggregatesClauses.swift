import HoldfastStorage

extension Clause {
    /// Aggregates.
    static let aggregates: [Clause] = aggregatesOfFields + aggregatesOfMany

    private static let aggregatesOfFields: [Clause] = [
        Clause(
            "AGG-001", "The count of a predicate is the number of rows of the query without limit.", level: .query,
            catches: "Counts are estimates, come from an index that skips nulls, or count records that were deleted.",
            witness: "predicates whose count was compared with their rows"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            for entity in ["Item", "Indexed"] {
                let empty = try await store.aggregates(entity, [.count])
                try context.expectEqual(empty, [.integer(0)], "the count of an empty \(entity)")
                let rows = Items.mixed(300, seed: context.seed)
                try await store.put(entity, rows)
                try await store.put(entity, Array(rows[..<50]))
                try await store.delete(entity, (200..<300).map(Items.key) + [Items.key(5_000)])
                for predicate in Self.counted {
                    let found = try await store.rows(QueryPlan(entity, where: predicate))
                    let expected = rows[..<200].count { row in Self.matches(predicate, row, store, entity) }
                    try context.expectEqual(found.count, expected, "rows where \(SwiftText.predicate(predicate))")
                    let count = try await store.aggregates(entity, where: predicate, [.count])
                    try context.expectEqual(
                        count, [.integer(Int64(found.count))], "the count where \(SwiftText.predicate(predicate))")
                    context.witness()
                }
                try await store.commit([.clear(entity: entity)])
                try context.expectEqual(
                    try await store.aggregates(entity, [.count]), [.integer(0)], "the count of \(entity) after clear")
            }
        },
        Clause(
            "AGG-002",
            "Sum, minimum, maximum and average skip nulls; of nothing, a sum is 0 and the others are null.",
            level: .query,
            catches: "SQL's sum of nothing is null; an average divides by the number of records instead of values.",
            witness: "aggregates over records with nulls and over none"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            for entity in ["Item", "Indexed"] {
                let none: [Value] = [.integer(0), .null, .null, .null, .double(0), .null, .null, .null]
                try context.expectEqual(
                    try await store.aggregates(entity, Self.numeric), none, "aggregates of no records")
                try await store.put(entity, (0..<10).map { Items.row($0) })
                try context.expectEqual(try await store.aggregates(entity, Self.numeric), none, "aggregates of nulls")
                let ranks: [Int64?] = [4, nil, -10, 7, nil, nil, 7, nil, 0, nil]
                let prices: [Double?] = [nil, 2.5, nil, -0.5, nil, 8, nil, nil, nil, nil]
                try await store.put(
                    entity,
                    (0..<10).map { number in
                        var row = Items.row(number)
                        row[1] = ranks[number].map { .integer($0) } ?? .null
                        row[3] = prices[number].map { .double($0) } ?? .null
                        return row
                    })
                try context.expectEqual(
                    try await store.aggregates(entity, Self.numeric),
                    [
                        .integer(8), .integer(-10), .integer(7), .double(1.6), .double(10), .double(-0.5), .double(8),
                        .double(10.0 / 3),
                    ], "aggregates of values with nulls between")
                let nothing = try await store.aggregates(
                    entity, where: .compare("rank", .greater, .integer(100)), Self.numeric)
                try context.expectEqual(nothing, none, "aggregates of no matching records")
                context.witness(4)
            }
        },
        Clause(
            "AGG-003",
            "A sum of integers is exact; if it leaves 64 bits the error is `storage.unrepresentable`, however the "
                + "records are ordered, and the snapshot stays usable.",
            level: .query,
            catches:
                "The sum goes through a double, wraps around, traps, or overflows on the way although the total fits.",
            witness: "sums beyond 2^53 and beyond 2^63", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let cases: [([Int64], Int64?)] = [
                ([1 << 53, 1], (1 << 53) + 1), ([(1 << 53) + 1, 2, 1 << 60], (1 << 60) + (1 << 53) + 3),
                ([.max, 1], nil), ([.min, -1], nil), ([.max, 1, -1], .max), ([.min, -1, 1], .min),
                ([.max, .max, .min, .min, 2], 0), ([.max, .max, .max], nil), ([.max, .min], -1), ([.max], .max),
                ([.min], .min), ([-1, .min, .max, .max, -.max, 5], 3), ([.max, 0], .max), ([.min, 0], .min),
                ([1 << 62, 1 << 62], nil), ([-(1 << 62), -(1 << 62)], .min),
            ]
            for (numbers, sum) in cases {
                for entity in ["Item", "Indexed"] {
                    for order in [numbers, numbers.reversed()] {
                        let rows = order.enumerated().map { Items.row($0, rank: Int($1)) }
                        try await store.commit([
                            .clear(entity: entity), .put(entity: entity, rows: RowBuffer(rows: rows), mode: .insert),
                        ])
                        try await store.store.withSnapshot { snapshot in
                            let plan = AggregatePlan(entity, [.count, .sum("rank")])
                            let subject = "the sum of \(order) in \(entity)"
                            if let sum {
                                let aggregates = try await snapshot.aggregate(plan)
                                try context.expectEqual(
                                    aggregates, [.integer(Int64(order.count)), .integer(sum)], subject)
                            } else {
                                let error = try await context.expectError(.unrepresentable, from: subject) {
                                    _ = try await snapshot.aggregate(plan)
                                }
                                try context.expectEqual(error.retry, .never, "the advice of an overflow")
                            }
                            try context.expectEqual(
                                try await snapshot.count(entity), order.count, "the count after \(subject)")
                        }
                        context.witness()
                    }
                }
            }
        },
        Clause(
            "AGG-010",
            "If a sum of doubles leaves their range, the sum and the average are `storage.unrepresentable`, and the "
                + "snapshot stays usable.",
            level: .query,
            catches: "SQLite's sum is infinite, which no field can hold; PostgreSQL refuses it.",
            witness: "sums and averages of large doubles"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let greatest = Double.greatestFiniteMagnitude
            let cases: [([Double], Double?)] = [
                ([1e308, 1e308], nil), ([-1e308, -1e308], nil), ([1e308, 1, 1e308], nil), ([greatest, greatest], nil),
                ([-1, -greatest, -1e300], nil), ([greatest], greatest), ([-greatest, 0], -greatest),
                ([0x1p1022, 0x1p1022], 0x1p1023),
            ]
            for (numbers, sum) in cases {
                let average = sum.map { $0 / Double(numbers.count) }
                for entity in ["Item", "Indexed"] {
                    let rows = numbers.enumerated().map { number, price in
                        var row = Items.row(number)
                        row[3] = .double(price)
                        return row
                    }
                    try await store.commit([
                        .clear(entity: entity), .put(entity: entity, rows: RowBuffer(rows: rows), mode: .insert),
                    ])
                    try await store.store.withSnapshot { snapshot in
                        let answers: [(AggregatePlan.Function, Double?)] = [
                            (.sum("price"), sum), (.average("price"), average),
                        ]
                        for (function, value) in answers {
                            let plan = AggregatePlan(entity, [.count, function])
                            let subject = "\(function) of \(numbers) in \(entity)"
                            if let value {
                                let expected: [Value] = [.integer(Int64(numbers.count)), .double(value)]
                                try context.expectEqual(try await snapshot.aggregate(plan), expected, subject)
                            } else {
                                try await context.expectError(.unrepresentable, from: subject) {
                                    _ = try await snapshot.aggregate(plan)
                                }
                            }
                            try context.expectEqual(
                                try await snapshot.count(entity), numbers.count, "the count after \(subject)")
                            context.witness()
                        }
                    }
                }
            }
        },
        Clause(
            "AGG-004", "An average is a double, also of integers, and near the true mean also for large numbers.",
            level: .query,
            catches: "Integer division cuts off; an integer sum overflows on the way.",
            witness: "averages of integers"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let cases: [([Int64], Double)] = [
                ([1, 2], 1.5), ([-1, -2], -1.5), ([1, 1, 2], 4.0 / 3), ([5], 5), ([0, 0, 0, 1], 0.25),
                ([.max, .max], 0x1p63), ([.min, .min, .min], -0x1p63), ([1 << 62, 1 << 62, 1 << 62], 0x1p62),
                // Each is rounded if it becomes a double before it is added.
                ([9_007_199_254_740_993, -9_007_199_254_740_992], 0.5), ([.max, .min], -0.5),
            ]
            for (numbers, mean) in cases {
                for entity in ["Item", "Indexed"] {
                    let rows = numbers.enumerated().map { Items.row($0, rank: Int($1)) } + [Items.row(50)]
                    try await store.commit([
                        .clear(entity: entity), .put(entity: entity, rows: RowBuffer(rows: rows), mode: .insert),
                    ])
                    guard case .double(let found)? = try await store.aggregates(entity, [.average("rank")]).first else {
                        throw ClauseFailure("the average of integers is not a double")
                    }
                    try context.expect(
                        abs(found - mean) <= abs(mean) * 1e-14,
                        "the average of \(numbers): expected \(mean), got \(found)")
                    context.witness()
                }
            }
        },
        Clause(
            "AGG-005",
            "Several aggregates come in the order asked, each on its own, also the same one twice, also none.",
            level: .query,
            catches: "Aggregates are put in a dictionary or in the order of the fields.",
            witness: "plans of several aggregates"
        ) { context in
            let store = try await context.open(.items())
            try await store.put("Item", (1...6).map { Items.row($0, rank: $0, title: "t\($0)") })
            let aggregates: [(AggregatePlan.Function, Value)] = [
                (.maximum("rank"), .integer(6)), (.count, .integer(6)), (.minimum("title"), .text("t1")),
                (.sum("rank"), .integer(21)), (.average("rank"), .double(3.5)), (.maximum("title"), .text("t6")),
                (.minimum("rank"), .integer(1)), (.sum("price"), .double(0)), (.minimum("id"), .text(Items.id(1))),
            ]
            for start in aggregates.indices {
                let turned = Array(aggregates[start...] + aggregates[..<start] + [aggregates[start]])
                let found = try await store.aggregates("Item", turned.map(\.0))
                try context.expectEqual(found, turned.map(\.1), "\(turned.count) aggregates of one plan")
                let one = try await store.aggregates("Item", [aggregates[start].0])
                try context.expectEqual(one, [aggregates[start].1], "\(aggregates[start].0) alone")
                context.witness()
            }
            try context.expectEqual(try await store.aggregates("Item", []), [], "a plan without aggregates")
        },
        Clause(
            "AGG-006",
            "Aggregates are of the records as they are now: an update counts once, a deleted record not at all.",
            level: .query,
            catches: "A running total is kept aside and forgets updates, deletes, or a commit that failed.",
            witness: "aggregates after every kind of write", protectsData: true
        ) { context in
            var store = try await context.open(.items(), .items("Indexed", indexed: true))
            for entity in ["Item", "Indexed"] {
                try await store.put(entity, (0..<40).map { Items.row($0, rank: 1) })
                try await store.expectSum(entity, 40, 40, context)
                try await store.put(entity, (0..<10).map { Items.row($0, rank: 3) }, mode: .update)
                try await store.expectSum(entity, 40, 60, context)
                try await store.put(entity, (0..<10).map { Items.row($0, rank: 3) })
                try await store.expectSum(entity, 40, 60, context)
                try await store.put(entity, [Items.row(0), Items.row(40, rank: 7), Items.row(40, rank: 8)])
                try await store.expectSum(entity, 41, 65, context)
                try await store.delete(entity, [Items.key(40), Items.key(41), Items.key(39)])
                try await store.expectSum(entity, 39, 56, context)
                try await context.expectError(.preconditionFailed, from: "an insert of an existing record") {
                    try await store.put(entity, [Items.row(500, rank: 9), Items.row(1, rank: 9)], mode: .insert)
                }
                try await store.expectSum(entity, 39, 56, context)
                if store.isPersistent { store = try await store.reopen() }
                try await store.expectSum(entity, 39, 56, context)
            }
        },
        Clause(
            "AGG-007", "Aggregates take in every matching record, whatever their number.", level: .query,
            catches: "The records are gathered in batches, and one at the border is lost or counted twice.",
            witness: "aggregates over many numbers of records", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            for entity in ["Item", "Indexed"] {
                try await store.put(
                    entity,
                    (0..<2_100).map { number in
                        var row = Items.row(number, rank: number)
                        row[3] = .double(1)
                        return row
                    })
                try await store.store.withSnapshot { snapshot in
                    for size in Sizes.boundaries where (1...2_100).contains(size) {
                        let plan = AggregatePlan(
                            entity, where: .compare("rank", .less, .integer(Int64(size))),
                            [.count, .sum("rank"), .maximum("rank"), .sum("price"), .average("price")])
                        let last = Int64(size) - 1
                        let expected: [Value] = [
                            .integer(Int64(size)), .integer(last * (last + 1) / 2), .integer(last),
                            .double(Double(size)), .double(1),
                        ]
                        try context.expectEqual(
                            try await snapshot.aggregate(plan), expected, "aggregates of \(size) records of \(entity)")
                        context.witness()
                    }
                }
            }
        },
        Clause(
            "AGG-008", "Minimum and maximum follow the one order of values: text by bytes, numbers by value.",
            level: .query,
            catches: "A collation or the text form of numbers decides.",
            witness: "extremes that a collation would choose otherwise"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let texts = ["b", "a", "B", "f", "é", "z", "e\u{301}", "😀", "\u{FB00}", "aa"]
            let ranks = [9, 10, -9, -10, 100, 2, 11, 99, 0, 1]
            let prices: [Double] = [9, 10, -9, -10, 100, 1e-300, -1e300, 1e300, 0, 1]
            var choices = texts.indices.map { Array(0...$0) }
            for first in texts.indices { choices += texts.indices.dropFirst(first + 1).map { [first, $0] } }
            for entity in ["Item", "Indexed"] {
                for choice in choices {
                    let rows = choice.map { number in
                        var row = Items.row(number, rank: ranks[number], title: texts[number])
                        row[3] = .double(prices[number])
                        return row
                    }
                    try await store.commit([
                        .clear(entity: entity), .put(entity: entity, rows: RowBuffer(rows: rows), mode: .insert),
                    ])
                    let fields = ["rank", "title", "price", "id"]
                    let aggregates = try await store.aggregates(
                        entity, fields.flatMap { [AggregatePlan.Function.minimum($0), .maximum($0)] })
                    let expected = [1, 2, 3, 0].flatMap { position -> [Value] in
                        let sorted = rows.map { $0[position] }.sorted { ValueOrder.compare($0, $1) == .ascending }
                        return [sorted[0], sorted[sorted.count - 1]]
                    }
                    try context.expectEqual(aggregates, expected, "extremes of \(choice.count) records of \(entity)")
                    let last = rows.count - 1
                    let filtered = try await store.aggregates(
                        entity, where: .compare("title", .equal, rows[last][2]),
                        fields.flatMap { [AggregatePlan.Function.minimum($0), .maximum($0)] })
                    try context.expectEqual(
                        filtered, [1, 2, 3, 0].flatMap { [rows[last][$0], rows[last][$0]] },
                        "extremes of one of \(choice.count) records of \(entity)")
                    context.witness()
                }
            }
        },
    ]

    private static let numeric: [AggregatePlan.Function] = [
        .sum("rank"), .minimum("rank"), .maximum("rank"), .average("rank"), .sum("price"), .minimum("price"),
        .maximum("price"), .average("price"),
    ]

    private static let counted: [Predicate] = [
        .all, .constant(false), .compare("rank", .equal, .null), .compare("rank", .notEqual, .null),
        .compare("rank", .greater, .integer(0)), .compare("rank", .lessOrEqual, .integer(0)),
        .not(.compare("rank", .greater, .integer(0))), .compare("title", .equal, .text("a")),
        .compare("title", .notEqual, .text("a")), .beginsWith("title", "a"), .contains("title", .text("")),
        .between("rank", .integer(-1), .integer(1)), .isIn("rank", [.integer(1), .null]), .isIn("title", []),
        .compare("id", .greaterOrEqual, .text(Items.id(60))), .compare("id", .less, .text(Items.id(33))),
        .and([.compare("rank", .equal, .integer(1)), .compare("title", .greater, .text("a"))]),
        .or([.compare("rank", .equal, .integer(1)), .compare("title", .equal, .null)]),
        .compare("done", .equal, .boolean(true)), .compare("price", .less, .double(0)),
    ]

    private static func matches(
        _ predicate: Predicate, _ row: [Value], _ store: TestStore, _ entity: String
    ) -> Bool {
        (try? store.store.schema.bind(QueryPlan(entity, where: predicate)))?.predicate.matches(row) ?? false
    }
}

extension TestStore {
    /// Aggregates over an entity, from a snapshot of their own.
    func aggregates(
        _ entity: String, where predicate: Predicate = .all, _ functions: [AggregatePlan.Function]
    ) async throws -> [Value] {
        try await store.withSnapshot { try await $0.aggregate(AggregatePlan(entity, where: predicate, functions)) }
    }

    /// Checks count and sum of the ranks of items.
    fileprivate func expectSum(_ entity: String, _ count: Int, _ sum: Int, _ context: ClauseContext) async throws {
        let aggregates = try await aggregates(entity, [.count, .sum("rank")])
        try context.expectEqual(
            aggregates, [.integer(Int64(count)), .integer(Int64(sum))], "count and sum of \(entity)")
        context.witness()
    }
}

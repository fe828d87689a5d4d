import HoldfastStorage

extension Clause {
    /// Conditions and the ways of answering them.
    static let predicatePlans: [Clause] = [
        Clause(
            "PRD-020", "A query answers as the reference does, whatever part of it the back end evaluates.",
            level: .query,
            catches: "Limits applied before the rest of the filter, sorts lost, fields missing from a projection.",
            witness: "random queries with conditions, sorts, limits, offsets and projections"
        ) { context in
            var random = SplitMix64(seed: context.seed &+ 2)
            for entity in [EntitySchema.things, .indexedThings] {
                var store = try await ComparedStore(context, entity)
                try await store.put("Thing", SampleThing.rows(90, using: &random))
                let generator = PlanGenerator(entity: entity, rows: store.rows(of: "Thing"))
                for _ in 0..<120 {
                    context.witness(try await store.expectAgrees(generator.query(using: &random)))
                }
            }
        },
        Clause(
            "PRD-021", "Limit and offset count the results of the whole condition, in the order asked for.",
            level: .query,
            catches: "A limit handed to the back end together with half of the filter cuts before the other half runs.",
            witness: "pages of conditions that no back end evaluates in one piece"
        ) { context in
            var random = SplitMix64(seed: context.seed &+ 3)
            var store = try await ComparedStore(context, .indexedThings)
            try await store.put("Thing", SampleThing.rows(120, using: &random))
            let conditions: [Predicate] = [
                .contains("tags", .text("p")),
                .and([.contains("tags", .text("p")), .compare("flag", .notEqual, .boolean(true))]),
                .or([.contains("tags", .null), .beginsWith("text", "x")]), .not(.contains("tags", .text("q"))),
                .and([.compare("text", .greaterOrEqual, .text("x")), .contains("tags", .text("p"))]),
                .compare("tags", .equal, .list([])),
                .isIn("tags", [.null, .list([.null])]),
                .and([.contains("text", .text("%")), .compare("number", .less, .double(1.5))]),
            ]
            let sorts: [[SortKey]] = [
                [], [SortKey("text")], [SortKey("number", .descending)],
                [SortKey("flag"), SortKey("text", .descending)], [SortKey("id", .descending)],
            ]
            for condition in conditions {
                for sort in sorts {
                    for (limit, offset) in [(1, 0), (4, 0), (20, 0), (3, 2), (10, 5), (0, 0), (500, 0), (5, 500)] {
                        let plan = QueryPlan(
                            "Thing", where: condition, sort: sort, limit: limit, offset: offset,
                            projection: limit == 3 ? ["number", "id"] : nil)
                        context.witness(try await store.expectAgrees(plan))
                    }
                }
            }
        },
        Clause(
            "PRD-022", "An index changes no answer: the same records in the same order as without it.", level: .query,
            catches:
                "Sparse indexes skip null; an index delivers in its own order; prefixes and case get lost in it.",
            witness: "queries over indexed fields, compared with those of an entity without indexes"
        ) { context in
            var random = SplitMix64(seed: context.seed &+ 4)
            let rows = SampleThing.rows(80, using: &random)
            let plain = EntitySchema("Plain", fields: EntitySchema.things.fields)
            var store = try await ComparedStore(context, .indexedThings, plain)
            for name in ["Thing", "Plain"] { try await store.put(name, rows) }
            let fields: [(String, [Value])] = [
                ("text", [.null, .text(""), .text("x"), .text("X"), .text("x%"), .text("~")]),
                ("number", [.null, .integer(.min), .integer(0), .integer(5), .integer(.max)]),
                ("ratio", [.null, .double(-1), .double(0.5)]),
                ("flag", [.null, .boolean(false), .boolean(true)]),
            ]
            for (field, values) in fields {
                for value in values {
                    var conditions = Predicate.Comparison.allCases.map { Predicate.compare(field, $0, value) }
                    let middle = values[values.count / 2]
                    conditions += [
                        .isIn(field, [value, values[1]]), .between(field, values[1], value),
                        .between(field, middle, value), .between(field, value, middle),
                    ]
                    conditions += conditions.map { .and([$0, .compare("number", .greater, .integer(0))]) }
                    for condition in conditions {
                        for sort in [[], [SortKey(field)], [SortKey(field, .descending)]] {
                            var plan = QueryPlan("Thing", where: condition, sort: sort)
                            let with = try await store.store.rows(plan)
                            plan.entity = "Plain"
                            let without = try await store.store.rows(plan)
                            try context.expectEqual(
                                with, without, "the records where \(SwiftText.predicate(condition)), with an index")
                            context.witness(with.count)
                        }
                    }
                    for condition in conditions {
                        try await store.expectAgrees(
                            QueryPlan("Thing", where: condition, sort: [SortKey(field, .descending)], limit: 3))
                    }
                }
            }
        },
        Clause(
            "PRD-023", "An index follows every change: records that are replaced, deleted, cleared and written again.",
            level: .query,
            catches: "Entries of the old value stay behind: found by a value that the record no longer has.",
            witness: "queries by old and new values after each kind of change", protectsData: true
        ) { context in
            var store = try await ComparedStore(context, .indexedThings)
            func check() async throws {
                for value in ["old", "new", "x"].map(Value.text) + [.null] {
                    context.witness(try await store.expectAgrees("Thing", .compare("text", .equal, value)))
                    context.witness(
                        try await store.expectAgrees(
                            QueryPlan("Thing", where: .isIn("text", [value]), sort: [SortKey("text")])))
                    let pair = Predicate.and([
                        .compare("text", .equal, value), .compare("number", .greater, .integer(0)),
                    ])
                    context.witness(try await store.expectAgrees("Thing", pair))
                }
                try await store.expectAgrees(
                    QueryPlan("Thing", sort: [SortKey("text", .descending), SortKey("number")]))
            }
            func row(_ id: String, _ text: Value, _ number: Value) -> [Value] {
                [.text(id), text, number, .null, .boolean(true), .null]
            }
            let ids = (0..<12).map(SampleText.key)
            try await store.put("Thing", ids.map { row($0, .text("old"), .integer(1)) })
            try await check()
            try await store.put("Thing", ids.prefix(6).map { row($0, .text("new"), .integer(1)) })
            try await check()
            try await store.put("Thing", ids.prefix(3).map { row($0, .null, .integer(-1)) })
            try await check()
            try await store.commit([.delete(entity: "Thing", keys: ids.suffix(3).map { RecordKey($0) })])
            try await check()
            try await store.commit([
                .put(entity: "Thing", rows: RowBuffer(row: row(ids[4], .text("x"), .integer(2))), mode: .update),
                .put(entity: "Thing", rows: RowBuffer(row: row(ids[4], .text("new"), .integer(3))), mode: .update),
                .delete(entity: "Thing", keys: [RecordKey(ids[5])]),
                .put(entity: "Thing", rows: RowBuffer(row: row(ids[5], .text("x"), .null)), mode: .insert),
            ])
            try await check()
            try await store.reopen()
            try await check()
            try await store.commit([.clear(entity: "Thing")])
            try await check()
            try await store.put("Thing", ids.prefix(2).map { row($0, .text("x"), .integer(9)) })
            try await check()
            try await store.expectHolds("Thing")
        },
        Clause(
            "PRD-024", "Conditions on key fields select what they say, alone, in groups and with others.",
            level: .query,
            catches:
                "A range of keys made too narrow: from one side of an OR, from the first of two bounds, past a null.",
            witness: "conditions on single and composite keys"
        ) { context in
            let entity = EntitySchema(
                "Order",
                fields: [FieldSchema("shop", .string), FieldSchema("number", .int), FieldSchema("note", .string)],
                primaryKey: ["shop", "number"])
            var store = try await ComparedStore(context, entity)
            let shops = ["", "a", "ab", "b", "c"]
            try await store.put(
                "Order",
                shops.flatMap { shop in [-2, 0, 1, 2, 10].map { [.text(shop), .integer($0), .text("\(shop)\($0)")] } })
            let shop = { (comparison: Predicate.Comparison, text: String) in
                Predicate.compare("shop", comparison, .text(text))
            }
            let number = { (comparison: Predicate.Comparison, integer: Int64) in
                Predicate.compare("number", comparison, .integer(integer))
            }
            let a = shop(.equal, "a")
            var conditions: [Predicate] = [
                a, .and([a, number(.equal, 1)]), .and([number(.equal, 1), a]), .or([a, number(.equal, 1)]),
                number(.equal, 1), .not(a),
                .and([a, number(.greater, 0), number(.less, 10)]),
                .and([a, number(.greater, 1), number(.greater, -1)]),
                .and([a, number(.less, -1), number(.less, 2)]), .and([a, shop(.equal, "b")]),
                .and([shop(.greater, "a"), shop(.less, "c")]),
                .and([shop(.greaterOrEqual, "a"), shop(.lessOrEqual, "b"), number(.equal, 0)]),
                .isIn("shop", [.text("a"), .text("c")]),
                .and([.isIn("shop", [.text("a"), .text("c")]), .isIn("number", [.integer(-2), .integer(2)])]),
                .isIn("shop", [.null]),
                .and([a, .isIn("number", [.integer(0), .integer(10)])]),
                .and([a, .not(.isIn("number", [.integer(0), .integer(10)]))]),
                .and([.isIn("shop", [.text("a")]), .between("number", .integer(0), .integer(1))]),
                .beginsWith("shop", "a"),
                .and([.beginsWith("shop", "a"), number(.less, 0)]),
                .and([a, .or([number(.less, 0), number(.greater, 2)])]),
                .or([.and([a, number(.equal, 0)]), .and([shop(.equal, "c"), number(.equal, 2)])]),
                .and([.or([a]), .and([number(.equal, 0)])]),
                .and([a, .compare("note", .equal, .text("a1"))]), .or([a, .compare("note", .equal, .text("c10"))]),
                .and([a, .not(number(.equal, 0))]),
                .and([a, .compare("number", .less, .double(1.5))]),
                .and([a, .compare("number", .equal, .double(1.5))]), .and([a, .constant(false)]),
                .or([a, .constant(true)]), .and([shop(.notEqual, "a"), shop(.notEqual, "b")]),
                .compare("shop", .greater, .null),
                .and([.not(.not(a)), number(.greaterOrEqual, 1)]), .between("shop", .text("a"), .text("b")),
                .and([.and([a]), number(.lessOrEqual, 0)]),
            ]
            for comparison in Predicate.Comparison.allCases {
                for text in shops + ["aa", "d"] { conditions.append(shop(comparison, text)) }
                for integer in [-3, -2, 1, 10, 11] as [Int64] {
                    conditions.append(.and([a, number(comparison, integer)]))
                }
            }
            for condition in conditions {
                context.witness(try await store.expectAgrees("Order", condition))
                context.witness(
                    try await store.expectAgrees(
                        QueryPlan("Order", where: condition, sort: [SortKey("number", .descending)], limit: 4)))
            }
        },
        Clause(
            "PRD-025",
            "IN takes lists of any length: no value is lost, no record comes twice, order and limit are global.",
            level: .query,
            catches:
                "Parameters end at 999, 1,000, 32,766 or 65,535; chunks come one after the other, each sorted and limited.",
            witness: "lists around every usual bound"
        ) { context in
            var store = try await ComparedStore(context, .integers)
            // Descending values, so that key order and value order differ.
            try await store.put("Number", (0..<2_100).map { [.integer($0), .integer(2_100 - $0), .null] })
            let limit = min(70_000, store.store.store.capabilities.limits.predicateNodeCount - 2)
            for length in [
                1, 2, 31, 32, 33, 63, 64, 65, 99, 100, 101, 127, 128, 255, 256, 257, 499, 500, 501, 512, 998, 999,
                1_000, 1_001, 2_000, 32_767, 65_536, limit,
            ]
            where length <= limit {
                let values = (0..<length).map { Value.integer(Int64($0)) }
                for field in ["id", "value"] {
                    let rows = try await store.store.rows(
                        QueryPlan("Number", where: .isIn(field, values.reversed() + values.prefix(1))))
                    let ids = (0..<2_100).filter { (field == "id" ? $0 : 2_100 - $0) < length }
                    try context.expectEqual(
                        rows.map { $0[0] }, ids.map { .integer(Int64($0)) },
                        "the records in a list of \(length) values of \(field)")
                    context.witness(rows.count)
                }
                guard length < 3_000 else { continue }
                try await store.expectAgrees(
                    QueryPlan(
                        "Number", where: .isIn("id", values), sort: [SortKey("value")], limit: 7, offset: length / 2))
                let others = try await store.store.rows(
                    QueryPlan("Number", where: .not(.isIn("value", values)), projection: ["id"])
                ).count
                try context.expectEqual(
                    others, 2_100 - max(0, length - 1), "the records not in a list of \(length) values")
            }
        },
        Clause(
            "PRD-026", "Operators that a field's type does not have, and operands of another kind, are refused.",
            level: .query,
            catches: "SQLite takes '1' = 1 as true by affinity; PostgreSQL fails in the middle of a query.",
            witness: "refusals of operators and operands"
        ) { context in
            let store = try await context.open(.indexedThings)
            try await store.put("Thing", SampleThing.few)
            for condition: Predicate in [
                .beginsWith("number", "1"), .contains("number", .text("1")), .contains("flag", .text("t")),
                .beginsWith("tags", "p"),
                .compare("tags", .less, .list([])), .between("tags", .list([]), .list([])),
            ] {
                for wrapped in [condition, .not(condition), .and([.constant(false), condition])] {
                    try await context.expectError(.schemaMismatch, from: "an operator that the type does not have") {
                        _ = try await store.rows(QueryPlan("Thing", where: wrapped))
                    }
                    context.witness()
                }
            }
            for condition: Predicate in [
                .compare("number", .equal, .text("1")), .compare("text", .equal, .integer(1)),
                .isIn("text", [.text("x"), .integer(1)]),
                .compare("flag", .equal, .integer(1)), .contains("text", .integer(1)), .contains("tags", .integer(1)),
                .between("text", .text("a"), .double(1)), .compare("tags", .equal, .text("p")),
                .compare("text", .equal, .list([])),
            ] {
                for wrapped in [condition, .not(condition), .or([.constant(true), condition])] {
                    try await context.expectError(.unrepresentable, from: "an operand of another kind") {
                        _ = try await store.rows(QueryPlan("Thing", where: wrapped))
                    }
                    context.witness()
                }
            }
            try await store.expectHolds("Thing", SampleThing.few)
        },
    ]
}

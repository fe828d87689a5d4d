import HoldfastStorage

extension Clause {
    /// Groups, negation and constants.
    static let predicateLogic: [Clause] = [
        Clause(
            "PRD-010", "An empty AND is true, an empty OR and an empty IN are false, alone, negated and nested.",
            level: .query,
            catches: "Broken SQL, `IN ()`, and builders that drop an empty group and so return everything.",
            witness: "empty groups in every place"
        ) { context in
            var store = try await ComparedStore(context, .indexedThings)
            try await store.put("Thing", SampleThing.few)
            let all = ["a", "b", "c", "d", "e", "f"]
            let x = Predicate.compare("text", .equal, .text("x"))
            for (condition, ids): (Predicate, [String]) in [
                (.and([]), all), (.or([]), []), (.isIn("text", []), []), (.isIn("id", []), []), (.isIn("tags", []), []),
                (.isIn("number", []), []),
                (.not(.and([])), []), (.not(.or([])), all), (.not(.isIn("text", [])), all), (.not(.not(.or([]))), []),
                (.and([x, .and([])]), ["a", "e"]), (.and([x, .or([])]), []), (.or([x, .and([])]), all),
                (.or([x, .or([])]), ["a", "e"]),
                (.or([.isIn("text", []), x]), ["a", "e"]), (.and([.isIn("number", []), x]), []),
                (.and([.not(.isIn("id", [])), x]), ["a", "e"]),
                (.or([.or([]), .or([])]), []), (.and([.and([]), .and([])]), all), (.or([.and([])]), all),
                (.and([.or([])]), []),
                (.constant(true), all), (.constant(false), []), (.not(.constant(false)), all),
                (.and([.constant(true), x]), ["a", "e"]),
                (.and([x, .constant(false)]), []), (.or([.constant(false), x]), ["a", "e"]),
                (.or([x, .constant(true)]), all),
                (.and([.not(.constant(true)), x]), []), (.isIn("number", [.double(0.5)]), []),
                (.not(.isIn("number", [.double(0.5)])), all),
            ] { context.witness(try await store.expect("Thing", condition, selects: ids)) }
        },
        Clause(
            "PRD-011", "A condition and its negation split the records: each is selected by exactly one of them.",
            level: .query,
            catches: "Three-valued logic, and translators that drop a NOT inside a group.",
            witness: "random conditions and their negations over records with nulls"
        ) { context in
            for entity in [EntitySchema.things, .indexedThings] {
                var random = SplitMix64(seed: context.seed)
                var store = try await ComparedStore(context, entity)
                try await store.put("Thing", SampleThing.rows(60, using: &random))
                let rows = store.rows(of: "Thing")
                let generator = PlanGenerator(entity: entity, rows: rows)
                for _ in 0..<60 {
                    let condition = generator.predicate(depth: 3, using: &random)
                    let selected = try await store.store.rows(QueryPlan("Thing", where: condition))
                    let others = try await store.store.rows(QueryPlan("Thing", where: .not(condition)))
                    guard selected.count + others.count == rows.count, !selected.contains(where: others.contains) else {
                        throw ClauseFailure(
                            "\(selected.count) of \(rows.count) records satisfy a condition and \(others.count) its negation",
                            example:
                                "_ = try await store.rows(\(SwiftText.query(QueryPlan("Thing", where: .not(condition)))))"
                        )
                    }
                    try await store.expectAgrees("Thing", condition)
                    context.witness(min(selected.count, others.count))
                }
            }
        },
        Clause(
            "PRD-012", "NOT negates the condition after it, wherever it is and however often.", level: .query,
            catches: "Amplify for Swift drops NOT inside AND; two NOTs become one; NOT binds to the first term only.",
            witness: "negations at every place of a tree"
        ) { context in
            var store = try await ComparedStore(context, .indexedThings)
            try await store.put("Thing", SampleThing.few)
            let x = Predicate.compare("text", .equal, .text("x"))
            let five = Predicate.compare("number", .equal, .integer(5))
            for (condition, ids): (Predicate, [String]) in [
                (.not(x), ["b", "c", "d", "f"]), (.not(.not(x)), ["a", "e"]),
                (.not(.not(.not(x))), ["b", "c", "d", "f"]),
                (.and([.not(x), five]), ["b", "f"]), (.and([five, .not(x)]), ["b", "f"]),
                (.and([.not(x), .not(five)]), ["c", "d"]),
                (.or([.not(x), five]), ["b", "c", "d", "f"]), (.or([x, .not(five)]), ["a", "c", "d", "e"]),
                (.not(.and([x, five])), ["a", "b", "c", "d", "e", "f"]),
                (.not(.or([x, five])), ["c", "d"]), (.not(.and([.not(x), .not(five)])), ["a", "b", "e", "f"]),
                (.not(.or([.not(x), .not(five)])), []),
                (.and([.not(.or([x, five])), .compare("id", .greater, .text("c"))]), ["d"]),
                (.not(.isIn("text", [.text("x"), .text("y")])), ["c", "d", "f"]),
                (.not(.beginsWith("text", "x")), ["b", "c", "d", "f"]),
                (.not(.contains("text", .text("x"))), ["b", "c", "d", "f"]),
                (.not(.contains("tags", .text("p"))), ["b", "c", "d", "f"]),
                (.not(.between("number", .integer(1), .integer(5))), ["c", "d", "e"]),
                (.not(.compare("number", .less, .integer(9))), ["c", "d", "e"]),
                (.not(.compare("number", .equal, .null)), ["a", "b", "d", "f"]),
                (.not(.isIn("number", [.null])), ["a", "b", "d", "f"]),
                (.not(.compare("id", .equal, .text("a"))), ["b", "c", "d", "e", "f"]),
                (.not(.compare("id", .less, .text("c"))), ["c", "d", "e", "f"]),
                (.not(.isIn("id", [.text("a"), .text("c")])), ["b", "d", "e", "f"]),
                (.not(.beginsWith("id", "a")), ["b", "c", "d", "e", "f"]),
            ] { context.witness(try await store.expect("Thing", condition, selects: ids)) }
        },
        Clause(
            "PRD-013", "Groups nest as they are written: OR inside AND and AND inside OR keep their parentheses.",
            level: .query,
            catches: "`a AND b OR c` without parentheses.", witness: "mixed groups that parentheses distinguish"
        ) { context in
            var store = try await ComparedStore(context, .indexedThings)
            try await store.put("Thing", SampleThing.few)
            let x = Predicate.compare("text", .equal, .text("x"))
            let five = Predicate.compare("number", .equal, .integer(5))
            let yes = Predicate.compare("flag", .equal, .boolean(true))
            for (condition, ids): (Predicate, [String]) in [
                (.and([yes, .or([x, five])]), ["a"]), (.or([.and([yes, x]), five]), ["a", "b", "f"]),
                (.and([.or([x, five]), yes]), ["a"]),
                (.or([five, .and([x, yes])]), ["a", "b", "f"]),
                (.and([.or([x, yes]), .or([five, yes])]), ["a", "d"]),
                (.or([.and([x, yes]), .and([five, .not(yes)])]), ["a", "b", "f"]),
                (.and([.or([x, .and([five, .not(x)])]), .not(yes)]), ["b", "e", "f"]),
                (.or([x, five, yes]), ["a", "b", "d", "e", "f"]),
                (.and([x, .compare("id", .less, .text("e")), yes]), ["a"]),
            ] { context.witness(try await store.expect("Thing", condition, selects: ids)) }
        },
        Clause(
            "PRD-014", "Laws of logic change nothing: De Morgan, distribution, order, repetition and nesting of terms.",
            level: .query,
            catches: "Translators that take another way for each form and one of them is wrong.",
            witness: "random conditions in several equivalent forms"
        ) { context in
            var random = SplitMix64(seed: context.seed &+ 1)
            var store = try await ComparedStore(context, .indexedThings)
            try await store.put("Thing", SampleThing.rows(50, using: &random))
            let generator = PlanGenerator(entity: .indexedThings, rows: store.rows(of: "Thing"))
            for _ in 0..<25 {
                let p = generator.predicate(depth: 2, using: &random)
                let q = generator.predicate(depth: 2, using: &random)
                let r = generator.predicate(depth: 1, using: &random)
                let families: [[Predicate]] = [
                    [
                        .and([p, q]), .not(.or([.not(p), .not(q)])), .and([q, p]), .and([p, q, p]),
                        .and([.and([p]), .or([q])]),
                    ],
                    [
                        .or([p, q]), .not(.and([.not(p), .not(q)])), .or([q, p]), .or([p, q, q]), .or([.or([p, q])]),
                    ],
                    [.and([p, .or([q, r])]), .or([.and([p, q]), .and([p, r])]), .and([.or([r, q]), p])],
                    [
                        p, .not(.not(p)), .or([p, p]), .and([p, .or([p, q])]),
                        .or([.and([p, q]), .and([p, .not(q)])]),
                    ],
                ]
                for forms in families {
                    let first = try await store.store.rows(QueryPlan("Thing", where: forms[0]))
                    for form in forms.dropFirst() {
                        let plan = QueryPlan("Thing", where: form)
                        if try await store.store.rows(plan) != first {
                            throw ClauseFailure(
                                "two equivalent conditions select different records",
                                example:
                                    "_ = try await store.rows(\(SwiftText.query(QueryPlan("Thing", where: forms[0]))))\n"
                                    + "_ = try await store.rows(\(SwiftText.query(plan)))")
                        }
                    }
                    try await store.expectAgrees(QueryPlan("Thing", where: forms[forms.count - 1]))
                    context.witness(first.count)
                }
            }
        },
        Clause(
            "PRD-015", "Groups of any width count in every term: the first, the last and all between.", level: .query,
            catches: "Terms beyond 31, 100 or 999 dropped; expression trees too deep for the back end.",
            witness: "groups whose decision hangs on one term"
        ) { context in
            var store = try await ComparedStore(context, .integers)
            try await store.put("Number", (0..<40).map { [.integer($0), .integer($0 % 7), .null] })
            for width in [
                1, 2, 3, 7, 8, 9, 31, 32, 33, 63, 64, 65, 99, 100, 101, 127, 128, 129, 255, 256, 257, 499, 500, 501,
                999, 1_000, 1_001, 1_500,
            ] {
                for index in Set([0, width / 2, width - 1]).sorted() {
                    let never = (0..<width).map { Predicate.compare("value", .equal, .integer(Int64(1_000 + $0))) }
                    let always = (0..<width).map { Predicate.compare("value", .notEqual, .integer(Int64(1_000 + $0))) }
                    var (any, all) = (never, always)
                    any[index] = .compare("id", .equal, .integer(3))
                    all[index] = .compare("id", .notEqual, .integer(3))
                    for (condition, expected) in [(Predicate.or(any), 1), (.and(all), 39)] {
                        let count = try await store.store.rows(QueryPlan("Number", where: condition)).count
                        try context.expectEqual(
                            count, expected, "the records selected by a group of \(width) with the decision at \(index)"
                        )
                        context.witness()
                    }
                }
            }
        },
    ]
}

import HoldfastStorage

extension Clause {
    /// Null in conditions.
    static let predicateNulls: [Clause] = [
        Clause(
            "PRD-001", "Not equal to a value is true of null: it is the complement of equal.", level: .query,
            catches: "SQL's unknown: `title != 'x'` skips records without a title.",
            witness: "records with null selected by `notEqual`"
        ) { context in
            for entity in [EntitySchema.things, .indexedThings] {
                var store = try await ComparedStore(context, entity)
                try await store.put("Thing", SampleThing.few)
                for (field, value, ids): (String, Value, [String]) in [
                    ("text", .text("x"), ["b", "c", "d", "f"]), ("number", .integer(5), ["a", "c", "d", "e"]),
                    ("ratio", .double(2.5), ["a", "c", "d", "e"]), ("flag", .boolean(true), ["b", "c", "e", "f"]),
                    ("tags", .list([.text("p")]), ["b", "c", "d", "e", "f"]),
                    ("number", .double(0.5), ["a", "b", "c", "d", "e", "f"]),
                ] {
                    context.witness(try await store.expect("Thing", .compare(field, .notEqual, value), selects: ids))
                    let both = Predicate.and([.compare(field, .notEqual, value), .compare("id", .notEqual, .text("?"))])
                    context.witness(try await store.expect("Thing", both, selects: ids))
                }
            }
        },
        Clause(
            "PRD-002", "Equal to null is \"is null\", not equal to null is \"is not null\".", level: .query,
            catches: "In SQL, `= NULL` is true of nothing, and `!= NULL` neither.",
            witness: "records selected by null and by its complement"
        ) { context in
            for entity in [EntitySchema.things, .indexedThings] {
                var store = try await ComparedStore(context, entity)
                try await store.put("Thing", SampleThing.few)
                for (field, ids): (String, [String]) in [
                    ("text", ["c", "f"]), ("number", ["c", "e"]), ("ratio", ["c", "d"]), ("flag", ["c", "e"]),
                    ("tags", ["c", "f"]),
                    ("id", []),
                ] {
                    context.witness(try await store.expect("Thing", .compare(field, .equal, .null), selects: ids))
                    let others = ["a", "b", "c", "d", "e", "f"].filter { !ids.contains($0) }
                    context.witness(try await store.expect("Thing", .compare(field, .notEqual, .null), selects: others))
                }
            }
        },
        Clause(
            "PRD-003", "Less, greater and between are false of null and for null, and their negation is true.",
            level: .query,
            catches:
                "A plain order puts null below everything, so null is less than 5; SQL selects neither p nor not p.",
            witness: "ranges over fields with null, and with null as operand"
        ) { context in
            for entity in [EntitySchema.things, .indexedThings] {
                var store = try await ComparedStore(context, entity)
                try await store.put("Thing", SampleThing.few)
                let number = { (comparison, value) in Predicate.compare("number", comparison, value) }
                for (condition, ids): (Predicate, [String]) in [
                    (number(.less, .integer(5)), ["a"]), (number(.lessOrEqual, .integer(5)), ["a", "b", "f"]),
                    (number(.greater, .integer(1)), ["b", "d", "f"]),
                    (number(.greaterOrEqual, .integer(.min)), ["a", "b", "d", "f"]),
                    (number(.lessOrEqual, .integer(.max)), ["a", "b", "d", "f"]), (number(.less, .null), []),
                    (number(.lessOrEqual, .null), []),
                    (number(.greater, .null), []), (number(.greaterOrEqual, .null), []),
                    (number(.less, .double(4.5)), ["a"]),
                    (.between("number", .integer(1), .integer(5)), ["a", "b", "f"]),
                    (.between("number", .null, .integer(5)), []),
                    (.between("number", .integer(1), .null), []), (.between("number", .null, .null), []),
                    (.compare("text", .less, .text("y")), ["a", "d", "e"]),
                    (.compare("text", .greaterOrEqual, .text("")), ["a", "b", "d", "e"]),
                    (.compare("text", .lessOrEqual, .null), []), (.between("text", .text(""), .null), []),
                    (.compare("flag", .lessOrEqual, .boolean(true)), ["a", "b", "d", "f"]),
                    (.compare("flag", .greaterOrEqual, .null), []),
                    (.compare("ratio", .less, .integer(100)), ["a", "b", "e", "f"]),
                    (.compare("ratio", .greater, .null), []),
                    (.beginsWith("text", "x"), ["a", "e"]), (.contains("text", .text("x")), ["a", "e"]),
                    (.contains("tags", .text("p")), ["a", "e"]),
                ] { context.witness(try await store.expect("Thing", condition, selects: ids)) }
            }
        },
        Clause(
            "PRD-004", "In a list of values, null is a value: it equals null and takes nothing from the others.",
            level: .query,
            catches: "One null makes SQL's NOT IN empty.", witness: "IN and its negation with null among the values"
        ) { context in
            for entity in [EntitySchema.things, .indexedThings] {
                var store = try await ComparedStore(context, entity)
                try await store.put("Thing", SampleThing.few)
                for (condition, ids): (Predicate, [String]) in [
                    (.isIn("text", [.text("x"), .null]), ["a", "c", "e", "f"]), (.isIn("text", [.null]), ["c", "f"]),
                    (.isIn("text", [.null, .null, .text("?")]), ["c", "f"]),
                    (.isIn("number", [.integer(5), .null, .integer(1)]), ["a", "b", "c", "e", "f"]),
                    (.isIn("flag", [.boolean(true), .null]), ["a", "c", "d", "e"]),
                    (.isIn("ratio", [.null, .double(0.5)]), ["a", "c", "d"]),
                    (.isIn("tags", [.null, .list([])]), ["b", "c", "f"]), (.isIn("id", [.null, .text("a")]), ["a"]),
                    (.isIn("number", [.integer(5), .integer(9)]), ["b", "d", "f"]),
                    (.isIn("text", [.text("x")]), ["a", "e"]),
                ] { context.witness(try await store.expect("Thing", condition, selects: ids)) }
            }
        },
        Clause(
            "PRD-005", "Between holds both its bounds; reversed bounds select nothing.", level: .query,
            catches: "Half-open ranges, and libraries that put the bounds into order.",
            witness: "ranges whose bounds are stored values"
        ) { context in
            for entity in [EntitySchema.things, .indexedThings] {
                var store = try await ComparedStore(context, entity)
                try await store.put("Thing", SampleThing.few)
                for (condition, ids): (Predicate, [String]) in [
                    (.between("number", .integer(1), .integer(9)), ["a", "b", "d", "f"]),
                    (.between("number", .integer(5), .integer(5)), ["b", "f"]),
                    (.between("number", .integer(9), .integer(1)), []),
                    (.between("number", .integer(2), .integer(4)), []),
                    (.between("text", .text(""), .text("x")), ["a", "d", "e"]),
                    (.between("text", .text("y"), .text("x")), []),
                    (.between("ratio", .double(-1), .double(2.5)), ["a", "b", "e", "f"]),
                    (.between("ratio", .double(2.5), .double(-1)), []),
                    (.between("id", .text("b"), .text("d")), ["b", "c", "d"]),
                    (.between("id", .text("d"), .text("b")), []),
                    (.between("id", .text("b"), .text("b")), ["b"]),
                    (.between("flag", .boolean(false), .boolean(false)), ["b", "f"]),
                    (.between("number", .double(0.5), .double(5.5)), ["a", "b", "f"]),
                    (.between("number", .double(5.5), .double(5.6)), []),
                ] { context.witness(try await store.expect("Thing", condition, selects: ids)) }
            }
        },
    ]
}

import HoldfastStorage

extension Clause {
    static let schemaShapes: [Clause] = [
        schema(
            "SCH-015",
            "Records with composite keys come in the order of their components, and a range over the first of "
                + "them holds exactly the keys that begin so.",
            requires: nil,
            catches: "Keys are joined as text: `1` finds `10`, and `ab`, `c` is `a`, `bc`.", witness: "ranges compared"
        ) { context in
            let entity = EntitySchema(
                "Part",
                fields: [
                    FieldSchema("size", .int), FieldSchema("house", .string), FieldSchema("raw", .bytes),
                    FieldSchema("room", .int),
                ], primaryKey: ["house", "room", "raw"])
            let houses = ["", "1", "10", "1 ", "a", "ab", "a\u{1}", "a%", "A", "é", "2"].map(Value.text)
            let rooms = [Int64.min, -256, -1, 0, 1, 10, 255, 256, .max].map(Value.integer)
            let raws: [Value] = [[], [0], [0, 0], [1], [255]].map(Value.bytes)
            var rows: [[Value]] = []
            for (number, house) in houses.enumerated() {
                for (index, room) in rooms.enumerated() where (number + index) % 4 != 3 {
                    for raw in raws.dropFirst((number + index) % 3) { rows.append([.integer(1), house, raw, room]) }
                }
            }
            rows.sort { entity.key(of: $0) < entity.key(of: $1) }
            let store = try await context.open(entity)
            try await store.put("Part", rows.reversed())
            let same = try await store.expectHolds("Part", rows)
            let (one, empty) = (Value.text("1"), Value.text(""))
            var bounds: [KeyRange.Bound] = [.unbounded]
            for prefix in [
                [empty], [one], [.text("10")], [.text("a")], [.text("aa")], [.text("é")], [one, .integer(.min)],
                [one, .integer(0)], [one, .integer(5)], [.text("a"), .integer(.max)], [one, .integer(0), .bytes([0])],
                [one, .integer(0), .bytes([0, 7])],
            ] as [[Value]] {
                bounds += [.included(prefix), .excluded(prefix)]
            }
            let snapshot = try await same.adapter.snapshot()
            for lower in bounds {
                for upper in bounds {
                    let range = KeyRange("Part", from: lower, to: upper)
                    let expected = rows.filter { range.contains(entity.key(of: $0).components) }
                    var scan = try await snapshot.scan(range)
                    var batch = RowBuffer()
                    var found: [[Value]] = []
                    repeat {
                        try await scan.next(maximumRowCount: 100, into: &batch)
                        found += batch.storedRows.map(\.cells)
                    } while !batch.isEmpty
                    await scan.close()
                    try context.expectEqual(found, expected, "the records from \(lower) to \(upper)")
                    context.witness()
                }
            }
            await snapshot.close()
            for house in houses {
                let predicate = Predicate.compare("house", .equal, house)
                try context.expectEqual(
                    try await same.rows(QueryPlan("Part", where: predicate)), rows.filter { $0[1] == house },
                    "the records of one first component")
                for room in rooms {
                    let both = Predicate.and([predicate, .compare("room", .lessOrEqual, room)])
                    let upTo = KeyRange("Part", from: .included([house]), to: .included([house, room]))
                    try context.expectEqual(
                        try await same.rows(QueryPlan("Part", where: both)),
                        rows.filter { upTo.contains(entity.key(of: $0).components) },
                        "the records of a first component up to a second")
                }
            }
        },
        schema(
            "SCH-016", "An unchanged precondition over a range of composite keys sees every change inside it.",
            requires: nil, catches: "The range is compared as text, or by the first component only.",
            witness: "changes found in a range"
        ) { context in
            let entity = EntitySchema(
                "Part", fields: [FieldSchema("house", .string), FieldSchema("room", .int)],
                primaryKey: ["house", "room"])
            let store = try await context.open(entity)
            try await store.put("Part", (0..<40).map { [.text("h\($0 / 10)"), .integer(Int64($0 % 10))] })
            let changes: [WriteOperation] = [
                .put(entity: "Part", rows: RowBuffer(row: [.text("h2"), .integer(4)]), mode: .update),
                .delete(entity: "Part", keys: [RecordKey([.text("h2"), .integer(5)])]),
                .put(entity: "Part", rows: RowBuffer(row: [.text("h2"), .integer(-6)]), mode: .insert),
            ]
            for (change, room) in zip(changes, [4, 5, -6] as [Int64]) {
                let since = try await store.store.withSnapshot { $0.sequence }
                try await store.commit([change])
                let cell = Value.integer(room)
                for range in [
                    KeyRange("Part", from: .included([.text("h2")]), to: .included([.text("h2")])),
                    KeyRange("Part", from: .excluded([.text("h1")]), to: .excluded([.text("h3")])),
                    KeyRange("Part", from: .included([.text("h2"), cell]), to: .included([.text("h2"), cell])),
                    KeyRange("Part", from: .excluded([.text("h2"), .integer(room - 1)]), to: .unbounded),
                    KeyRange("Part", to: .included([.text("h2"), cell])),
                ] {
                    try await context.expectError(.preconditionFailed, from: "unchanged after a change inside") {
                        try await store.commit([], if: [.unchanged(range, since: since)])
                    }
                    context.witness()
                }
                let now = try await store.store.withSnapshot { $0.sequence }
                try await store.commit([], if: [.unchanged(KeyRange("Part"), since: now)])
            }
        },
        schema(
            "SCH-017",
            "Names that differ are different, however alike a back end may find them: in case, beyond a length, "
                + "in marks it must replace, or with those it makes up itself.",
            requires: nil,
            catches: "Two entities share one table, or an index takes the name of a table.",
            witness: "entities with names alike"
        ) { context in
            let long = String(repeating: "n", count: 62)
            let names = [
                "Post", "post", "POST", "Post_", "Post tags", "Post_tags", "Post.tags", "Post-tags", "Post\"", "Post'",
                "Po\u{73}\u{301}t", "P\u{F6}st", "p\u{F6}st", "byNumber", "Post_byNumber", "1", "\(long)1a",
                "\(long)1b",
                long, "\(long)1", "Postnumber", "id", String(repeating: "x", count: 255),
                String(repeating: "x", count: 254) + "y",
            ]
            let entities = names.map { name in
                EntitySchema(
                    name,
                    fields: [
                        FieldSchema("id", .id), FieldSchema("number", .int), FieldSchema("Number", .int),
                        FieldSchema("tags", .list(of: .string, elementsAreRequired: true)),
                        FieldSchema("version", .int), FieldSchema("\(long)_a", .int), FieldSchema("\(long)_b", .int),
                    ], indexes: [IndexSchema("byNumber", on: ["number"]), IndexSchema("bynumber", on: ["Number"])])
            }
            func row(_ index: Int) -> [Value] {
                [.text("k"), .integer(Int64(index)), .integer(Int64(-index)), .list([.text("t\(index)")])]
                    + (1...3).map { .integer(Int64(index * 10 + $0)) }
            }
            let store = try await context.open(StorageSchema(entities: entities))
            for index in names.indices { try await store.put(names[index], [row(index)]) }
            try await store.delete("Post tags", [RecordKey("k")])
            try await store.commit([.clear(entity: "POST")])
            func check(_ store: TestStore) async throws {
                for (index, name) in names.enumerated() {
                    let isGone = name == "Post tags" || name == "POST"
                    let expected = isGone ? [] : [row(index)]
                    try context.expectEqual(try await store.everything(in: name), expected, "the records of '\(name)'")
                    for field in [("number", index), ("Number", -index), ("\(long)_b", index * 10 + 3)] {
                        let plan = QueryPlan(name, where: .compare(field.0, .equal, .integer(Int64(field.1))))
                        try context.expectEqual(try await store.rows(plan), expected, "a query of '\(name)'")
                    }
                    context.witness()
                }
            }
            try await check(store)
            if store.isPersistent { try await check(try await store.reopen()) }
        },
        schema(
            "SCH-018", "Names alike that come one after the other, by changes of the schema, stay apart as well.",
            catches: "The name for a new table is made from the entity's, without a look at those that exist.",
            witness: "entities added one by one"
        ) { context in
            let names = ["Post", "post", "POST", "Post ", "P\u{F6}st", "p\u{F6}st", "Post\"", "PoST", "pOST"]
            var store = try await context.open(EntitySchema.notes)
            for (index, name) in names.enumerated() {
                let entities = names.prefix(index + 1).map { name in
                    EntitySchema(
                        name, fields: [FieldSchema("id", .id), FieldSchema("n", .int), FieldSchema("N", .int)],
                        indexes: [IndexSchema("byN", on: ["n"]), IndexSchema("BYN", on: ["N"])])
                }
                store = try await store.reopen(StorageSchema(entities: [.notes] + entities))
                try await store.put(name, [[.text("k"), .integer(Int64(index)), .integer(Int64(-index))]])
                for (other, name) in names.prefix(index + 1).enumerated() {
                    try context.expectEqual(
                        try await store.rows(QueryPlan(name, where: .compare("N", .equal, .integer(Int64(-other))))),
                        [[.text("k"), .integer(Int64(other)), .integer(Int64(-other))]], "the records of '\(name)'")
                    context.witness()
                }
            }
        },
    ]
}

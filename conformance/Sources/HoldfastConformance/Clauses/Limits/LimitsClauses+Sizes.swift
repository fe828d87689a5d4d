import HoldfastStorage

extension Clause {
    /// Large values, large results, tables at the edges.
    static let sizes: [Clause] = [
        Clause(
            "LIM-010",
            "Large texts, JSON, bytes and lists come back whole, several in one row, in place of small ones and back.",
            catches: "Values beyond a page or a message are cut, or stay behind when they are replaced.",
            witness: "values of 1 KiB to 4 MiB, read back", protectsData: true
        ) { context in
            let entity = EntitySchema(
                "Large",
                fields: [
                    FieldSchema("id", .int), FieldSchema("text", .string), FieldSchema("json", .json),
                    FieldSchema("data", .bytes),
                    FieldSchema("list", .list(of: .string, elementsAreRequired: false)), FieldSchema("last", .int),
                ])
            var store = try await ComparedStore(context, entity)
            let limit = store.store.store.capabilities.limits.cellByteCount
            let sizes = [1_000, 4_096, 65_535, 65_536, 262_144, 1 << 20, 4 << 20].filter { $0 <= limit / 2 }
            func row(_ id: Int, _ size: Int) -> [Value] {
                let text = String(repeating: "0123456789abcde\u{E9}", count: size / 17) + "end"
                return [
                    .integer(Int64(id)), .text(text), .text("\"" + text + "\""), .bytes(SampleSize.bytes(size)),
                    .list([.text(text), .null, .text("end")]),
                    .integer(Int64(size)),
                ]
            }
            try await store.put("Large", sizes.enumerated().map { row($0, $1) })
            try await store.expectHolds("Large")
            context.witness(sizes.count)
            for (index, size) in sizes.enumerated().suffix(3) {
                let itself = Predicate.compare("id", .equal, .integer(Int64(index)))
                let large = row(index, size)
                for (condition, expected): (Predicate, Int) in [
                    (.compare("text", .equal, large[1]), 1),
                    (.compare("text", .equal, .text(large[1].sampleText + "!")), 0),
                    (.compare("data", .equal, large[3]), 1),
                    (.and([itself, .compare("text", .less, .text(large[1].sampleText + "!"))]), 1),
                    (.and([itself, .contains("list", .text("end"))]), 1), (.compare("last", .equal, large[5]), 1),
                ] {
                    let rows = try await store.store.rows(QueryPlan("Large", where: condition, projection: ["last"]))
                    try context.expectEqual(
                        rows, expected == 1 ? [[large[5]]] : [], "the record of a condition on \(size) bytes")
                    context.witness()
                }
            }
            try await store.put("Large", sizes.indices.map { row($0, 34) })
            try await store.expectHolds("Large")
            try await store.put("Large", [row(0, sizes[sizes.count - 1]), row(1, 0)])
            try await store.expectHolds("Large")
        },
        Clause(
            "LIM-011", "Results of any length come whole and in order, in batches of any size.", level: .query,
            catches: "A row lost or repeated where a batch, a page or a buffer ends: at 50, 256, 1,000, 1,024.",
            witness: "results around every usual bound, in several batch sizes"
        ) { context in
            var store = try await ComparedStore(context, .items)
            try await store.put("Item", SampleSize.items(0..<2_100))
            let all = store.rows(of: "Item")
            let counts = [
                0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 49, 50, 51, 63, 64, 65, 99, 100, 101, 127, 128, 129, 199, 200, 201,
                255, 256, 257, 499, 500, 501, 511, 512, 513, 999, 1_000, 1_001, 1_023, 1_024, 1_025, 2_000, 2_047,
                2_048, 2_049, 2_100,
            ]
            try await store.store.store.withSnapshot { snapshot in
                for count in counts {
                    let cases: [(QueryPlan, [[Value]])] = [
                        (QueryPlan("Item", limit: count), Array(all.prefix(count))),
                        (
                            QueryPlan("Item", where: .compare("id", .less, .integer(Int64(count)))),
                            Array(all.prefix(count))
                        ),
                        (
                            QueryPlan(
                                "Item", where: .compare("number", .greater, .integer(Int64(-count))),
                                sort: [SortKey("number")]), all.prefix(count).reversed()
                        ),
                    ]
                    for (plan, expected) in cases {
                        for batch in [100, count, max(1, count - 1), count + 1, 256, 1_000] where batch > 0 {
                            let rows = try await snapshot.rows(plan, batch: batch).map(\.cells)
                            try context.expect(
                                rows == expected,
                                "a query for \(count) rows in batches of \(batch): expected \(expected.count) in order, got \(rows.count)"
                            )
                            context.witness()
                        }
                    }
                }
                for batch in [1, 2, 3, 7] {
                    let rows = try await snapshot.rows(QueryPlan("Item", limit: 300, offset: 5), batch: batch).map(
                        \.cells)
                    try context.expect(
                        rows == Array(all[5..<305]),
                        "300 rows in batches of \(batch): got \(rows.count), or in another order")
                }
            }
        },
        Clause(
            "LIM-012", "Scans deliver every record once, however many there are and however they are batched.",
            catches: "A scan that starts again at the record it ended with, or ends with a full batch.",
            witness: "a scan of 66,000 records in several batch sizes", protectsData: true
        ) { context in
            let store = try await context.open(EntitySchema("Item", fields: [FieldSchema("id", .int)]))
            let count = 66_000
            let keys = (0..<count).map { Value.integer(Int64($0)) }
            let most = min(20_000, store.store.capabilities.limits.commitRowCount)
            for start in stride(from: 0, to: count, by: most) {
                try await store.put("Item", keys[start..<min(count, start + most)].map { [$0] })
            }
            let snapshot = try await store.adapter.snapshot()
            for (lower, batch) in [
                (0, 1_000), (0, 65_536), (64_000, 1), (65_000, 256), (60_000, 999), (65_900, 7), (0, 100_000),
            ] {
                var scan = try await snapshot.scan(KeyRange("Item", from: .included([keys[lower]])))
                var buffer = RowBuffer()
                var next = lower
                repeat {
                    try await scan.next(maximumRowCount: batch, into: &buffer)
                    try context.expect(buffer.rowCount <= batch, "a batch of \(batch) rows has \(buffer.rowCount)")
                    for row in 0..<buffer.rowCount {
                        try context.expect(
                            buffer[row, 0] == .integer(Int64(next)),
                            "the record after \(next) of them, in batches of \(batch), is another")
                        next += 1
                    }
                } while !buffer.isEmpty
                try context.expectEqual(next, count, "where a scan in batches of \(batch) ended")
                await scan.close()
                context.witness()
            }
            await snapshot.close()
            let rows = try await store.rows(
                QueryPlan("Item", sort: [SortKey("id", .descending)], limit: 3, offset: 65_534))
            try context.expectEqual(
                rows, [465, 464, 463].map { [.integer($0)] }, "the rows after 65,534 in descending order")
        },
        Clause(
            "LIM-013",
            "A read of many keys has one row for each, in the order asked, absent and repeated keys among them.",
            catches: "Keys beyond 999 parameters dropped; answers in key order, or once for a key asked twice.",
            witness: "reads around every usual bound"
        ) { context in
            let store = try await context.open(.items)
            try await store.put("Item", SampleSize.items(0..<3_000))
            for count in [
                0, 1, 2, 30, 31, 32, 33, 99, 100, 101, 254, 255, 256, 257, 499, 500, 501, 998, 999, 1_000, 1_001,
                4_000, 33_000,
            ] {
                // Every seventh key is absent. The order is arbitrary, and the first key comes again at the end.
                var numbers = (0..<count).map { ($0 * 7_919 + 13) % 3_000 }
                for index in numbers.indices where index % 7 == 6 { numbers[index] += 10_000 }
                if let first = numbers.first { numbers.append(first) }
                let records = try await store.store.records(
                    numbers.map { RecordKey([.integer(Int64($0))]) }, of: "Item")
                try context.expectEqual(records.count, numbers.count, "the rows of a read of \(numbers.count) keys")
                for (number, record) in zip(numbers, records) {
                    let isAbsent = number >= 10_000
                    let expected: [Value] =
                        isAbsent ? [.null, .null, .null] : [.integer(Int64(number)), .integer(Int64(-number)), .null]
                    try context.expect(
                        record.cells == expected && (record.version == 0) == isAbsent,
                        "a read of \(numbers.count) keys has another row where \(number) was asked")
                }
                context.witness()
            }
        },
        Clause(
            "LIM-014", "Commits of any number of rows are applied whole, in one operation or in many.",
            catches: "Batches that end at 999 or 1,000 rows, or lose the row that fills one.",
            witness: "commits around every usual bound, written, replaced and deleted", protectsData: true
        ) { context in
            var store = try await ComparedStore(context, .items)
            for count in [1, 2, 31, 32, 33, 99, 100, 101, 255, 256, 257, 499, 500, 501, 998, 999, 1_000, 1_001, 1_025] {
                let rows = SampleSize.items(0..<count)
                try await store.commit([
                    .clear(entity: "Item"), .put(entity: "Item", rows: RowBuffer(rows: rows), mode: .insert),
                ])
                try context.expectEqual(
                    try await store.store.everything(in: "Item"), rows, "the records after a commit of \(count) rows")
                let changed = rows.map { [$0[0], .integer(7), .null] }
                try await store.commit(changed.map { .put(entity: "Item", rows: RowBuffer(row: $0), mode: .update) })
                try context.expectEqual(
                    try await store.store.everything(in: "Item"), changed, "the records after \(count) operations")
                let gone = rows.dropFirst().map { RecordKey([$0[0]]) }
                try await store.commit([.delete(entity: "Item", keys: gone)])
                try context.expectEqual(
                    try await store.store.everything(in: "Item"), Array(changed.prefix(1)),
                    "the records after a delete of \(count - 1) keys")
                context.witness()
            }
            try await store.expectHolds("Item")
        },
        Clause(
            "LIM-015", "Entities may have one field or hundreds: each keeps its value and its null.",
            catches: "Null bits end at the 64th column; columns end at 100, 256 or 1,000.",
            witness: "entities of 1 to 500 fields, read back", protectsData: true
        ) { context in
            let widths = [
                1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 100, 127, 128, 129, 255, 256, 257, 500,
            ]
            let entities = widths.map { width in
                EntitySchema(
                    "Wide\(width)",
                    fields: (0..<width).map {
                        FieldSchema(
                            $0 == 0 ? "id" : "f\($0)",
                            [.string, .int, .dateTime, .list(of: .int, elementsAreRequired: false)][$0 % 4])
                    })
            }
            let store = try await context.open(StorageSchema(entities: entities))
            let instant = try FieldType.dateTime.canonical(.text("2024-01-01T00:00:00.5+01:00"))
            func cell(_ column: Int) -> Value {
                switch column % 4 {
                case 0: .text("v\(column)")
                case 1: .integer(Int64(column))
                case 2: instant
                default: .list([.integer(Int64(column))])
                }
            }
            var again = store
            for (width, entity) in zip(widths, entities) {
                let rows: [[Value]] = [
                    [.text("a")] + (1..<max(1, width)).map(cell), [.text("b")] + (1..<max(1, width)).map { _ in .null },
                    [.text("c")] + (1..<max(1, width)).map { $0 % 2 == 0 ? cell($0) : .null },
                    [.text("d")] + (1..<max(1, width)).map { $0 == width - 1 ? cell($0) : .null },
                ]
                try await again.put(entity.name, rows)
                try context.expectEqual(try await again.everything(in: entity.name), rows, "records of \(width) fields")
                if width > 64 {
                    again = try await again.expectHolds(entity.name, rows)
                    if case .text = cell(width - 1) {
                        let found = try await again.rows(
                            QueryPlan(
                                entity.name, where: .compare("f\(width - 1)", .equal, cell(width - 1)),
                                projection: ["id"]))
                        try context.expectEqual(
                            found, (width % 2 == 1 ? ["a", "c", "d"] : ["a", "d"]).map { [.text($0)] },
                            "the records found by the last of \(width) fields")
                    }
                }
                context.witness()
            }
        },
        Clause(
            "LIM-016", "Tables of no record and of one answer every question.", level: .query,
            catches: "Empty batches taken for errors, aggregates of nothing, a cursor after the only record.",
            witness: "every question of an empty table and of one with one record"
        ) { context in
            var store = try await ComparedStore(context, .indexedThings)
            for round in 0..<3 {
                for condition: Predicate in [
                    .all, .constant(false), .compare("text", .equal, .text("x")),
                    .not(.compare("text", .equal, .text("x"))), .isIn("id", [.text("a"), .text("b")]),
                    .compare("id", .greater, .text("")),
                    .contains("tags", .text("p")), .compare("number", .equal, .null),
                ] {
                    try await store.expectAgrees("Thing", condition)
                    for plan in [
                        QueryPlan("Thing", where: condition, sort: [SortKey("text", .descending)]),
                        QueryPlan("Thing", where: condition, limit: 0), QueryPlan("Thing", where: condition, limit: 1),
                        QueryPlan("Thing", where: condition, limit: 2, offset: 1),
                        QueryPlan("Thing", where: condition, after: Cursor([.text("a")])),
                        QueryPlan("Thing", where: condition, after: Cursor([.text("")])),
                        QueryPlan("Thing", where: condition, projection: ["number"]),
                    ] {
                        try await store.expectAgrees(plan)
                        context.witness()
                    }
                }
                let aggregates = try await store.store.store.withSnapshot {
                    try await $0.aggregate(
                        AggregatePlan("Thing", [.count, .minimum("number"), .sum("number"), .maximum("text")]))
                }
                let expected: [Value] =
                    round == 1
                    ? [.integer(1), .integer(1), .integer(1), .text("x")] : [.integer(0), .null, .integer(0), .null]
                try context.expectEqual(
                    aggregates, expected, "the aggregates of \(round == 1 ? "one record" : "no record")")
                try await store.expectHolds("Thing")
                if round == 0 { try await store.put("Thing", [SampleThing.few[0]]) }
                if round == 1 { try await store.commit([.delete(entity: "Thing", keys: [RecordKey("a")])]) }
            }
        },
        Clause(
            "LIM-017", "A store holds hundreds of entities, each with its own records.",
            catches: "Entities numbered in one byte, tables that share a prefix.",
            witness: "300 entities, each with its own record", protectsData: true
        ) { context in
            let names = (0..<300).map { "Entity\($0)" }
            var store = try await context.open(
                StorageSchema(entities: names.map { EntitySchema($0, fields: EntitySchema.texts.fields) }))
            try await store.commit(
                names.map { .put(entity: $0, rows: RowBuffer(row: [.text("a"), .text($0)]), mode: .upsert) })
            try await store.commit([.clear(entity: "Entity1")])
            if store.isPersistent { store = try await store.reopen() }
            for name in names {
                let expected: [[Value]] = name == "Entity1" ? [] : [[.text("a"), .text(name)]]
                try context.expectEqual(try await store.everything(in: name), expected, "the records of \(name)")
                context.witness()
            }
        },
    ]
}

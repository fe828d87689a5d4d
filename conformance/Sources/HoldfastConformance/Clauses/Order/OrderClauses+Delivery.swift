import HoldfastStorage

extension Clause {
    /// Batches, ranges, projections, and the life of scans.
    static let orderOfDelivery: [Clause] = [
        Clause(
            "ORD-013",
            "The size of the batches changes nothing: every size delivers the same rows in the same order, never more "
                + "at a time than asked for, and an empty batch only at the end, where it stays empty.",
            catches: "Rows are lost or repeated where a batch ends, at 32, 100, 1,000 or 1,024.",
            witness: "scans in batches of many sizes", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.numbered(0..<1_100)
            let sizes = [
                1, 2, 3, 31, 32, 33, 50, 99, 100, 101, 255, 256, 257, 512, 999, 1_000, 1_001, 1_024, 1_099, 1_100,
                1_101, 5_000, .max,
            ]
            for entity in ["Item", "Indexed"] {
                try await store.put(entity, rows)
                try await store.store.withSnapshot { snapshot in
                    for size in sizes where entity == "Item" || size > 3 {
                        for (name, plan) in Self.deliveries(of: entity) {
                            let found = try await snapshot.rows(plan, batch: size).map(\.cells)
                            let expected = plan.sort.isEmpty ? rows : rows.reversed()
                            try context.expect(
                                found == expected,
                                "\(name) of \(entity) in batches of \(size): \(SwiftText.difference(found, expected))")
                            context.witness()
                        }
                    }
                }
                let raw = try await store.adapter.snapshot()
                for size in sizes {
                    let found = try await Self.drain(try await raw.scan(KeyRange(entity)), [size], context)
                    try context.expect(
                        found == rows,
                        "a scan of \(entity) in batches of \(size): \(SwiftText.difference(found, rows))")
                }
                for changing in [[1, 33, 7, 512, 2, 100, 1, 1, 256], [10, .max]] {
                    let mixed = try await Self.drain(try await raw.scan(KeyRange(entity)), changing, context)
                    try context.expectEqual(mixed, rows, "a scan of \(entity) in batches of changing size")
                }
                await raw.close()
            }
        },
        Clause(
            "ORD-014", "A result has exactly as many rows as match, whatever their number.",
            catches:
                "Off by one at 32, 50, 64, 100, 256, 1,000, 1,024 or 4,096: a page, a buffer or a chunk ends there.",
            witness: "results of many sizes", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.numbered(0..<4_200)
            for entity in ["Item", "Indexed"] {
                try await store.put(entity, rows)
                let schema = try store.store.schema.entity(named: entity)
                let raw = try await store.adapter.snapshot()
                for size in Sizes.boundaries where size <= 4_200 {
                    let first = Array(rows.prefix(size))
                    let below = Predicate.compare("rank", .less, .integer(Int64(size)))
                    for sort in [[], [SortKey("rank")]] {
                        let found = try await store.rows(QueryPlan(entity, where: below, sort: sort))
                        try context.expect(
                            found == first, "\(size) rows of \(entity): \(SwiftText.difference(found, first))")
                    }
                    let range = KeyRange(entity, to: .excluded([.text(Items.id(size))]))
                    let scanned = try await Self.drain(try await raw.scan(range), [1_024], context)
                    try context.expect(
                        scanned == first,
                        "a range of \(size) rows of \(entity): \(SwiftText.difference(scanned, first))")
                    let count = try await store.store.withSnapshot { try await $0.count(entity, where: below) }
                    try context.expectEqual(count, size, "the count of \(size) rows of \(schema.name)")
                    context.witness()
                }
                await raw.close()
            }
        },
        Clause(
            "ORD-015", "Results and commits of more than 65,535 rows are complete.",
            catches: "A count, a row number or a parameter number has 16 bits.",
            witness: "rows beyond the 65,536th", protectsData: true
        ) { context in
            let store = try await context.open(
                EntitySchema("Small", fields: [FieldSchema("id", .int)]))
            let rows: [[Value]] = (0..<66_000).map { [.integer($0)] }
            try await store.put("Small", rows)
            let raw = try await store.adapter.snapshot()
            let found = try await Self.drain(try await raw.scan(KeyRange("Small")), [4_096], context)
            await raw.close()
            try context.expect(found == rows, "66,000 rows by scan: \(SwiftText.difference(found, rows))")
            let queried = try await store.rows(QueryPlan("Small", sort: [SortKey("id", .descending)], limit: 65_600))
            let expected = Array(rows.reversed().prefix(65_600))
            try context.expect(queried == expected, "65,600 rows by query: \(SwiftText.difference(queried, expected))")
            context.witness(found.count - 65_536)
        },
        Clause(
            "ORD-016",
            "A key range delivers exactly the records between its ends; an end may be the beginning of a key.",
            catches:
                "An excluded prefix excludes one key only; a text prefix lets 'a' match 'ab'; an open end stops early.",
            witness: "ranges with every kind of end", protectsData: true
        ) { context in
            let store = try await context.open(.pairs)
            let rows: [[Value]] = ["", "a", "a#", "ab", "b"].flatMap { a in
                [-256, -1, 0, 1, 255, 256].map { [.null, .text(a), .integer($0)] }
            }
            try await store.putShuffled("Pair", rows, seed: context.seed)
            var prefixes: [[Value]] = ["", "a", "a#", "aa", "ab", "b", "c"].map { [.text($0)] }
            prefixes += [[.text("a"), .integer(0)], [.text("a"), .integer(7)], [.text("ab"), .integer(-256)], []]
            let bounds: [KeyRange.Bound] =
                [.unbounded] + prefixes.map { .included($0) } + prefixes.map { .excluded($0) }
            let raw = try await store.adapter.snapshot()
            for lower in bounds {
                for upper in bounds {
                    let range = KeyRange("Pair", from: lower, to: upper)
                    let expected = rows.filter { range.contains([$0[1], $0[2]]) }
                    let found = try await Self.drain(try await raw.scan(range), [4], context)
                    try context.expect(
                        found == expected, "\(lower)...\(upper): \(SwiftText.difference(found, expected))")
                    context.witness(found.count)
                }
            }
            await raw.close()
        },
        Clause(
            "ORD-017",
            "A projection delivers the fields asked for, in the order asked, with the version of the whole record.",
            level: .query,
            catches: "Columns come in schema order, or sorting by a field that is not delivered fails.",
            witness: "projected rows"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.mixed(80, seed: context.seed)
            for entity in ["Item", "Indexed"] {
                try await store.put(entity, rows)
                let sequence = try await store.put(entity, [rows[7]]).sequence
                let schema = try store.store.schema.entity(named: entity)
                for projection in [["title"], ["price", "id"], ["done", "rank", "id", "title"], ["id"], ["rank"], []] {
                    for sort in [[], [SortKey("rank", .descending)], [SortKey("title"), SortKey("price")]] {
                        var plan = QueryPlan(entity, sort: sort, limit: 50, offset: 1, projection: projection)
                        context.witness(try await store.expectAnswer(plan, of: rows))
                        plan.after = Cursor(after: rows[11], of: schema, sortedBy: sort)
                        context.witness(try await store.expectAnswer(plan, of: rows, "after a cursor"))
                    }
                }
                let key = Predicate.compare("id", .equal, rows[7][0])
                let one = try await store.store.rows(QueryPlan(entity, where: key, projection: ["title"]))
                try context.expectEqual(one, [StoredRow([rows[7][2]], version: sequence)], "a projected record")
            }
        },
        Clause(
            "ORD-018",
            "Several scans and queries of one snapshot can be in progress at once; each keeps its own place.",
            catches: "Two scans share one statement or iterator; the second one moves the first.",
            witness: "batches of interleaved scans", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.numbered(0..<120)
            try await store.put("Item", rows)
            try await store.put("Indexed", rows)
            let raw = try await store.adapter.snapshot()
            let plans = ["Item", "Indexed"].flatMap { entity in Self.deliveries(of: entity).map(\.plan) }
            var scans: [any AdapterScan] = []
            for plan in plans + plans { scans.append(try await raw.query(store.store.schema.bind(plan))) }
            scans.append(try await raw.scan(KeyRange("Item")))
            scans.append(try await raw.scan(KeyRange("Item")))
            var found: [[[Value]]] = Array(repeating: [], count: scans.count)
            var batch = RowBuffer()
            for round in 0..<40 {
                for index in scans.indices {
                    try await scans[index].next(maximumRowCount: 3 + (round + index) % 4, into: &batch)
                    found[index] += batch.storedRows.map(\.cells)
                    context.witness(batch.rowCount)
                }
            }
            for (index, plan) in (plans + plans).enumerated() {
                let expected = plan.sort.isEmpty ? rows : rows.reversed()
                try context.expectEqual(found[index], expected, "interleaved query \(index)")
            }
            for index in scans.indices.suffix(2) { try context.expectEqual(found[index], rows, "an interleaved scan") }
            await raw.close()
        },
        Clause(
            "ORD-019", "Scans that are closed early or dropped hold nothing up: reading and writing continue.",
            catches: "Statements, cursors or iterators stay open; after some dozens the store is busy.",
            witness: "scans given up half way"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.numbered(0..<40)
            try await store.put("Item", rows)
            try await store.put("Indexed", rows)
            for round in 0..<150 {
                let raw = try await store.adapter.snapshot()
                let plan = Self.deliveries(of: round % 2 == 0 ? "Item" : "Indexed")[round % 3].plan
                var scan = try await raw.query(store.store.schema.bind(plan))
                var batch = RowBuffer()
                try await scan.next(maximumRowCount: 1 + round % 5, into: &batch)
                if round % 3 == 0 {
                    await scan.close()
                    await scan.close()
                }
                let other = try await raw.allRecords(of: "Item")
                try context.expectEqual(other.count, 40 + round, "records beside a scan that was given up")
                if round % 2 == 0 { await raw.close() }
                try await store.put("Item", [Items.row(100 + round)])
                context.witness()
            }
            try await store.expectHolds("Item", rows + (0..<150).map { Items.row(100 + $0) })
        },
        Clause(
            "ORD-020", "Reading replaces whatever the row buffer held, also rows of another width.",
            catches: "Rows are appended to those of the last call.",
            witness: "buffers that were used before"
        ) { context in
            let store = try await context.open(.items(), .pairs)
            try await store.put("Item", Items.numbered(0..<3))
            try await store.put("Pair", [[.null, .text("a"), .integer(1)]])
            let raw = try await store.adapter.snapshot()
            var rows = RowBuffer(rows: [[.text("left over"), .null], [.null, .null]])
            for _ in 0..<2 {
                try await raw.get(GetRequest("Item", keys: [Items.key(1), Items.key(9)]), into: &rows)
                try context.expectEqual(
                    rows.storedRows.map(\.cells), [Items.row(1, rank: 1), Array(repeating: .null, count: 5)],
                    "rows read by key into a used buffer")
                try context.expectEqual(rows.columnCount, 5, "cells of a row of a used buffer")
                var scan = try await raw.scan(KeyRange("Pair"))
                try await scan.next(maximumRowCount: 9, into: &rows)
                try context.expectEqual(
                    rows.storedRows.map(\.cells), [[.null, .text("a"), .integer(1)]], "rows scanned into a used buffer")
                try await scan.next(maximumRowCount: 9, into: &rows)
                try context.expectEqual(rows.rowCount, 0, "rows beyond the end, in a used buffer")
                try await store.store.get([Items.key(2)], of: "Item", into: &rows)
                try context.expectEqual(
                    rows.storedRows.map(\.cells), [Items.row(2, rank: 2)],
                    "a row read without a snapshot into a used buffer")
                var query = try await raw.query(
                    store.store.schema.bind(
                        QueryPlan("Item", sort: [SortKey("rank", .descending)], projection: ["rank"])))
                try await query.next(maximumRowCount: 2, into: &rows)
                try context.expectEqual(
                    rows.storedRows.map(\.cells), [[.integer(2)], [.integer(1)]], "rows queried into a used buffer")
                context.witness()
            }
            await raw.close()
        },
        Clause(
            "ORD-021",
            "What was read belongs to the reader: changing it changes neither the store nor what is read later.",
            catches: "The store hands out its own cached objects.",
            witness: "rows changed after reading, then read again", protectsData: true
        ) { context in
            let store = try await context.open(.items())
            let rows = Items.numbered(0..<5)
            try await store.put("Item", rows)
            try await store.store.withSnapshot { snapshot in
                var buffer = RowBuffer()
                let keys = (0..<5).map(Items.key)
                for _ in 0..<3 {
                    try await snapshot.get(keys, of: "Item", into: &buffer)
                    try context.expectEqual(buffer.storedRows.map(\.cells), rows, "records by key")
                    for row in 0..<5 { buffer.set(.text("changed"), row: row, column: 2) }
                    var scan = try await snapshot.query(QueryPlan("Item"))
                    try await scan.next(into: &buffer)
                    try context.expectEqual(buffer.storedRows.map(\.cells), rows, "records by query")
                    for row in 0..<5 { buffer.set(.integer(-1), row: row, column: 1) }
                    context.witness()
                }
            }
            try await store.expectHolds("Item", rows)
        },
        Clause(
            "ORD-023",
            "Records of several entities read at once are those that each read alone gives, in the order asked.",
            catches: "Answers are taken for those of another entity, or a read of many keys moves those after it.",
            witness: "reads at once, each compared with reads one by one"
        ) { context in
            let store = try await context.open(.items(), .pairs)
            try await store.put("Item", Items.numbered(0..<30))
            try await store.put("Pair", [[.null, .text("a"), .integer(1)], [.text("x"), .text("b"), .integer(2)]])
            let pairs = [RecordKey([.text("a"), .integer(1)]), RecordKey([.text("b"), .integer(2)])]
            let absent = GetRequest("Item", keys: [Items.key(90)])
            let many = GetRequest("Item", keys: (20..<40).map(Items.key) + [Items.key(20)])
            let nothing = GetRequest("Pair", keys: [])
            let batches = [
                [], [absent], [many, GetRequest("Pair", keys: pairs)],
                [GetRequest("Pair", keys: pairs), nothing, many],
                [absent, GetRequest("Item", keys: [Items.key(3)]), many, GetRequest("Pair", keys: [pairs[1]])],
            ]
            for requests in batches {
                let answers = try await store.store.get(requests)
                let answersOfSnapshot = try await store.store.withSnapshot { try await $0.get(requests) }
                try context.expectEqual(answers.count, requests.count, "answers to reads at once")
                try context.expectEqual(answersOfSnapshot.count, requests.count, "answers of a snapshot")
                for (index, request) in requests.enumerated() {
                    var rows = RowBuffer()
                    try await store.store.get(request.keys, of: request.entity, into: &rows)
                    let expected = rows.storedRows
                    try context.expectEqual(answers[index].storedRows, expected, "rows of a read beside others")
                    try context.expectEqual(
                        answersOfSnapshot[index].storedRows, expected, "rows of a read of a snapshot beside others")
                }
                context.witness()
            }
        },
    ]

    /// Ways to ask for all records of an entity of numbered items.
    private static func deliveries(of entity: String) -> [(name: String, plan: QueryPlan)] {
        let all = Predicate.compare("rank", .greaterOrEqual, .integer(0))
        return [
            ("a query", QueryPlan(entity)), ("a filtered query", QueryPlan(entity, where: all)),
            ("a sorted query", QueryPlan(entity, sort: [SortKey("rank", .descending)])),
        ]
    }

    /// Pulls a scan to its end and checks the size of every batch.
    private static func drain(
        _ scan: any AdapterScan, _ sizes: [Int], _ context: ClauseContext
    ) async throws -> [[Value]] {
        var scan = scan
        var batch = RowBuffer()
        var rows: [[Value]] = []
        var round = 0
        repeat {
            let size = sizes[round % sizes.count]
            try await scan.next(maximumRowCount: size, into: &batch)
            try context.expect(batch.rowCount <= size, "a batch of \(batch.rowCount) rows where \(size) were asked for")
            try context.expect(round < 100_000, "a scan did not end")
            rows += (0..<batch.rowCount).map { Array(batch[$0]) }
            round += 1
        } while !batch.isEmpty
        for _ in 0..<2 {
            try await scan.next(maximumRowCount: 1, into: &batch)
            try context.expectEqual(batch.rowCount, 0, "rows beyond the end of a scan")
        }
        await scan.close()
        return rows
    }
}

/// Numbers at which pages, buffers and chunks end.
enum Sizes {
    static let boundaries = [
        0, 1, 2, 15, 16, 17, 31, 32, 33, 49, 50, 51, 63, 64, 65, 99, 100, 101, 127, 128, 129, 199, 200, 201, 255, 256,
        257, 499, 500, 501, 511, 512, 513, 999, 1_000, 1_001, 1_023, 1_024, 1_025, 2_047, 2_048, 2_049, 4_095, 4_096,
        4_097,
    ]
}

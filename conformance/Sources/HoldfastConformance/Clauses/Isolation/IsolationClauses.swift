import HoldfastStorage

extension Clause {
    /// Snapshots, concurrent sessions, anomalies.
    static let isolation: [Clause] = snapshots + sessions + anomalies + isolationOfSequences

    private static let snapshots: [Clause] = [
        Clause(
            "ISO-001",
            "A snapshot never changes: reading by key, scans, queries, and aggregates show what was committed when it was "
                + "taken, whatever is put, replaced, deleted or cleared since.",
            catches: "Only scans read the snapshot; reads by key, counts or index queries go to the live store.",
            witness: "views of a snapshot compared after later commits", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            for entity in ["Item", "Indexed"] {
                let rows = Items.numbered(0..<60)
                let changes: [(String, [WriteOperation])] = [
                    (
                        "new records",
                        [.put(entity: entity, rows: RowBuffer(rows: Items.numbered(60..<70)), mode: .insert)]
                    ),
                    (
                        "replaced records",
                        [
                            .put(
                                entity: entity, rows: RowBuffer(rows: (0..<9).map { Items.row($0, rank: 500) }),
                                mode: .update)
                        ]
                    ),
                    ("deleted records", [.delete(entity: entity, keys: (30..<40).map(Items.key))]),
                    ("a clear", [.clear(entity: entity)]),
                    (
                        "everything at once",
                        [
                            .clear(entity: entity),
                            .put(entity: entity, rows: RowBuffer(rows: [Items.row(1, rank: -1)]), mode: .upsert),
                        ]
                    ),
                ]
                for (name, operations) in changes {
                    try await store.commit([
                        .clear(entity: entity), .put(entity: entity, rows: RowBuffer(rows: rows), mode: .upsert),
                    ])
                    let early = try await store.adapter.snapshot()
                    let before = try await store.adapter.snapshot()
                    try await before.expectItems(entity, rows, store, context, "before \(name)")
                    try await store.commit(operations)
                    // One was read before the change, the other was not.
                    try await before.expectItems(entity, rows, store, context, "after \(name)")
                    try await early.expectItems(entity, rows, store, context, "first read after \(name)")
                    context.witness(2)
                    await before.close()
                    await early.close()
                }
            }
        },
        Clause(
            "ISO-002",
            "Snapshots taken at different times each keep their own state, in whatever order they are closed.",
            catches: "All open snapshots share one read transaction, or closing one frees what another still reads.",
            witness: "snapshots held open at once", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            var held: [(snapshot: any AdapterSnapshot, rows: [[Value]], sequence: UInt64)] = []
            var rows: [[Value]] = []
            for round in 0..<12 {
                rows = (rows.isEmpty ? [] : Array(rows[1...])) + Items.numbered((round * 3)..<(round * 3 + 3))
                try await store.commit([
                    .clear(entity: "Indexed"), .put(entity: "Indexed", rows: RowBuffer(rows: rows), mode: .insert),
                ])
                let snapshot = try await store.adapter.snapshot()
                held.append((snapshot, rows, try await store.commit([]).sequence))
            }
            var random = SplitMix64(seed: context.seed)
            while !held.isEmpty {
                for (snapshot, rows, sequence) in held {
                    try context.expectEqual(snapshot.sequence, sequence, "the sequence of a held snapshot")
                    try await snapshot.expectItems("Indexed", rows, store, context, "in a held snapshot")
                    context.witness()
                }
                await held.remove(at: random.below(held.count)).snapshot.close()
                try await store.put("Indexed", [Items.row(900 + held.count, rank: 900)])
            }
        },
        Clause(
            "ISO-003",
            "A scan or query in progress delivers its snapshot's records, whatever is written between its batches.",
            catches:
                "Rows written ahead of an iteration turn up in it: SQLite on one connection returned 10 of 5 rows.",
            witness: "batches delivered between commits", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = (0..<90).map { Items.row($0 * 2, rank: $0) }
            for entity in ["Item", "Indexed"] {
                let filter = Predicate.compare("rank", .greaterOrEqual, .integer(0))
                let plans = [
                    QueryPlan(entity), QueryPlan(entity, where: filter), QueryPlan(entity, sort: [SortKey("rank")]),
                    QueryPlan(entity, where: filter, sort: [SortKey("title"), SortKey("rank")]),
                ]
                for number in 0...plans.count {
                    try await store.commit([
                        .clear(entity: entity), .put(entity: entity, rows: RowBuffer(rows: rows), mode: .insert),
                    ])
                    let snapshot = try await store.adapter.snapshot()
                    var scan: any AdapterScan
                    if number < plans.count {
                        scan = try await snapshot.query(store.store.schema.bind(plans[number]))
                    } else {
                        scan = try await snapshot.scan(KeyRange(entity))
                    }
                    var found: [[Value]] = []
                    var batch = RowBuffer()
                    for round in 0..<100 {
                        try await scan.next(maximumRowCount: 8, into: &batch)
                        if batch.isEmpty { break }
                        found += batch.storedRows.map(\.cells)
                        try await store.commit([
                            .put(
                                entity: entity,
                                rows: RowBuffer(rows: [
                                    Items.row(179 - round, rank: 200 + round),
                                    Items.row(round * 16 + 17, rank: round * 8 + 9),
                                ]), mode: .upsert),
                            .delete(entity: entity, keys: [Items.key(178 - round * 4), Items.key(round * 16 + 20)]),
                        ])
                        context.witness(batch.rowCount)
                    }
                    try context.expect(
                        found == rows,
                        "way \(number) through \(entity), written to meanwhile: \(SwiftText.difference(found, rows))")
                    await snapshot.close()
                }
            }
        },
        Clause(
            "ISO-004", "A snapshot stays as it is through hundreds of later commits and does not hold them up.",
            catches:
                "An old snapshot is dropped or overwritten when the log is folded back, or the writer waits for it.",
            witness: "commits made while a snapshot was open", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.numbered(0..<200)
            try await store.put("Item", rows)
            try await store.put("Indexed", rows)
            let snapshot = try await store.adapter.snapshot()
            let keys = rows.map { RecordKey([$0[0]]) }
            var before = RowBuffer()
            try await snapshot.get(GetRequest("Item", keys: keys), into: &before)
            var scan = try await snapshot.scan(KeyRange("Item"))
            var batch = RowBuffer()
            try await scan.next(maximumRowCount: 50, into: &batch)
            var found = batch.storedRows.map(\.cells)
            for round in 0..<250 {
                let changed = (0..<40).map { Items.row(($0 * 7 + round) % 200, rank: 1_000 + round) }
                try await store.commit([
                    .put(entity: "Item", rows: RowBuffer(rows: changed), mode: .upsert),
                    .put(entity: "Indexed", rows: RowBuffer(rows: changed), mode: .upsert),
                    .delete(entity: round % 2 == 0 ? "Item" : "Indexed", keys: [Items.key(round % 200)]),
                ])
                context.witness()
                if round % 50 == 0 {
                    try await snapshot.expectItems("Indexed", rows, store, context, "after \(round) commits")
                }
            }
            found += try await scan.drain().map(\.cells)
            try context.expectEqual(found, rows, "a scan in progress during 250 commits")
            try await snapshot.expectItems("Item", rows, store, context, "after 250 commits")
            var after = RowBuffer()
            try await snapshot.get(GetRequest("Item", keys: keys), into: &after)
            try context.expectEqual(after.storedRows, before.storedRows, "records by key after 250 commits")
            await snapshot.close()
        },
        Clause(
            "ISO-005",
            "After `close()` a snapshot and its scans fail with `storage.closed`; closing again does nothing, and others continue to work.",
            catches: "A freed handle is used: wrong data or a crash. Or one snapshot closes another's connection.",
            witness: "calls on closed snapshots"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.numbered(0..<20)
            try await store.put("Item", rows)
            try await store.put("Indexed", rows)
            let other = try await store.adapter.snapshot()
            let snapshot = try await store.adapter.snapshot()
            var batch = RowBuffer()
            var fresh = try await snapshot.scan(KeyRange("Item"))
            var begun = try await snapshot.query(store.store.schema.bind(QueryPlan("Indexed")))
            try await begun.next(maximumRowCount: 5, into: &batch)
            var sorted = try await snapshot.query(store.store.schema.bind(QueryPlan("Item", sort: [SortKey("title")])))
            try await sorted.next(maximumRowCount: 5, into: &batch)
            let limits = store.store.capabilities.limits
            let deep = Predicate.compare("rank", .greaterOrEqual, .integer(0)).deepened(limits)
            var filtered = try await snapshot.query(
                store.store.schema.bind(QueryPlan("Item", where: deep, sort: [SortKey("title")]), limits: limits))
            try await filtered.next(maximumRowCount: 5, into: &batch)
            await snapshot.close()
            await snapshot.close()
            let query = try store.store.schema.bind(QueryPlan("Item"))
            let count = try store.store.schema.bind(AggregatePlan("Item", [.count]))
            try await context.expectError(.closed, from: "a read by key") {
                try await snapshot.get(GetRequest("Item", keys: [Items.key(1)]), into: &batch)
            }
            try await context.expectError(.closed, from: "a scan") {
                try await Self.pull(try await snapshot.scan(KeyRange("Item")))
            }
            try await context.expectError(.closed, from: "a query") {
                try await Self.pull(try await snapshot.query(query))
            }
            try await context.expectError(.closed, from: "a count") { _ = try await snapshot.aggregate(count) }
            try await context.expectError(.closed, from: "a scan made before") {
                try await fresh.next(maximumRowCount: 5, into: &batch)
            }
            try await context.expectError(.closed, from: "a query begun before") {
                try await begun.next(maximumRowCount: 5, into: &batch)
            }
            try await context.expectError(.closed, from: "a sorted query begun before") {
                try await sorted.next(maximumRowCount: 5, into: &batch)
            }
            try await context.expectError(.closed, from: "a sorted query with a deep condition begun before") {
                try await filtered.next(maximumRowCount: 5, into: &batch)
            }
            await begun.close()
            context.witness(8)
            try await other.expectItems("Item", rows, store, context, "beside a closed snapshot")
            await other.close()
        },
        Clause(
            "ISO-006", "One snapshot may be read by several tasks at once; each gets the right rows.",
            catches: "Tasks share a cursor or a buffer.", witness: "reads of one snapshot by several tasks",
            protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.numbered(0..<150)
            try await store.put("Item", rows)
            try await store.put("Indexed", rows)
            let snapshot = try await store.adapter.snapshot()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for _ in 0..<3 {
                            try await snapshot.expectItems(
                                task % 2 == 0 ? "Item" : "Indexed", rows, store, context, "read by task \(task)")
                            context.witness()
                        }
                    }
                }
                group.addTask { for round in 0..<20 { try await store.put("Item", [Items.row(round, rank: 999)]) } }
                try await group.waitForAll()
            }
            await snapshot.close()
        },
    ]

    /// Pulls one batch, where an adapter may put off a failure to the first one.
    private static func pull(_ scan: any AdapterScan) async throws {
        var scan = scan
        var batch = RowBuffer()
        try await scan.next(maximumRowCount: 1, into: &batch)
    }
}

extension AdapterSnapshot {
    /// Compares every way of reading items from a snapshot with what it should hold.
    func expectItems(
        _ entity: String, _ rows: [[Value]], _ store: TestStore, _ context: ClauseContext, _ when: String
    ) async throws {
        let schema = store.store.schema
        let scanned = try await allRecords(of: entity).map(\.cells)
        try context.expect(scanned == rows, "\(entity) by scan \(when): \(SwiftText.difference(scanned, rows))")
        let ranked = Predicate.compare("rank", .greaterOrEqual, .integer(0))
        for plan in [QueryPlan(entity), QueryPlan(entity, where: ranked), QueryPlan(entity, sort: [SortKey("rank")])] {
            var scan = try await query(schema.bind(plan))
            let found = try await scan.drain().map(\.cells)
            try context.expect(found == rows, "\(SwiftText.query(plan)) \(when): \(SwiftText.difference(found, rows))")
        }
        var buffer = RowBuffer()
        let keys = rows.map { RecordKey([$0[0]]) }
        try await get(GetRequest(entity, keys: keys), into: &buffer)
        let read = buffer.storedRows.map(\.cells)
        try context.expect(read == rows, "\(entity) by key \(when): \(SwiftText.difference(read, rows))")
        let absent = Items.key(-1_000)
        try await get(GetRequest(entity, keys: [absent, Items.key(65)]), into: &buffer)
        let shown = rows.first { $0[0] == .text(Items.id(65)) }
        try context.expectEqual(
            buffer.storedRows.map { $0.version > 0 }, [false, shown != nil], "\(entity) by keys of others \(when)")
        let sum = rows.reduce(Int64(0)) { sum, row in if case .integer(let rank) = row[1] { sum + rank } else { sum } }
        let aggregates = try await aggregate(schema.bind(AggregatePlan(entity, where: ranked, [.count, .sum("rank")])))
        try context.expectEqual(
            aggregates, [.integer(Int64(rows.count)), .integer(sum)], "aggregates of \(entity) \(when)")
        let count = try await aggregate(schema.bind(AggregatePlan(entity, [.count])))
        try context.expectEqual(count, [.integer(Int64(rows.count))], "the count of \(entity) \(when)")
    }
}

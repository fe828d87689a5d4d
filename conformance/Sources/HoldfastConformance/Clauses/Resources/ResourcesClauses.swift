import HoldfastStorage

extension Clause {
    /// Memory, handles and files.
    static let resources: [Clause] = resourcesOfReaders + resourcesOfStores + resourcesOfGrowth + resourcesOfSizes

    static func resources(
        _ id: String, _ rule: String, requires requirement: Requirement? = nil, catches: String, witness: String,
        check: @escaping Check
    ) -> Clause {
        Clause(
            id, rule, requires: requirement, catches: catches, witness: witness,
            measuresProcess: true, check: check)
    }

    private static let resourcesOfReaders: [Clause] = [
        resources(
            "RES-001", "A thousand snapshots and scans, opened and closed one after the other, leave nothing behind.",
            catches: "A cursor or a connection per snapshot, given back only when the store closes.",
            witness: "snapshots opened and closed"
        ) { context in
            let store = try await context.open(.entries)
            let rows = EntitySchema.entryRows(0..<60)
            try await store.put("Entry", rows)
            try await expectNoLeaks(context, rounds: 10, each: 100) { number in
                let snapshot = try await store.store.snapshot()
                let plan = QueryPlan("Entry", sort: number % 2 == 0 ? [] : [SortKey("text")])
                var scan = try await snapshot.query(plan)
                var batch = RowBuffer()
                try await scan.next(maximumRowCount: number % 3 == 0 ? 10 : 100, into: &batch)
                try context.expect(!batch.isEmpty, "Scan \(number) is empty.")
                await scan.close()
                try context.expectEqual(try await snapshot.count("Entry"), 60, "count \(number)")
                await snapshot.close()
                context.witness()
            }
            try await store.expectHolds("Entry", rows)
        },
        resources(
            "RES-002", "Snapshots and scans that are dropped unfinished release what they hold.",
            catches: "Readers that are never closed use up all connections, or hold the log of changes forever.",
            witness: "scans dropped"
        ) { context in
            let store = try await context.open(.entries)
            let rows = EntitySchema.entryRows(0..<60)
            try await store.put("Entry", rows)
            try await expectNoLeaks(context, rounds: 10, each: 60) { number in
                try await dropScan(of: store, number, context)
            }
            let put = EntitySchema.entryRow(60)
            try await store.put("Entry", [put])
            try await store.expectHolds("Entry", rows + [put])
        },
        resources(
            "RES-003",
            "A scan is pulled: it neither reads all its rows at the beginning nor keeps those it has delivered. What "
                + "counts is memory that is allocated; pages of a file that is mapped are the system's.",
            requires: .persistence,
            catches: "The driver fetches the whole result before the first row.", witness: "rows of a large scan"
        ) { context in
            let store = try await context.open(.entries)
            let text = String(repeating: "x", count: 16_000)
            for batch in 0..<20 {
                let rows: [[Value]] = (batch * 200..<batch * 200 + 200).map {
                    [EntitySchema.entryRow($0)[0], .integer(Int64($0)), .text(text)]
                }
                try await store.commit(
                    [.put(entity: "Entry", rows: RowBuffer(rows: rows), mode: .insert)], durability: Durability.none)
            }
            let again = try await store.reopen()
            guard ProcessUsage.allocatedByteCount != nil else {
                throw ClauseSkip("The system does not report how much memory a process uses.")
            }
            for path in ["scan", "query"] {
                let before = ProcessUsage.allocatedByteCount ?? 0
                let snapshot = try await again.adapter.snapshot()
                let plan = try again.store.schema.bind(QueryPlan("Entry"), limits: Capabilities.Limits())
                var scan = path == "scan" ? try await snapshot.scan(KeyRange("Entry")) : try await snapshot.query(plan)
                var (batch, count, most) = (RowBuffer(), 0, 0)
                repeat {
                    try await scan.next(maximumRowCount: 20, into: &batch)
                    count += batch.rowCount
                    most = max(most, (ProcessUsage.allocatedByteCount ?? 0) - before)
                } while !batch.isEmpty
                await scan.close()
                await snapshot.close()
                try context.expectEqual(count, 4_000, "the rows of a large \(path)")
                try context.expect(
                    most < 40 << 20, "A \(path) of 64 MB in batches of 320 KB took \(most >> 20) MB more memory.")
                context.witness(count)
            }
        },
        resources(
            "RES-004", "The first batch of a scan in key order takes no longer in a large store than in a small one.",
            catches: "A scan that looks lazy sorts or copies everything first.", witness: "first batches timed"
        ) { context in
            try await expectSameTime(context, "the first 10 rows of a scan") { store, _ in
                let snapshot = try await store.adapter.snapshot()
                var scan = try await snapshot.scan(KeyRange("Entry", from: .included([.text("e0050")])))
                var batch = RowBuffer()
                try await scan.next(maximumRowCount: 10, into: &batch)
                try context.expectEqual(batch.rowCount, 10, "the rows of a first batch")
                await scan.close()
                await snapshot.close()
            }
        },
        resources(
            "RES-005", "Reading a record by key takes no longer in a large store than in a small one.",
            catches: "The key is looked for from the first record on, or compared under a function no index has.",
            witness: "reads timed"
        ) { context in
            try await expectSameTime(context, "a read by key") { store, number in
                let row = EntitySchema.entryRow(number % 90)
                let record = try await store.store.records([RecordKey([row[0]])], of: "Entry")
                try context.expectEqual(record.first?.cells, row, "a record")
            }
        },
        resources(
            "RES-006",
            "A reader that takes its time holds up no writer, and sees nothing of what is written meanwhile.",
            catches: "Readers and writers share one lock.", witness: "commits while a reader was reading"
        ) { context in
            let store = try await context.open(.entries)
            let rows = EntitySchema.entryRows(0..<200)
            try await store.put("Entry", rows)
            // Commits without and with a reader; only the quickest of each count, whatever else the machine does.
            let clock = ContinuousClock()
            var alone = Duration.seconds(60)
            for round in 0..<20 {
                let start = clock.now
                try await store.put("Entry", [rows[round], rows[round + 20]])
                alone = min(alone, start.duration(to: clock.now))
            }
            let snapshot = try await store.store.snapshot()
            var scans: [StoreScan] = []
            for plan in [QueryPlan("Entry"), QueryPlan("Entry", where: .compare("text", .notEqual, .null))] {
                scans.append(try await snapshot.query(plan))
            }
            var batch = RowBuffer()
            var read: [[[Value]]] = [[], []]
            var beside = Duration.seconds(60)
            for round in 0..<150 {
                let start = clock.now
                try await store.put(
                    "Entry", [[rows[round][0], .integer(-1), .text("new")], EntitySchema.entryRow(300 + round)])
                beside = min(beside, start.duration(to: clock.now))
                if round >= 30 && beside >= alone * 5 + .milliseconds(50) { break }
                if round % 40 == 9 { try await store.delete("Entry", [RecordKey([rows[199 - round][0]])]) }
                for index in scans.indices {
                    try await scans[index].next(maximumRowCount: 1, into: &batch)
                    read[index] += batch.storedRows.map(\.cells)
                }
                context.witness()
            }
            try context.expect(
                beside < alone * 5 + .milliseconds(50),
                "The quickest of 150 commits beside a reader took \(beside), of 20 without one \(alone).")
            for index in scans.indices {
                repeat {
                    try await scans[index].next(maximumRowCount: 64, into: &batch)
                    read[index] += batch.storedRows.map(\.cells)
                } while !batch.isEmpty
                try context.expectEqual(read[index], rows, "what a slow reader read")
            }
            await snapshot.close()
        },
    ]

    private static func dropScan(of store: TestStore, _ number: Int, _ context: ClauseContext) async throws {
        var batch = RowBuffer()
        let snapshot = try await store.store.snapshot()
        var scan = try await snapshot.query(
            QueryPlan("Entry", sort: number % 3 == 1 ? [SortKey("text")] : []))
        try await scan.next(maximumRowCount: 5, into: &batch)
        try context.expectEqual(batch.rowCount, 5, "the rows of a first batch")
        context.witness()
    }

    /// Does something again and again; descriptors and memory must not grow with it.
    ///
    /// What grows by itself now and then does not count: a leak grows in every round.
    static func expectNoLeaks(
        _ context: ClauseContext, rounds: Int, each count: Int, byteCount: Int = 2_048,
        _ body: (Int) async throws -> Void
    ) async throws {
        for number in 0..<count { try await body(number) }
        let (descriptors, threads) = (ProcessUsage.descriptorCount, ProcessUsage.threadCount)
        var (memory, growingRounds) = (ProcessUsage.allocatedByteCount ?? 0, 0)
        for _ in 1..<rounds {
            for number in 0..<count { try await body(number) }
            let now = ProcessUsage.allocatedByteCount ?? 0
            if now - memory > count * byteCount { growingRounds += 1 }
            memory = now
        }
        try context.expect(
            growingRounds < rounds - 2, "Memory grew in \(growingRounds) of \(rounds - 1) rounds of \(count) calls.")
        // What is released by another thread may take a moment. Threads of a pool end when they had nothing to do for
        // seconds, and then need a processor to do so: half a minute is only a watchdog.
        for attempt in 0..<3_000 {
            let newDescriptors = (ProcessUsage.descriptorCount ?? 0) - (descriptors ?? 0)
            let newThreads = (ProcessUsage.threadCount ?? 0) - (threads ?? 0)
            let keepsDescriptors = newDescriptors >= count / 3
            if !keepsDescriptors && newThreads < count / 3 { return }
            if attempt == 2_999 || (keepsDescriptors && attempt >= 1_499) {
                throw ClauseFailure(
                    "\((rounds - 1) * count) calls left \(newDescriptors) descriptors and \(newThreads) threads behind."
                )
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Compares the time of something in a store of 100 records with that in one of 10,000.
    private static func expectSameTime(
        _ context: ClauseContext, _ subject: String, _ body: (TestStore, Int) async throws -> Void
    ) async throws {
        try await SizedStores(context, .entries, EntitySchema.entryRow).expectSameTime(subject, body)
    }
}

package import HoldfastStorage

extension Clause {
    /// Opening, closing, reopening.
    static let lifecycle: [Clause] =
        lifecycleOfHandles + lifecycleOfStores + lifecycleOfLocations
        + lifecycleOfClosing + lifecycleOfBackups

    static func lifecycle(
        _ id: String, version: Int = 1, _ rule: String, requires requirement: Requirement? = nil, catches: String,
        witness: String, protectsData: Bool = false, check: @escaping Check
    ) -> Clause {
        Clause(
            id, version: version, rule, requires: requirement, catches: catches, witness: witness,
            protectsData: protectsData, check: check)
    }

    private static let lifecycleOfHandles: [Clause] = [
        lifecycle(
            "LIF-001", "A handle is opened once: opening it again is misuse, and what it holds stays.",
            catches: "The second opening makes a second connection, or a new, empty store in memory.",
            witness: "a second opening refused", protectsData: true
        ) { context in
            let store = try await context.open(.entries)
            let rows = EntitySchema.entryRows(0..<20)
            try await store.put("Entry", rows)
            for entities in [[EntitySchema.entries], [EntitySchema.entries, .others], [.others]] {
                let request = OpenRequest(schema: try StorageSchema(entities: entities))
                try await context.expectError(.misuse, from: "opening an open handle") {
                    try await store.adapter.open(request)
                }
                try await store.put("Entry", [rows[0]])
                context.witness()
            }
            try await store.expectHolds("Entry", rows)
        },
        lifecycle(
            "LIF-002", "Before it is opened, a handle refuses every call as misuse or closed.",
            catches: "A connection made on demand: writes go to a store that has no schema.",
            witness: "calls refused before opening"
        ) { context in
            let adapter = try await context.makeLocation().makeAdapter()
            let put = CommitRequest(operations: [
                .put(entity: "Entry", rows: RowBuffer(rows: EntitySchema.entryRows(0..<1)), mode: .upsert)
            ])
            try await context.expectError(.misuse, .closed, from: "a commit before opening") {
                _ = try await adapter.commit(put)
            }
            try await context.expectError(.misuse, .closed, from: "an empty commit before opening") {
                _ = try await adapter.commit(CommitRequest())
            }
            try await context.expectError(.misuse, .closed, from: "a snapshot before opening") {
                _ = try await adapter.snapshot()
            }
            try await context.expectError(.misuse, .closed, from: "a read before opening") {
                var rows = RowBuffer()
                try await adapter.get(GetRequest("Entry", keys: [RecordKey("e0")]), into: &rows)
            }
            try await adapter.open(OpenRequest(schema: StorageSchema(entities: [.entries])))
            let snapshot = try await adapter.snapshot()
            try context.expectEqual(snapshot.sequence, 0, "the sequence after refused calls")
            await snapshot.close()
            try await adapter.close()
            context.witness(4)
        },
        lifecycle(
            "LIF-003", "Closing is idempotent, also when several tasks close at once.",
            catches: "The second close of a C handle is undefined behavior, or an unexpected error.",
            witness: "repeated closings"
        ) { context in
            let store = try await context.open(.entries)
            try await store.put("Entry", EntitySchema.entryRows(0..<5))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await store.store.close() } }
                try await group.waitForAll()
            }
            for _ in 0..<3 { try await store.store.close() }
            context.witness(11)
            if store.isPersistent {
                let again = try await context.open(store.store.schema, at: store.location)
                try await again.expectHolds("Entry", EntitySchema.entryRows(0..<5))
            }
        },
        lifecycle(
            "LIF-004",
            "After closing every call fails with closed: also in snapshots and scans begun before, which never end "
                + "as if there were no more rows.",
            catches: "A scan whose store is gone delivers an empty batch, and half a result is taken for the whole.",
            witness: "calls refused after closing"
        ) { context in
            let store = try await context.open(.entries)
            let rows = EntitySchema.entryRows(0..<60)
            try await store.put("Entry", rows)
            let snapshot = try await store.store.snapshot()
            let numbered = Predicate.compare("number", .greaterOrEqual, .integer(3))
            let plans = [
                QueryPlan("Entry"), QueryPlan("Entry", sort: [SortKey("number", .descending)]),
                QueryPlan("Entry", sort: [SortKey("text")]),
                QueryPlan("Entry", where: numbered), QueryPlan("Entry", where: .contains("text", .text("t"))),
                QueryPlan("Entry", where: numbered.deepened(store.store.capabilities.limits), sort: [SortKey("text")]),
            ]
            var scans: [StoreScan] = []
            var batch = RowBuffer()
            for plan in plans {
                var scan = try await snapshot.query(plan)
                try await scan.next(maximumRowCount: 7, into: &batch)
                try context.expectEqual(batch.rowCount, 7, "the rows of a first batch")
                scans.append(scan)
            }
            let bare = try await store.adapter.snapshot()
            var bareScan = try await bare.scan(KeyRange("Entry"))
            try await bareScan.next(maximumRowCount: 7, into: &batch)
            try await store.store.close()

            for index in scans.indices {
                try await context.expectError(.closed, from: "the next batch of scan \(index) after closing") {
                    try await scans[index].next(into: &batch)
                }
                context.witness()
            }
            try await context.expectError(.closed, from: "the next batch of a scan in key order after closing") {
                try await bareScan.next(maximumRowCount: 7, into: &batch)
            }
            try await expectClosed(store, snapshot, context)
            for index in scans.indices { await scans[index].close() }
            await bareScan.close()
            await bare.close()
            await snapshot.close()
        },
        lifecycle(
            "LIF-005",
            "Closing lets operations in progress end: each has succeeded and is kept, or fails with closed and left "
                + "nothing.",
            requires: .persistence,
            catches: "Work still queued when the store closes is acknowledged and thrown away.",
            witness: "commits acknowledged while the store was closing", protectsData: true
        ) { context in
            for round in 0..<4 {
                let store = try await context.open(.entries)
                let (acks, ack) = AsyncStream<Void>.makeStream()
                let outcomes = ConcurrentList<(Int, StorageError?)>()
                await withTaskGroup { group in
                    for writer in 0..<6 {
                        group.addTask {
                            for number in 0..<25 {
                                let row = EntitySchema.entryRow(writer * 100 + number)
                                let error = await storageError { try await store.put("Entry", [row]) }
                                outcomes.add((writer * 100 + number, error))
                                ack.yield()
                                if error != nil { break }
                            }
                        }
                    }
                    group.addTask {
                        var count = 0
                        for await _ in acks {
                            count += 1
                            if count == 10 + round * 7 { break }
                        }
                        try? await store.store.close()
                    }
                    await group.waitForAll()
                }
                let again = try await context.open(store.store.schema, at: store.location)
                let stored = Set(try await again.everything(in: "Entry").map { $0[0] })
                for (number, error) in outcomes.all {
                    let isThere = stored.contains(EntitySchema.entryRow(number)[0])
                    if let error {
                        try context.expectEqual(error.kind, .closed, "the error of a commit while closing")
                        try context.expect(
                            !isThere || error.transaction == .outcomeUnknown,
                            "A commit that failed while closing is there.")
                    } else {
                        try context.expect(isThere, "A commit acknowledged while closing is lost.")
                        context.witness()
                    }
                }
                try await again.store.close()
            }
        },
        lifecycle(
            "LIF-006", "A handle that is dropped without closing locks no one out and loses nothing acknowledged.",
            requires: .persistence,
            catches: "Only close writes what is buffered, or gives up the lock.",
            witness: "records read after a handle was dropped", protectsData: true
        ) { context in
            let location = try await context.makeLocation()
            let schema = try StorageSchema(entities: [.entries])
            for round in 0..<5 {
                try await putAndDrop(EntitySchema.entryRow(round), at: location, schema)
                let again = try await openOnceReleased(context, schema, at: location)
                let rows = try await again.everything(in: "Entry")
                try context.expectEqual(
                    rows, EntitySchema.entryRows(0..<round + 1), "the records after a handle was dropped")
                context.witness(rows.count)
                try await again.store.close()
            }
        },
    ]

    private static func putAndDrop(_ row: [Value], at location: any StoreLocation, _ schema: StorageSchema) async throws
    {
        let store = try await Store.open(try location.makeAdapter(), schema: schema)
        let put = WriteOperation.put(entity: "Entry", rows: RowBuffer(row: row), mode: .insert)
        _ = try await store.commit(CommitRequest(operations: [put]))
    }

    /// Opens a store whose last handle may be on its way out.
    private static func openOnceReleased(
        _ context: ClauseContext, _ schema: StorageSchema, at location: any StoreLocation
    ) async throws -> TestStore {
        // A watchdog of half a minute: another thread may release it.
        for _ in 0..<3_000 {
            do {
                return try await context.open(schema, at: location)
            } catch let error as StorageError {
                guard error.kind == .locked || error.kind == .busy else { throw error }
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw ClauseFailure("A store whose only handle was dropped stays locked.")
    }

    private static func expectClosed(
        _ store: TestStore, _ snapshot: StoreSnapshot, _ context: ClauseContext
    ) async throws {
        func closed(_ subject: String, _ body: () async throws -> Void) async throws {
            try await context.expectError(.closed, from: "\(subject) after closing", body)
            context.witness()
        }
        let capabilities = store.store.capabilities
        var batch = RowBuffer()
        try await closed("a snapshot") { _ = try await store.store.snapshot() }
        try await closed("a read by key") { _ = try await store.store.records([RecordKey("e0")], of: "Entry") }
        try await closed("a commit") { try await store.put("Entry", EntitySchema.entryRows(0..<1)) }
        try await closed("an empty commit") { try await store.commit([]) }
        try await closed("a commit under a precondition") {
            try await store.commit([], if: [.absent(entity: "Entry", key: RecordKey("none"))])
        }
        try await closed("a large commit") { try await store.put("Entry", EntitySchema.entryRows(0..<700)) }
        try await closed("a query of an old snapshot") { _ = try await snapshot.rows(QueryPlan("Entry")) }
        try await closed("a sorted query of an old snapshot") {
            _ = try await snapshot.rows(QueryPlan("Entry", sort: [SortKey("text")]))
        }
        try await closed("a read by key in an old snapshot") {
            try await snapshot.get([RecordKey("e0000")], of: "Entry", into: &batch)
        }
        try await closed("a count in an old snapshot") { _ = try await snapshot.count("Entry") }
        if capabilities.support(for: .verification) != .unsupported {
            try await closed("a verification") { _ = try await store.store.verify() }
        }
        if capabilities.support(for: .changeFeed) != .unsupported {
            try await closed("a change feed") { _ = try await store.store.changes() }
        }
    }
}

/// The error of a call, if it fails with one of a store.
func storageError(_ body: () async throws -> Void) async -> StorageError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? StorageError ?? StorageError(.misuse, "\(error)")
    }
}

extension EntitySchema {
    /// `Entry(id, number, text)` with an index on the number: what checks of whole stores need.
    package static let entries = EntitySchema(
        "Entry",
        fields: [FieldSchema("id", .id), FieldSchema("number", .int), FieldSchema("text", .string)],
        indexes: [IndexSchema("byNumber", on: ["number"])])

    /// The row of a number: `e0007`, 7 modulo 10, and a text.
    package static func entryRow(_ number: Int) -> [Value] {
        let digits = String(number)
        let id = "e" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return [.text(id), .integer(Int64(number % 10)), .text("text \(number * 7_919 % 1_000)")]
    }

    /// The rows of some numbers, in key order.
    static func entryRows(_ numbers: Range<Int>) -> [[Value]] { numbers.map(entryRow) }
}

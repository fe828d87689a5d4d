import HoldfastStorage

extension Clause {
    static let resourcesOfStores: [Clause] = [
        resources(
            "RES-007", "Stores that are opened and closed leave no descriptor, no thread and no memory behind.",
            catches: "Threads and connections of a pool outlive the store.", witness: "stores opened and closed"
        ) { context in
            let location = try await context.makeLocation()
            let schema = try StorageSchema(entities: [.entries])
            try await expectNoLeaks(context, rounds: 6, each: 24, byteCount: 200_000) { number in
                let store = try await Store.open(try location.makeAdapter(), schema: schema)
                let put = WriteOperation.put(
                    entity: "Entry", rows: RowBuffer(row: EntitySchema.entryRow(number)), mode: .upsert)
                _ = try await store.commit(CommitRequest(operations: [put], durability: Durability.none))
                _ = try await store.rows(QueryPlan("Entry", sort: [SortKey("text")]))
                try await store.close()
                context.witness()
            }
        },
        resources(
            "RES-008",
            "Commits that fail leave nothing behind: after a thousand of them the store is as quick and as free as "
                + "before.",
            catches: "A transaction that is never rolled back holds the writer's lock from the first failure on.",
            witness: "commits that failed"
        ) { context in
            let store = try await context.open(.entries)
            let rows = EntitySchema.entryRows(0..<20)
            try await store.put("Entry", rows)
            let bad: [CommitRequest] = [
                CommitRequest(preconditions: [.absent(entity: "Entry", key: RecordKey([rows[0][0]]))]),
                CommitRequest(operations: [.put(entity: "Entry", rows: RowBuffer(row: rows[1]), mode: .insert)]),
                CommitRequest(operations: [
                    .put(entity: "Entry", rows: RowBuffer(row: EntitySchema.entryRow(500)), mode: .upsert),
                    .put(entity: "Entry", rows: RowBuffer(row: EntitySchema.entryRow(501)), mode: .update),
                ]),
            ]
            try await expectNoLeaks(context, rounds: 10, each: 102) { number in
                try await context.expectError(.preconditionFailed, from: "commit \(number)") {
                    _ = try await store.store.commit(bad[number % 3])
                }
                context.witness()
            }
            try await store.put("Entry", [EntitySchema.entryRow(20)])
            try await store.expectHolds("Entry", EntitySchema.entryRows(0..<21))
        },
        resources(
            "RES-009", "Change feeds that were closed or dropped leave nothing behind.",
            requires: .feature(.changeFeed),
            catches: "Each feed has a connection or a thread that waits forever.", witness: "feeds begun"
        ) { context in
            let store = try await context.open(.notes)
            let sequence = try await store.put("Note", [[.text("n"), .integer(1)]]).sequence
            try await expectNoLeaks(context, rounds: 8, each: 60) { number in
                var feed = try await store.store.changes(after: sequence - 1)
                let news = try await feed.next()
                try context.expect(news != nil, "A feed ended while the store was open.")
                if number % 2 == 0 { await feed.close() }
                context.witness()
            }
            try await store.expectHolds("Note", [[.text("n"), .integer(1)]])
        },
        resources(
            "RES-010",
            "A hundred readers at once are served, or refused because the store is busy; when they are gone, so is the "
                + "load.",
            catches: "One reader too many waits forever.", witness: "readers at once"
        ) { context in
            let store = try await context.open(.entries)
            try await store.put("Entry", EntitySchema.entryRows(0..<20))
            let snapshots = try await openMany(store, context)
            try context.expect(snapshots.count >= 8, "Only \(snapshots.count) snapshots can be open at once.")
            for snapshot in snapshots {
                try context.expectEqual(try await snapshot.count("Entry"), 20, "a count in one of many snapshots")
                context.witness()
            }
            for snapshot in snapshots { await snapshot.close() }
            for _ in 0..<2 {
                try await withThrowingTaskGroup { group in
                    for number in 0..<100 {
                        group.addTask {
                            do {
                                let count = try await store.store.withSnapshot { try await $0.count("Entry") }
                                try context.expectEqual(count, 20, "a count by one of many readers")
                            } catch let error as StorageError {
                                try context.expectEqual(error.kind, .busy, "reader \(number) of many")
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            try await store.expectHolds("Entry", EntitySchema.entryRows(0..<20))
        },
    ]

    /// A hundred snapshots asked for at once; those that are refused must be so because the store is busy.
    private static func openMany(_ store: TestStore, _ context: ClauseContext) async throws -> [StoreSnapshot] {
        let answers = await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask { () async -> Result<StoreSnapshot, StorageError> in
                    do throws(StorageError) {
                        return .success(try await store.store.snapshot())
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var snapshots: [StoreSnapshot] = []
        for answer in answers {
            switch answer {
            case .success(let snapshot): snapshots.append(snapshot)
            case .failure(let error): try context.expectEqual(error.kind, .busy, "one of many snapshots")
            }
        }
        return snapshots
    }
}

import HoldfastStorage

extension Clause {
    /// Cancellation, and calls that block no other call.
    static let cancellation: [Clause] = [
        Clause(
            "CAN-001", "A commit in a task that was cancelled before has no effect and fails with `storage.cancelled`.",
            catches: "The commit is carried out and then reported as cancelled.", witness: "commits of cancelled tasks",
            protectsData: true
        ) { context in
            let store = try await context.open(.items())
            var expected: [[Value]] = []
            for number in 0..<20 {
                let outcome = await Self.inCancelledTask { () async throws(StorageError) in
                    try await store.store.commit(
                        CommitRequest(operations: [
                            .put(entity: "Item", rows: RowBuffer(row: Items.row(number)), mode: .insert)
                        ]))
                }
                try context.expectEqual(outcome, .cancelled, "the outcome of a commit in a cancelled task")
                // Past the store's own check, the adapter may refuse or carry it through, but must say which.
                let direct = await Self.inCancelledTask { () async throws(StorageError) in
                    try await store.adapter.commit(
                        CommitRequest(operations: [
                            .put(entity: "Item", rows: RowBuffer(row: Items.row(100 + number)), mode: .insert)
                        ]))
                }
                try context.expect(
                    direct == nil || direct == .cancelled,
                    "a commit in a cancelled task failed with \(direct?.rawValue ?? "nothing")")
                if direct == nil { expected.append(Items.row(100 + number)) }
                context.witness()
            }
            try await store.expectHolds("Item", expected)
        },
        Clause(
            "CAN-002", "A commit cancelled at any moment is there whole, if it was acknowledged, or not at all.",
            level: .transactional,
            catches:
                "The cancellation reaches the driver in the middle: half the rows stay, or a commit that is stored fails.",
            witness: "commits cancelled while in progress", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            var random = SplitMix64(seed: context.seed)
            var acknowledged: [Int] = []
            for number in 0..<60 {
                let delay = random.below(1_500)
                let task = Task { () -> Bool in
                    let rows = RowBuffer(rows: (0..<120).map { Items.row(number * 1_000 + $0, rank: number) })
                    do {
                        try await store.commit(["Item", "Indexed"].map { .put(entity: $0, rows: rows, mode: .insert) })
                        return true
                    } catch let error as StorageError where error.kind == .cancelled { return false }
                }
                if number % 3 > 0 { try await Task.sleep(for: .microseconds(delay)) }
                task.cancel()
                if try await task.value { acknowledged.append(number) }
                context.witness()
            }
            for entity in ["Item", "Indexed"] {
                for number in 0..<60 {
                    let count = try await store.aggregates(
                        entity, where: .compare("rank", .equal, .integer(Int64(number))), [.count])
                    try context.expectEqual(
                        count, [.integer(acknowledged.contains(number) ? 120 : 0)],
                        "rows in \(entity) of commit \(number), cancelled while in progress")
                }
            }
            let rows = acknowledged.flatMap { number in (0..<120).map { Items.row(number * 1_000 + $0, rank: number) } }
            try await store.expectHolds("Item", rows)
        },
        Clause(
            "CAN-003",
            "Cancelling a read ends it with `storage.cancelled` or not at all; its snapshot and the store stay usable.",
            level: .query,
            catches: "The interrupted connection stays unusable, or the rows end early as if there were no more.",
            witness: "reads cancelled while in progress", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.numbered(0..<1_500)
            try await store.put("Item", rows)
            let snapshot = try await store.adapter.snapshot()
            let schema = store.store.schema
            let count = try schema.bind(AggregatePlan("Item", [.count]))
            var random = SplitMix64(seed: context.seed)
            for round in 0..<40 {
                let plan = QueryPlan("Item", sort: round % 2 == 0 ? [SortKey("title"), SortKey("rank")] : [])
                let task = Task { () -> [[Value]]? in
                    do {
                        if round % 4 == 3 {
                            let filter = Predicate.compare("rank", .less, .integer(5_000))
                            let aggregates = try await snapshot.aggregate(
                                schema.bind(AggregatePlan("Item", where: filter, [.count])))
                            return aggregates == [.integer(1_500)] ? rows : []
                        }
                        if round % 4 == 1 {
                            var (paged, page) = (plan, RowBuffer())
                            paged.limit = 1_000
                            try await store.adapter.page(schema.bind(paged), into: &page)
                            return page.storedRows.map(\.cells) == Array(rows.prefix(1_000)) ? rows : []
                        }
                        var scan = try await snapshot.query(schema.bind(plan))
                        return try await scan.drain().map(\.cells)
                    } catch let error as StorageError where error.kind == .cancelled { return nil }
                }
                if round % 5 > 0 { try await Task.sleep(for: .microseconds(random.below(4_000))) }
                task.cancel()
                if let found = try await task.value {
                    try context.expect(
                        found == rows, "a cancelled read that did not fail: \(SwiftText.difference(found, rows))")
                }
                try context.expectEqual(
                    try await snapshot.aggregate(count), [.integer(1_500)],
                    "the count in a snapshot after a cancelled read")
                context.witness()
            }
            await snapshot.close()
            try await store.expectHolds("Item", rows)
        },
        Clause(
            "CAN-004", "Cancelling one commit concerns no other: those that wait beside it are carried out.",
            level: .transactional,
            catches: "Commits that share a transaction or a queue are cancelled together.",
            witness: "commits beside cancelled ones", protectsData: true
        ) { context in
            let store = try await context.open(.items())
            for round in 0..<5 {
                let tasks = (0..<40).map { number in
                    Task { () -> Bool in
                        do {
                            try await store.put("Item", [Items.row(round * 100 + number, rank: number)], mode: .insert)
                            return true
                        } catch let error as StorageError where error.kind == .cancelled { return false }
                    }
                }
                await Task.yield()
                for (number, task) in tasks.enumerated() where number % 4 == 1 { task.cancel() }
                for (number, task) in tasks.enumerated() {
                    let isAcknowledged = try await task.value
                    try context.expect(
                        isAcknowledged || number % 4 == 1,
                        "commit \(number), which was not to be cancelled, was cancelled")
                    let exists = try await store.row("Item", Items.key(round * 100 + number)) != nil
                    try context.expectEqual(exists, isAcknowledged, "whether commit \(number) is there")
                    context.witness()
                }
            }
        },
        Clause(
            "CAN-005",
            "Long calls leave their caller's executor free: the main actor continues while a commit, a query or an aggregate runs.",
            catches: "Blocking C calls in an async function run on the caller's actor; the interface freezes.",
            witness: "long calls from the main actor"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = RowBuffer(
                rows: (0..<12_000).map { Items.row($0, rank: $0 * 7 % 1_000, title: "title \($0 * 31 % 997)") })
            let calls: [(String, @Sendable () async throws -> Void)] = [
                (
                    "a large commit",
                    {
                        _ = try await store.adapter.commit(
                            CommitRequest(operations: [
                                .clear(entity: "Item"), .put(entity: "Item", rows: rows, mode: .upsert),
                            ]))
                    }
                ),
                (
                    "a sorted query",
                    {
                        try await store.store.withSnapshot { snapshot in
                            var scan = try await snapshot.query(
                                QueryPlan("Item", sort: [SortKey("title"), SortKey("rank", .descending)]))
                            var batch = RowBuffer()
                            try await scan.next(maximumRowCount: 10, into: &batch)
                        }
                    }
                ),
                (
                    "an aggregate over all records",
                    {
                        _ = try await store.aggregates(
                            "Item", where: .contains("title", .text("9")), [.count, .sum("rank")])
                    }
                ),
            ]
            for (name, call) in calls {
                try await ExecutorStall.expectNone(name, call)
                try await Task.detached { try await call() }.value
                context.witness()
            }
        },
    ]

    /// The kind of the error of a call in a task that is cancelled already; `nil` if it succeeds.
    private static func inCancelledTask(
        _ call: @escaping @Sendable () async throws(StorageError) -> CommitReceipt
    ) async -> StorageError.Kind? {
        let task = Task { () -> StorageError.Kind? in
            while !Task.isCancelled { await Task.yield() }
            do throws(StorageError) {
                _ = try await call()
                return nil
            } catch {
                return error.kind
            }
        }
        task.cancel()
        return await task.value
    }
}

import HoldfastStorage

extension Clause {
    static let lifecycleOfClosing: [Clause] = [
        lifecycle(
            "LIF-020", version: 2,
            "When close returns, nothing of the handle is left: the store is opened again at once, also where a commit, "
                + "a batch and a query were in progress, and other calls close the handle.",
            requires: .persistence,
            catches: "close() returns while readers still hold files and locks, or another close() does, and the next "
                + "opening is refused.",
            witness: "stores opened at once after closing under readers", protectsData: true
        ) { context in
            let rows = EntitySchema.entryRows(0..<1_500)
            var store = try await context.open(.entries)
            try await store.put("Entry", rows)
            for round in 0..<10 {
                let closing = store
                let (calls, call) = AsyncStream<Void>.makeStream()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await untilClosed(call) { number in
                            try await closing.put("Entry", [rows[number % rows.count]])
                        }
                    }
                    group.addTask {
                        try await untilClosed(call) { _ in
                            let plan = QueryPlan("Entry", sort: [SortKey("text", .descending)])
                            try context.expectEqual(
                                try await closing.rows(plan).count, rows.count, "the rows of a query while closing")
                        }
                    }
                    group.addTask {
                        // Opened while the store may already be closing, and held until a read of it fails.
                        var held: StoreSnapshot?
                        var batch = RowBuffer()
                        try await untilClosed(call) { _ in
                            if held == nil { held = try await closing.store.snapshot() }
                            var scan = try await held?.query(QueryPlan("Entry"))
                            try await scan?.next(maximumRowCount: 700, into: &batch)
                            await scan?.close()
                        }
                        await held?.close()
                    }
                    var count = 0
                    for await _ in calls {
                        count += 1
                        if count == 3 + round { break }
                    }
                    let (ends, end) = AsyncStream<Void>.makeStream()
                    for _ in 0..<3 {
                        group.addTask {
                            defer { end.yield() }
                            try await closing.store.close()
                        }
                    }
                    // The first that returns, whether it closes the store or waits for another one.
                    for await _ in ends { break }
                    store = try await context.open(closing.store.schema, at: closing.location)
                    context.witness()
                    try await group.waitForAll()
                }
                try context.expectEqual(
                    try await store.everything(in: "Entry"), rows, "the records after round \(round)")
            }
        }
    ]

    /// Repeats a call until it fails because the store is closed.
    private static func untilClosed(
        _ call: AsyncStream<Void>.Continuation, _ body: (Int) async throws -> Void
    ) async throws {
        for number in 0... {
            call.yield()
            do {
                try await body(number)
            } catch let error as StorageError where error.kind == .closed {
                return
            }
        }
    }
}

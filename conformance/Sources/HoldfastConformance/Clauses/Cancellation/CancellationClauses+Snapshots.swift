import HoldfastStorage

extension Clause {
    /// Executors while a snapshot is busy.
    static let cancellationInSnapshots: [Clause] = [
        Clause(
            "CAN-006",
            "Reads by key leave their caller's executor free, also while a long query of the same snapshot runs.",
            catches: "The snapshot has one lock, and a short read waits for it on the thread of its caller.",
            witness: "reads by key beside a long query of their snapshot"
        ) { context in
            let store = try await context.open(.items())
            for batch in 0..<4 {
                try await store.put(
                    "Item",
                    (batch * 2_000..<batch * 2_000 + 2_000).map { Items.row($0, rank: $0, title: "title \($0)") })
            }
            let snapshot = try await store.store.snapshot()
            let plan = try await longPlan(snapshot)
            // Compared with the query alone: a read that holds its thread leaves none to others, wherever it comes from.
            let alone: @Sendable () async throws -> Void = { _ = try await snapshot.aggregate(plan) }
            try await ExecutorStall.expectNone("A read by key beside a long query of its snapshot", comparedWith: alone)
            {
                let isOver = SharedFlag()
                let query = Task.detached {
                    defer { isOver.set() }
                    return try await snapshot.aggregate(plan)
                }
                // The first of them that comes after the query has begun would wait for its end.
                while !isOver.isSet {
                    let records = try await snapshot.records([Items.key(7)], of: "Item")
                    try context.expectEqual(records.map { $0.cells[1] }, [.integer(7)], "a read beside a long query")
                    context.witness()
                    await Task.yield()
                }
                try context.expectEqual(try await query.value, [.integer(8_000)], "a long query beside reads")
            }
            await snapshot.close()
        }
    ]

    /// A count with as many conditions as keep the snapshot busy for longer than a stall is forgiven.
    private static func longPlan(_ snapshot: StoreSnapshot) async throws -> AggregatePlan {
        func plan(_ termCount: Int) -> AggregatePlan {
            let terms = (0..<termCount).map { Predicate.not(.contains("title", .text("none \($0)"))) }
            return AggregatePlan("Item", where: .and(terms), [.count])
        }
        let clock = ContinuousClock()
        var termCount = 10
        while termCount < 2_000 {
            // The best of three, so that other work of the machine does not count.
            var best = Duration.seconds(60)
            for _ in 0..<3 {
                let start = clock.now
                _ = try await snapshot.aggregate(plan(termCount))
                best = min(best, start.duration(to: clock.now))
            }
            if best > .milliseconds(400) { break }
            termCount *= 2
        }
        return plan(termCount)
    }
}

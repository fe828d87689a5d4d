import HoldfastStorage

extension Clause {
    /// Executors while a snapshot is busy.
    static let cancellationInSnapshots: [Clause] = [
        Clause(
            "CAN-006",
            "A read by key leaves its caller's executor free, also while a long query of the same snapshot runs.",
            catches: "The snapshot has one lock, and a short read waits for it on the thread of its caller.",
            witness: "reads by key beside a long query of their snapshot"
        ) { context in
            let store = try await context.open(.items())
            for batch in 0..<4 {
                try await store.put(
                    "Item",
                    (batch * 2_000..<batch * 2_000 + 2_000).map { Items.row($0, rank: $0, title: "title \($0)") })
            }
            // As many terms as it takes to keep the store busy for half a second.
            var termCount = 10
            func long(_ termCount: Int) -> AggregatePlan {
                let terms = (0..<termCount).map { Predicate.not(.contains("title", .text("none \($0)"))) }
                return AggregatePlan("Item", where: .and(terms), [.count])
            }
            let clock = ContinuousClock()
            let snapshot = try await store.store.snapshot()
            while termCount < 2_000 {
                let start = clock.now
                _ = try await snapshot.aggregate(long(termCount))
                if start.duration(to: clock.now) > .milliseconds(500) { break }
                termCount *= 2
            }
            let plan = long(termCount)
            var stalls: [ExecutorStall] = []
            repeat {
                let isRunning = SharedFlag()
                let query = Task.detached {
                    isRunning.set()
                    return try await snapshot.aggregate(plan)
                }
                while !isRunning.isSet { await Task.yield() }
                for _ in 0..<50 { await Task.yield() }
                let stall = try await ExecutorStall.onMainActor {
                    let row = try await snapshot.records([Items.key(7)], of: "Item")
                    try context.expectEqual(row.map { $0.cells[1] }, [.integer(7)], "a read beside a long query")
                }
                stalls.append(stall)
                try context.expectEqual(try await query.value, [.integer(8_000)], "a long query beside a read")
            } while stalls.last?.isBlocking == true && stalls.count < 3
            await snapshot.close()
            if let stall = stalls.last, stall.isBlocking {
                throw ClauseFailure("A read by key held the main actor for \(stall.longest) of \(stall.total).")
            }
            context.witness()
        }
    ]
}

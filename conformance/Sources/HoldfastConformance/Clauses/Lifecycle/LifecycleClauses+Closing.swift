import HoldfastStorage

extension Clause {
    /// Closing while others are at work.
    static let lifecycleOfClosing: [Clause] = [
        Clause(
            "LIF-024",
            "When closing returns, all that was under way has ended: the store can be opened again at once, holds every "
                + "commit that is acknowledged, and nothing is added to it by the closed handle.",
            requires: .persistence,
            catches:
                "Closing returns before the last reader and writer are gone; the lock, or a commit, comes too late.",
            witness: "stores closed while others were at work", protectsData: true
        ) { context in
            var random = SplitMix64(seed: context.seed &+ 24)
            let location = try await context.makeLocation()
            var store = try await context.open(.entries, at: location)
            var expected: Set<Value> = []
            for round in 0..<14 {
                let open = store
                let first = round * 2_000
                let commits = (0..<4).map { lane in
                    let rows = EntitySchema.entryRows(first + lane * 400..<first + lane * 400 + 400)
                    return Task { () async throws -> [Value] in
                        do {
                            try await open.put("Entry", rows)
                            return rows.map { $0[0] }
                        } catch let error as StorageError where error.kind == .closed { return [] }
                    }
                }
                let readers = (0..<3).map { number in
                    Task { () async -> StorageError? in
                        await storageError {
                            switch number {
                            case 0: _ = try await open.rows(QueryPlan("Entry", sort: [SortKey("text")]))
                            case 1: _ = try await open.everything(in: "Entry")
                            default: _ = try await open.aggregates("Entry", [.count, .sum("number")])
                            }
                        }
                    }
                }
                for _ in 0..<random.below(60) { await Task.yield() }
                try await open.store.close()
                store = try await context.open(.entries, at: location)
                let found = Set(try await store.everything(in: "Entry").map { $0[0] })
                for commit in commits { expected.formUnion(try await commit.value) }
                for reader in readers {
                    guard let error = await reader.value else { continue }
                    try context.expectEqual(error.kind, .closed, "a read that closing has ended")
                }
                try context.expect(
                    found == expected,
                    "Closing has returned, and of \(expected.count) records that are acknowledged the store holds "
                        + "\(found.intersection(expected).count), and \(found.subtracting(expected).count) others.")
                context.witness()
            }
        }
    ]
}

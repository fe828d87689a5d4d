import HoldfastStorage

extension Clause {
    /// Processes that make a store at the same time.
    static let processesOfCreation: [Clause] = [
        Clause(
            "PRC-006",
            "Processes that open a place without a store at once make one store, and nothing of any is lost.",
            level: .multiProcess, requires: .all([.feature(.multipleProcesses), .persistence]),
            catches: "Each finds nothing there and makes the tables; the last one makes them over what others wrote.",
            witness: "stores made by several processes at once", protectsData: true
        ) { context in
            for round in 0..<4 {
                let location = try await context.makeLocation()
                let count = 4
                let workers = try (0..<count).map { try context.start(.write, at: location, ["\(round * 10 + $0)"]) }
                var sequences: Set<UInt64> = []
                for worker in workers {
                    let said = try await worker.finish("A process that makes a store")
                    context.noteMutants(in: said)
                    for line in said where line.hasPrefix("wrote ") {
                        sequences.insert(UInt64(line.dropFirst("wrote ".count)) ?? 0)
                    }
                }
                try context.expectEqual(sequences.count, count, "the sequences of commits to a store made at once")
                let store = try await context.open(SharedWork.counter, at: location)
                let last = try await store.store.withSnapshot { $0.sequence }
                try context.expectEqual(last, sequences.max() ?? 0, "the sequence of a store made at once")
                let records = try await store.store.records([SharedWork.key], of: "Counter")
                try context.expectEqual(records.map(\.version), [last], "the version of the last commit to it")
                context.witness()
            }
        }
    ]
}

import HoldfastStorage

extension Clause {
    /// Processes that make a store at the same time.
    static let processesOfCreation: [Clause] = [
        processes(
            "PRC-006",
            "Processes that open a location without a store at once make one store, and nothing that any of them writes is "
                + "lost.",
            catches: "Each finds nothing there and makes the tables; the last one makes them over what others wrote.",
            witness: "records written to stores that several processes made at once", protectsData: true
        ) { context in
            for round in 0..<3 {
                let location = try await context.makeLocation()
                let workers = try (0..<4).map {
                    try context.start(.create, at: location, ["\(round * 10 + $0)"], takesInput: true)
                }
                // All are there before one opens, and all have opened before one writes.
                for step in ["ready", "open"] {
                    for worker in workers {
                        context.noteMutants(in: try await worker.wait(for: step, "A process that makes a store"))
                    }
                    for worker in workers { worker.write("go on\n") }
                }
                var sequences: Set<UInt64> = []
                for worker in workers {
                    let said = try await worker.finish("A process that makes a store")
                    context.noteMutants(in: said)
                    for line in said where line.hasPrefix("wrote ") {
                        sequences.insert(UInt64(line.dropFirst("wrote ".count)) ?? 0)
                    }
                }
                try context.expectEqual(sequences.count, 4, "the sequences of commits to a store made at once")
                let store = try await context.open(SharedWork.counter, at: location)
                let last = try await store.store.withSnapshot { $0.sequence }
                try context.expectEqual(last, sequences.max() ?? 0, "the sequence of a store made at once")
                let numbers = (0..<4).map { round * 10 + $0 }
                try await store.expectHolds("Counter", numbers.map { SharedWork.row(of: $0) })
                context.witness(numbers.count)
            }
        }
    ]
}

/// Saves: single, concurrent, in batches.
enum Writing {
    static let all = [durableSave, concurrentSaves, batchSave]

    /// One item, one commit, one task.
    private static let durableSave = Benchmark(name: "durable save") { bench in
        // Short turns: the load that others put on the disk changes, and should affect all contenders alike.
        let turn = 25
        let contenders = bench.contendersAndThoseWithoutLog
        var stores: [String: any ItemStore] = [:]
        let directories = try Dictionary(
            uniqueKeysWithValues: contenders.map { ($0.label, try bench.makeDirectory()) })
        for contender in contenders {
            stores[contender.label] = try await contender.open(directories[contender.label] ?? "")
        }
        var positions: [String: Int] = [:]
        let results = try await Race(contenders: contenders, rounds: bench.rounds(40)).run { contender in
            guard let store = stores[contender.label] else { return Samples() }
            let first = positions[contender.label, default: 0]
            positions[contender.label] = first + turn
            var samples = Samples()
            for item in bench.items[first..<first + turn] {
                let start = ContinuousClock.now
                try await store.save(item)
                samples.add(.now - start)
            }
            return samples
        }
        for store in stores.values { try await store.close() }
        let versusPeer = Comparison(
            name: "durable save, against pool.write { insert }", unit: "µs p50", goal: Goals.aheadOfPeer,
            baselineLayer: "grdb-record"
        ).measurements(percentile: 0.5, results.filter { $0.0.adapter == "sqlite" })
        return Comparison(name: "durable save", unit: "µs p50", goal: Goals.durableSave)
            .measurements(percentile: 0.5, results) + versusPeer.filter { $0.ratio != nil }
            + Comparison(name: "durable save", unit: "µs p99").measurements(percentile: 0.99, results)
    }

    /// Eight tasks that save as fast as they can; a store may commit several saves together.
    private static let concurrentSaves = Benchmark(name: "8 concurrent savers, durable (faster is better)") { bench in
        let perTask = bench.sized(250)
        let items = bench.items
        let results = try await Race(contenders: bench.contenders, rounds: bench.rounds(3)).run { contender in
            try await bench.withEmptyStore(of: contender) { store in
                try await time {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for task in 0..<8 {
                            group.addTask {
                                for item in items[task * perTask..<(task + 1) * perTask] { try await store.save(item) }
                            }
                        }
                        try await group.waitForAll()
                    }
                    return perTask
                }
            }
        }
        return Comparison(name: "8 concurrent savers, durable (faster is better)", unit: "commits/s")
            .measurements(operations: 8 * perTask, results)
    }

    /// All items in commits of 1,000.
    private static let batchSave = Benchmark(name: "batch save, 1000 in a commit") { bench in
        let batches = bench.batches(of: 1_000)
        let contenders = bench.contendersAndThoseWithoutLog
        let results = try await Race(contenders: contenders, rounds: bench.rounds(3)).run { contender in
            try await bench.withEmptyStore(of: contender) { store in
                try await time {
                    for batch in batches { try await store.save(batch) }
                    return batches.count
                }
            }
        }
        return Comparison(name: "batch save, 1000 in a commit", unit: "rows/s", goal: Goals.batchSave)
            .measurements(operations: bench.items.count, results)
    }
}

extension Workbench {
    /// All contenders, and beside those that keep a change log by default the same without one.
    fileprivate var contendersAndThoseWithoutLog: [Contender] {
        let withoutLog: [Contender] = [.dataStoreSQLiteWithoutLog, .adapterPostgreSQLWithoutLog]
        return contenders + withoutLog.filter { has($0.adapter) }
    }
}

/// What a running application notices besides reads and writes.
enum Running {
    static let all = [observe, open, streamingMemory]

    /// From the call of a save to its observation by another task.
    private static let observe = Benchmark(name: "observe latency, save to observer") { bench in
        let template = bench.items[0]
        let count = bench.sized(200)
        var nextTitle = 0
        let results = try await Race(contenders: bench.contenders, rounds: bench.rounds(3)).run { contender in
            guard let store = try await bench.loadedStore(of: contender) as? any ObservableItemStore else {
                return Samples()
            }
            let states = (0..<count).map { number in
                var state = template
                state.title = "state \(nextTitle + number)"
                return state
            }
            nextTitle += count
            return try await store.observe(states: states[...])
        }
        return Comparison(name: "observe latency, save to observer", unit: "µs p50")
            .measurements(percentile: 0.5, results)
    }

    /// From nothing to the first item read, with all items in the file.
    private static let open = Benchmark(name: "open and read one of all records") { bench in
        let contenders = bench.contenders.filter(\.isPersistent)
        let ids = [bench.items[bench.items.count / 2].id]
        let results = try await Race(contenders: contenders, rounds: bench.rounds(20)).run { contender in
            try await bench.withClosedStore(of: contender) { directory in
                var opened: (any ItemStore)?
                let samples = try await time {
                    let store = try await contender.open(directory)
                    opened = store
                    return try await store.readLatest(ids)
                }
                try await opened?.close()
                return samples
            }
        }
        return Comparison(name: "open and read one of all records", unit: "µs p50", goal: Goals.open)
            .measurements(percentile: 0.5, results)
    }

    /// How far a scan that keeps nothing makes the process grow.
    private static let streamingMemory = Benchmark(name: "memory growth of a streaming scan") { bench in
        var figures: [Figure] = []
        for contender in bench.contenders {
            let store = try await bench.loadedStore(of: contender)
            // Fills the caches, which are bounded and not what is asked here.
            consume(try await store.stream {})
            var memory = Memory()
            let count = try await store.stream { memory.sample() }
            precondition(count == bench.items.count, "a scan reads every record")
            let growth = Double(memory.growth)
            figures.append(Figure(contender: contender, value: growth, cost: growth))
        }
        let comparison = Comparison(
            name: "memory growth of a streaming scan", unit: "bytes", goal: Goals.streaming, baselineLayer: "")
        return comparison.measurements(figures)
    }
}

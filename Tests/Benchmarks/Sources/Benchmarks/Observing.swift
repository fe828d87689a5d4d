import HoldfastEngine
import HoldfastInMemory
import HoldfastModel

/// What observers cost those who write.
enum Observing {
    static let all = [sleepingObserver]

    /// The slowest hundredth of saves, beside an observer that takes nothing; compared with saves that are not
    /// observed.
    ///
    /// On the in-memory adapter, where nothing else costs much. Each pair creates a record and deletes it again.
    private static let sleepingObserver = Benchmark(name: "create and delete beside a sleeping observer") { bench in
        let name = "create and delete beside a sleeping observer"
        let count = bench.sized(100_000)
        let (item, options) = (ItemModel(bench.items[0]), DataStoreOptions(recordsMutations: false))
        var stores: [DataStore] = []
        for _ in 0..<2 {
            stores.append(try await DataStore.open(InMemoryAdapter(), models: [ItemModel.self], options: options))
        }
        let changes = try stores[1].observe(ItemModel.self)
        var samples = [Samples(), Samples()]
        // In turns, so that other work on the machine disturbs both alike.
        for start in stride(from: 0, to: count, by: 1_000) {
            for (index, store) in stores.enumerated() {
                for _ in start..<min(start + 1_000, count) {
                    samples[index].add(
                        try await ContinuousClock().measure {
                            try await store.save(item)
                            try await store.delete(item)
                        })
                }
            }
        }
        withExtendedLifetime(changes) {}
        for store in stores { try await store.close() }
        let latencies = samples.map { $0.percentile(0.99) }
        let unit = "µs p99"
        return [
            Measurement(name: name, adapter: "memory", layer: "not observed", value: latencies[0] * 1e6, unit: unit),
            Measurement(
                name: name, adapter: "memory", layer: "observed", value: latencies[1] * 1e6, unit: unit,
                baseline: "memory/not observed", baselineValue: latencies[0] * 1e6,
                ratio: latencies[1] / latencies[0], goal: .ratio(1.25)),
        ]
    }
}

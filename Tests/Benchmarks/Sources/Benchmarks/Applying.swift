import Foundation

/// A service's records on their way into a store, without the network: the engine beside the C API.
enum Applying {
    static let all = [apply]

    private static let pageSize = 1_000

    /// New records, and then a new version of each, a page in a commit.
    private static let apply = Benchmark(name: "apply remote rows") { bench in
        var measurements: [Measurement] = []
        for adapter in DeviceAdapter.allCases where bench.has(adapter.rawValue) {
            measurements += try await measure(bench, adapter)
        }
        return measurements
    }

    private static func measure(_ bench: Workbench, _ adapter: DeviceAdapter) async throws -> [Measurement] {
        let directories = try (0..<3).map { _ in try bench.makeDirectory() }
        defer { directories.forEach { try? FileManager.default.removeItem(atPath: $0) } }
        let raw = try await adapter.makeRaw(in: directories[0], tablesFrom: directories[1])
        let engine = try await EngineErrandStore(adapter.make(in: directories[2]))
        let count = bench.sized(100_000)
        // New, replaced, and twice more: only what exceeds LevelDB's write buffers shows whether memory grows.
        var (peaks, samples) = ([0, 0, 0, 0], (0..<4).map { _ in [Samples(), Samples()] })
        var memory = Memory()
        for (turn, version) in [1, 2, 3, 4].enumerated() {
            for start in stride(from: 0, to: count, by: pageSize) {
                let page = ErrandPage(start..<min(start + pageSize, count), version: version)
                // Page by page in turns, so that other work on the machine disturbs both alike.
                for (index, store) in [raw, engine].enumerated() {
                    samples[turn][index].add(
                        try await time {
                            let changed = try await store.apply(page)
                            precondition(changed == page.rows.count, "every record of a page is new or newer")
                            return changed
                        })
                }
                memory.sample()
            }
            peaks[turn] = memory.highest
        }
        try await raw.close()
        try await engine.close()
        var measurements: [Measurement] = []
        for (turn, name) in ["new", "replaced"].enumerated() {
            let speeds = samples[turn].map { Double(count) / $0.sum }
            measurements += Measurement.beside(
                "apply remote rows, \(name)", adapter.rawValue, "rows/s", isRate: true,
                [
                    Measurement.Entry(layer: "raw", value: speeds[0]),
                    Measurement.Entry(layer: "engine", value: speeds[1], goal: .ratio(1.5)),
                ])
        }
        // Both stores are in the process; what they have grown by at half of the way are caches, which are bounded.
        let growth = Double(peaks[3] - peaks[1])
        return measurements + [
            Measurement(
                name: "apply remote rows, memory growth in the second half", adapter: adapter.rawValue,
                layer: "engine", value: growth, unit: "bytes", goal: .value(16_777_216))
        ]
    }
}

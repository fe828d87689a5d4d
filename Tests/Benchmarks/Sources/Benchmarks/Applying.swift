import Foundation

/// A service's records on their way into a store, without the network: the engine beside the C API.
enum Applying {
    static let all = [apply, memory]

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
        var samples = [[Samples(), Samples()], [Samples(), Samples()]]
        for (turn, version) in [1, 2].enumerated() {
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
            }
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
        return measurements
    }

    /// What the process grows by while pages come that caches and buffers have no room for.
    private static let memory = Benchmark(name: "apply remote rows, memory") { bench in
        var measurements: [Measurement] = []
        for adapter in DeviceAdapter.allCases where bench.has(adapter.rawValue) {
            let directory = try bench.makeDirectory()
            let engine = try await EngineErrandStore(adapter.make(in: directory, keepsLittle: true))
            let count = bench.sized(100_000)
            var (memory, peaks) = (Memory(), [Int]())
            for version in 1...4 {
                for start in stride(from: 0, to: count, by: pageSize) {
                    _ = try await engine.apply(
                        ErrandPage(start..<min(start + pageSize, count), version: version))
                    memory.sample()
                }
                peaks.append(memory.highest)
            }
            try await engine.close()
            try FileManager.default.removeItem(atPath: directory)
            // Caches and buffers are full at half of the way.
            measurements.append(
                Measurement(
                    name: "apply remote rows, memory growth in the second half", adapter: adapter.rawValue,
                    layer: "engine", value: Double(peaks[3] - peaks[1]), unit: "bytes", goal: .value(4_194_304)))
        }
        return measurements
    }
}

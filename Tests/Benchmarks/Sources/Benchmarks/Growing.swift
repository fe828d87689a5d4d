/// How costs depend on the number of records: the same work with a hundredth of the records, a tenth, and all of them.
enum Growing {
    static let all = [growth]

    private static let growth = Benchmark(name: "growth with the number of records") { bench in
        var measurements: [Measurement] = []
        for contender in bench.contenders where contender.layer == "datastore" {
            for share in [100, 10, 1] {
                measurements += try await costs(bench, contender, recordCount: bench.items.count / share)
            }
        }
        return measurements
    }

    private static func costs(
        _ bench: Workbench, _ contender: Contender, recordCount: Int
    ) async throws -> [Measurement] {
        let items = bench.items[..<recordCount]
        var generator = ItemGenerator(seed: 4)
        let ids = generator.draw(min(500, recordCount), from: items.map(\.id))
        let queries = generator.queries(20)
        let directory = try bench.makeDirectory()
        var store = try await contender.open(directory)
        for start in stride(from: 0, to: recordCount, by: 10_000) {
            try await store.save(items[start..<min(start + 10_000, recordCount)])
        }
        var (opening, reading, asking, saving) = (Samples(), Samples(), Samples(), Samples())
        for round in 0...5 {
            if contender.isPersistent {
                try await store.close()
                let sample = try await time {
                    store = try await contender.open(directory)
                    return try await store.readLatest([ids[0]])
                }
                if round > 0 { opening.add(sample) }
            }
            let read = try await time { try await store.readLatest(ids) }
            let asked = try await time { try await store.ask(queries) }
            if round > 0 {
                reading.add(read)
                asking.add(asked)
            }
            for var item in items.prefix(20) {
                item.title = "Round \(round)"
                let start = ContinuousClock.now
                try await store.save(item)
                if round > 0 { saving.add(.now - start) }
            }
        }
        try await store.close()
        func measurement(_ name: String, _ seconds: Double) -> Measurement {
            var measurement = Measurement(
                name: name, adapter: contender.adapter, layer: "\(recordCount) records", value: seconds * 1e6,
                unit: "µs")
            measurement.size = recordCount
            return measurement
        }
        return [
            measurement("growth: read by key", reading.best / Double(ids.count)),
            measurement("growth: page of 50 on an index", asking.best / Double(queries.count)),
            measurement("growth: durable save", saving.percentile(0.5)),
        ] + (contender.isPersistent ? [measurement("growth: open and read one", opening.percentile(0.5))] : [])
    }
}

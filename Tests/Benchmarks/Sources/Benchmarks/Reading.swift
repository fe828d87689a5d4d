/// Reads: by key, by index, everything, in pages.
enum Reading {
    static let all = [
        pointReadInSnapshot, pointReadLatest, indexedQuery, fullScan, pageScan,
    ]

    /// One item after the other, all in one snapshot.
    private static let pointReadInSnapshot = Benchmark(name: "point read in a snapshot") { bench in
        let ids = drawIDs(bench)
        let results = try await race(bench) { try await $0.readInSnapshot(ids) }
        return Comparison(name: "point read in a snapshot", unit: "reads/s", goal: Goals.readInSnapshot)
            .measurements(operations: ids.count, results)
    }

    /// One item after the other, each as last committed.
    private static let pointReadLatest = Benchmark(name: "point read, latest") { bench in
        let ids = drawIDs(bench)
        let results = try await race(bench) { try await $0.readLatest(ids) }
        let peers = results.filter { $0.0.layer == "grdb-record" || $0.0.layer == "datastore" }
        let versusPeer = Comparison(
            name: "point read, latest, against pool.read { fetchOne(key:) } (faster is better)", unit: "reads/s",
            goal: Goals.faster, baselineLayer: "grdb-record"
        ).measurements(operations: ids.count, peers)
        return Comparison(name: "point read, latest", unit: "reads/s").measurements(operations: ids.count, results)
            + versusPeer.filter { $0.ratio != nil }
    }

    /// The page of 50 that a status and a time select, in the order of time.
    private static let indexedQuery = Benchmark(name: "query on an index, sorted page of 50") { bench in
        var generator = ItemGenerator(seed: 3)
        // As many at any size: of a few, those that find nothing in the processor's caches would count most.
        let queries = generator.queries(200)
        let results = try await race(bench) { try await $0.ask(queries) }
        return Comparison(name: "query on an index, sorted page of 50", unit: "queries/s", goal: Goals.page)
            .measurements(operations: queries.count, results)
    }

    /// All items into an array of structs.
    private static let fullScan = Benchmark(name: "full scan into structs") { bench in
        let results = try await race(bench) { try await $0.scan() }
        return Comparison(name: "full scan into structs", unit: "rows/s", goal: Goals.scan)
            .measurements(operations: bench.items.count, results)
    }

    /// The items of a status in the order of time, 100 at a time.
    private static let pageScan = Benchmark(name: "pages of 100, by cursor") { bench in
        let count = bench.items.count { $0.status == "published" }
        let results = try await race(bench) { try await $0.scanPages(status: "published", pageSize: 100) }
        return Comparison(name: "pages of 100, by cursor", unit: "rows/s", goal: Goals.page)
            .measurements(operations: count, results)
    }

    private static func drawIDs(_ bench: Workbench) -> [String] {
        var generator = ItemGenerator(seed: 2)
        return generator.draw(bench.sized(5_000), from: bench.items.map(\.id))
    }

    private static func race(
        _ bench: Workbench, _ read: (any ItemStore) async throws -> Int
    ) async throws -> [(Contender, Samples)] {
        // Short turns and many, so that some of them are left alone by everything else on the machine.
        try await Race(contenders: bench.contenders, rounds: bench.rounds(15)).run { contender in
            let store = try await bench.loadedStore(of: contender)
            return try await time { try await read(store) }
        }
    }
}

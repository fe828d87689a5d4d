import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastSQLite
import HoldfastStorage

/// Relations and observation through the data store.
enum Relating {
    static let all = [parents, upkeep, cascade]

    /// 1,000 books with their 100 shelves: one query for the books, one for the shelves.
    private static let parents = Benchmark(name: "1000 children with their parents") { bench in
        try await measure(bench, name: "1000 children with their parents", unit: "children/s") { store, books in
            let all = try await best(of: 15) { _ = try await store.query(Book.self) }
            return [("datastore", Double(books.count) / all)]
        }
    }

    /// 1,000 saves, each alone, while a live query over the sorted result is consumed.
    private static let upkeep = Benchmark(name: "observeQuery upkeep") { bench in
        try await measure(bench, name: "observeQuery upkeep", unit: "writes/s") { store, books in
            let plain = try await seconds { for book in books { try await store.save(book) } }
            let live = try store.observeQuery(Book.self, sort: .ascending(Book.keys.rating))
            let last = "last"
            let consumer = Task {
                for try await snapshot in live where snapshot.items.contains(where: { $0.id == last }) { return }
            }
            let watched = try await seconds {
                for book in books { try await store.save(book) }
                try await store.save(Book(id: last, title: "", rating: 0, shelf: nil))
                try await consumer.value
            }
            return [("without observer", Double(books.count) / plain), ("datastore", Double(books.count) / watched)]
        }
    }

    /// A shelf is deleted with its 10,000 books.
    private static let cascade = Benchmark(name: "cascade of 10000") { bench in
        try await measure(bench, name: "cascade of 10000", unit: "records/s") { store, _ in
            let count = bench.sized(10_000)
            let shelf = Shelf(id: "full", name: "full")
            try await store.save(shelf)
            let books = (0..<count).map { Book(id: "f\($0)", title: "book", rating: 1, shelf: shelf) }
            try await store.save(books)
            let duration = try await seconds { try await store.delete(shelf) }
            return [("datastore", Double(count) / duration)]
        }
    }

    private static func measure(
        _ bench: Workbench, name: String, unit: String,
        _ body: (DataStore, [Book]) async throws -> [(layer: String, value: Double)]
    ) async throws -> [Measurement] {
        var measurements: [Measurement] = []
        for name in ["sqlite", "memory"] {
            let directory = try bench.makeDirectory()
            let adapter: any StorageAdapter =
                name == "sqlite" ? SQLiteAdapter(path: directory + "/books.sqlite") : InMemoryAdapter()
            let store = try await DataStore.open(adapter, models: [Shelf.self, Book.self])
            let shelves = (0..<100).map { Shelf(id: "s\($0)", name: "shelf \($0)") }
            let books = (0..<bench.sized(1_000)).map {
                Book(id: "b\($0)", title: "book \($0)", rating: $0 % 7, shelf: shelves[$0 % 100])
            }
            try await store.save(shelves)
            try await store.save(books)
            let results = try await body(store, books)
            try await store.close()
            for result in results {
                let baseline = results.first { $0.layer != result.layer && result.layer == "datastore" }
                measurements.append(
                    Measurement(
                        name: "", adapter: name, layer: result.layer, value: result.value, unit: unit,
                        baseline: baseline.map { "\(name)/\($0.layer)" }, baselineValue: baseline?.value,
                        ratio: baseline.map { $0.value / result.value }))
            }
        }
        return measurements.map { measurement in
            var measurement = measurement
            measurement.name = name
            return measurement
        }
    }

    private static func seconds(_ body: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - start).inSeconds
    }

    private static func best(of rounds: Int, _ body: () async throws -> Void) async throws -> Double {
        var best = Double.infinity
        for _ in 0..<rounds { best = min(best, try await seconds(body)) }
        return best
    }
}

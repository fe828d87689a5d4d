import HoldfastBenchmarkSupport
import HoldfastEngine
import HoldfastModel
import HoldfastPostgreSQL
import HoldfastStorage
import Synchronization

/// Deletions beside writers, whom they shall not hold up.
enum Deleting {
    static let all = [childlessParent, saversBesideDeleters]

    /// A shelf without books, among many books of other shelves, while two tasks save books.
    private static let childlessParent = Benchmark(name: "delete a parent without children") { bench in
        let childCount = bench.sized(200_000)
        var measurements: [Measurement] = []
        for adapter in ServiceAdapter.allCases where bench.has(adapter.rawValue) {
            let few = try await store(bench, adapter, childCount: 100)
            let many = try await store(bench, adapter, childCount: childCount)
            // In turns, so that other work on the machine disturbs all alike.
            var (fewDeletions, manyDeletions, saves, savesBeside) = (Samples(), Samples(), Samples(), Samples())
            for _ in 0..<2 {
                fewDeletions.add(try await run(few, childCount: 100, deletionCount: 30).deletions)
                saves.add(try await run(many, childCount: childCount, deletionCount: 0).saves)
                let both = try await run(many, childCount: childCount, deletionCount: 30)
                manyDeletions.add(both.deletions)
                savesBeside.add(both.saves)
            }
            measurements += Measurement.beside(
                "delete a parent without children, beside writers", adapter.rawValue, "µs p50",
                [
                    Measurement.Entry(layer: "100 children", value: fewDeletions.percentile(0.5) * 1e6),
                    Measurement.Entry(
                        layer: "\(childCount) children", value: manyDeletions.percentile(0.5) * 1e6,
                        goal: .value(1_000)),
                ])
            measurements += Measurement.beside(
                "save beside deletions of parents", adapter.rawValue, "µs p99",
                [
                    Measurement.Entry(layer: "no deletions", value: saves.percentile(0.99) * 1e6),
                    Measurement.Entry(layer: "deletions", value: savesBeside.percentile(0.99) * 1e6),
                ])
        }
        return measurements
    }

    /// Eight tasks that save records of their own, alone and beside others that delete records.
    private static let saversBesideDeleters = Benchmark(name: "8 savers beside deleters") { bench in
        guard bench.has(ServiceAdapter.postgresql.rawValue) else { return [] }
        let perTask = bench.sized(500)
        let adapter = PostgreSQLAdapter(
            PostgreSQLConfiguration(
                ServiceAdapter.postgreSQLAddress, schema: ServiceAdapter.postgreSQLSchema(try bench.makeDirectory()),
                maximumConnectionCount: 16))
        let note = EntitySchema("Note", fields: [FieldSchema("id", .id), FieldSchema("text", .string)])
        let store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        var entries: [Measurement.Entry] = []
        for (deleterCount, goal) in [(0, nil), (1, nil), (4, Goal.ratio(1.7))] {
            let duration = try await save(store, perTask: perTask, besideDeleters: deleterCount)
            let layer = deleterCount == 1 ? "1 deleter" : "\(deleterCount) deleters"
            entries.append(Measurement.Entry(layer: layer, value: Double(8 * perTask) / duration, goal: goal))
        }
        try await store.close()
        return Measurement.beside("8 savers beside deleters", "postgresql", "saves/s", isRate: true, entries)
    }

    /// Has eight tasks save beside others that delete; returns how many seconds it took.
    private static func save(_ store: Store, perTask: Int, besideDeleters deleterCount: Int) async throws -> Double {
        func put(_ ids: some Sequence<String>) async throws {
            var rows = RowBuffer(columnCount: 2)
            for id in ids { rows.append([.text(id), .text("text")]) }
            _ = try await store.commit(CommitRequest(operations: [.put(entity: "Note", rows: rows, mode: .upsert)]))
        }
        for deleter in 0..<deleterCount { try await put((0..<20_000).map { "d\(deleter)-\($0)" }) }
        let end = End()
        let deleters = (0..<deleterCount).map { deleter in
            Task {
                for number in 0..<20_000 where !end.isReached.load(ordering: .relaxed) {
                    let delete = WriteOperation.delete(entity: "Note", keys: [RecordKey("d\(deleter)-\(number)")])
                    _ = try await store.commit(CommitRequest(operations: [delete]))
                }
            }
        }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { for number in 0..<perTask { try await put(["s\(task)-\(number)"]) } }
            }
            try await group.waitForAll()
        }
        let duration = ContinuousClock.now - start
        end.isReached.store(true, ordering: .relaxed)
        for deleter in deleters { try await deleter.value }
        return duration / .seconds(1)
    }

    private static func run(
        _ store: RemoteStore, childCount: Int, deletionCount: Int
    ) async throws -> (deletions: Samples, saves: Samples) {
        let end = End()
        let writers = (0..<2).map { writer in
            Task {
                var samples = Samples()
                while !end.isReached.load(ordering: .relaxed) {
                    let number = (samples.seconds.count * 2 + writer) % childCount
                    let book = Book(
                        id: "b\(number)", title: "book \(samples.seconds.count)", rating: 1,
                        shelf: Shelf(id: "s\(number % 100)", name: "shelf"))
                    let start = ContinuousClock.now
                    try await store.store.save(book)
                    samples.add(.now - start)
                }
                return samples
            }
        }
        var deletions = Samples()
        for number in 0..<deletionCount {
            let shelf = Shelf(id: "empty \(number)", name: "empty")
            try await store.store.save(shelf)
            let start = ContinuousClock.now
            try await store.store.delete(shelf)
            deletions.add(.now - start)
        }
        if deletionCount == 0 { try await Task.sleep(for: .milliseconds(200)) }
        end.isReached.store(true, ordering: .relaxed)
        var saves = Samples()
        for writer in writers { saves.add(try await writer.value) }
        return (deletions, saves)
    }

    /// Ends the writers between two saves, which a cancellation would interrupt.
    private final class End: Sendable {
        let isReached = Atomic(false)
    }

    /// A store with 100 shelves and books on them, made in the first pass.
    private static func store(
        _ bench: Workbench, _ adapter: ServiceAdapter, childCount: Int
    ) async throws -> RemoteStore {
        try await bench.keep("\(childCount) books on \(adapter)") {
            let make = adapter.maker(try bench.makeDirectory())
            let store = try await RemoteStore.open(try make(), models: [Shelf.self, Book.self])
            let shelves = (0..<100).map { [Value.text("s\($0)"), .text("shelf \($0)")] }
            _ = try await store.apply(RemoteRows(model: Shelf.modelName, rows: shelves, version: 1))
            for start in stride(from: 0, to: childCount, by: 1_000) {
                let books = (start..<min(start + 1_000, childCount)).map {
                    [Value.text("b\($0)"), .text("book \($0)"), .integer(Int64($0 % 7)), .text("s\($0 % 100)")]
                }
                _ = try await store.apply(RemoteRows(model: Book.modelName, rows: books, version: 1))
            }
            return (store, { try await store.close() })
        }
    }
}

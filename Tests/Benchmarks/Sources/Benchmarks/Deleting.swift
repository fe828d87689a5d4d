import HoldfastBenchmarkSupport
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import Synchronization

/// Deletions beside writers, which they must not delay.
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
            var (fewDeletions, manyDeletions) = (Samples(), Samples())
            var (saves, savesBesideSaves, savesBesideDeletions) = (Samples(), Samples(), Samples())
            for _ in 0..<2 {
                fewDeletions.add(try await run(few, childCount: 100, .deletes).third)
                saves.add(try await run(many, childCount: childCount, .rests).saves)
                savesBesideSaves.add(try await run(many, childCount: childCount, .saves).saves)
                let both = try await run(many, childCount: childCount, .deletes)
                manyDeletions.add(both.third)
                savesBesideDeletions.add(both.saves)
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
                    // With few cores, any third busy task slows down the other two.
                    Measurement.Entry(layer: "beside saves", value: savesBesideSaves.percentile(0.99) * 1e6),
                    Measurement.Entry(
                        layer: "beside deletions", value: savesBesideDeletions.percentile(0.99) * 1e6,
                        goal: .ratio(1.25)),
                    Measurement.Entry(layer: "beside nothing", value: saves.percentile(0.99) * 1e6),
                ])
        }
        return measurements
    }

    /// Eight tasks that save records of their own, alone and beside others that delete records: the adapter, and libpq.
    private static let saversBesideDeleters = Benchmark(name: "8 savers beside deleters") { bench in
        guard bench.has(ServiceAdapter.postgresql.rawValue) else { return [] }
        let perTask = bench.sized(500)
        let schema = ServiceAdapter.postgreSQLSchema(try bench.makeDirectory())
        let stores: [(layer: String, store: any NoteStore)] = [
            ("adapter", try await AdapterNoteStore(schema: schema, connectionCount: 16)),
            ("libpq", try await RawNoteStore(schema: schema + "_raw", connectionCount: 12)),
        ]
        var speeds: [[Double]] = [[], []]
        for deleterCount in [0, 1, 4] {
            for (index, store) in stores.enumerated() {
                let duration = try await save(store.store, perTask: perTask, besideDeleters: deleterCount)
                speeds[index].append(Double(8 * perTask) / duration)
            }
        }
        for store in stores { try await store.store.close() }
        return zip(stores, speeds).flatMap { store, speeds in
            Measurement.beside(
                "8 savers beside deleters", "postgresql", "saves/s", isRate: true,
                zip(["no deleters", "1 deleter", "4 deleters"], speeds).map { name, speed in
                    Measurement.Entry(layer: "\(store.layer), \(name)", value: speed)
                })
        }
            + Measurement.beside(
                "slowdown by 4 deleters", "postgresql", "times",
                zip(stores, speeds).reversed().map { store, speeds in
                    Measurement.Entry(
                        layer: store.layer, value: speeds[0] / speeds[2],
                        goal: store.layer == "adapter" ? .ratio(1.1) : nil)
                })
    }

    /// Has eight tasks save beside others that delete; returns how many seconds it took.
    private static func save(
        _ store: any NoteStore, perTask: Int, besideDeleters deleterCount: Int
    ) async throws -> Double {
        for deleter in 0..<deleterCount {
            for start in stride(from: 0, to: 20_000, by: 1_000) {
                try await store.save((start..<start + 1_000).map { "d\(deleter)-\($0)" }, task: deleter)
            }
        }
        let end = End()
        let deleters = (0..<deleterCount).map { deleter in
            Task {
                for number in 0..<20_000 where !end.isReached.load(ordering: .relaxed) {
                    try await store.delete("d\(deleter)-\(number)", task: 8 + deleter)
                }
            }
        }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<perTask { try await store.save(["s\(task)-\(number)"], task: task) }
                }
            }
            try await group.waitForAll()
        }
        let duration = ContinuousClock.now - start
        end.isReached.store(true, ordering: .relaxed)
        for deleter in deleters { try await deleter.value }
        return duration / .seconds(1)
    }

    /// What a third task does beside two that save books.
    private enum ThirdTask {
        case rests, saves, deletes
    }

    private static func run(
        _ store: RemoteStore, childCount: Int, _ thirdTask: ThirdTask
    ) async throws -> (third: Samples, saves: Samples) {
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
        var third = Samples()
        for number in 0..<100 where thirdTask != .rests {
            let shelf = Shelf(id: "empty \(number)", name: "empty")
            try await store.store.save(shelf)
            let start = ContinuousClock.now
            if thirdTask == .deletes {
                try await store.store.delete(shelf)
            } else {
                try await store.store.save(Shelf(id: shelf.id, name: "still empty"))
            }
            third.add(.now - start)
        }
        if thirdTask == .rests { try await Task.sleep(for: .milliseconds(300)) }
        end.isReached.store(true, ordering: .relaxed)
        var saves = Samples()
        for writer in writers { saves.add(try await writer.value) }
        return (third, saves)
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

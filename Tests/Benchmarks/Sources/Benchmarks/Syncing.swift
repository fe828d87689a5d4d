import Foundation
import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastServer
import HoldfastStorage
import HoldfastSync

/// A device and a service in one process: the whole way but the network.
enum Syncing {
    static let all = [first, saving, draining]

    /// From an empty store to one that has all records of the service.
    private static let first = Benchmark(name: "first sync") { bench in
        let service = try await service(bench)
        var measurements: [Measurement] = []
        for adapter in DeviceAdapter.allCases where bench.has(adapter.rawValue) {
            var entries: [Measurement.Entry] = []
            if adapter == .sqlite {
                let peer = try await peerSpeed(bench, service)
                entries.append(Measurement.Entry(layer: "grdb-json", value: peer))
            }
            var memory = Memory()
            let (speed, highest) = try await speed(bench, service, adapter)
            memory.note(highest)
            let goal = Goal.atLeast(adapter == .sqlite ? 20_000 : 30_000)
            entries.append(Measurement.Entry(layer: "synchronizer", value: speed, goal: goal))
            measurements += Measurement.beside("first sync", adapter.rawValue, "rows/s", isRate: true, entries)
            measurements.append(
                Measurement(
                    name: "first sync, memory growth", adapter: adapter.rawValue, layer: "synchronizer",
                    value: Double(memory.growth), unit: "bytes", goal: .value(60_000_000)))
        }
        return measurements
    }

    private static func speed(
        _ bench: Workbench, _ service: ErrandService, _ adapter: DeviceAdapter
    ) async throws -> (rowsPerSecond: Double, highestByteCount: Int) {
        try await withStore(bench, adapter) { store in
            let synchronizer = try Synchronizer(store, with: ServiceTransport(service: service).syncService)
            let watch = Task {
                var memory = Memory()
                while !Task.isCancelled {
                    memory.sample()
                    try? await Task.sleep(for: .milliseconds(20))
                }
                return memory.highest
            }
            let samples = try await time {
                try await synchronizer.start()
                try await synchronizer.waitUntilSynchronized()
                return synchronizer.status.models[Errand.modelName]?.rowCount ?? 0
            }
            watch.cancel()
            let highest = await watch.value
            let count = try await store.query(Errand.self).count
            precondition(count == service.recordCount, "the device has every record")
            await synchronizer.close()
            return (Double(service.recordCount) / samples.sum, highest)
        }
    }

    /// The same pages, decoded by Foundation and inserted by GRDB; the service's time is not in it.
    private static func peerSpeed(_ bench: Workbench, _ service: ErrandService) async throws -> Double {
        let directory = try bench.makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let store = try GRDBErrandStore(directory: directory)
        var pages: [[UInt8]] = []
        _ = try await ErrandService.pages(service.answer) { pages.append($0) }
        let samples = try await time {
            var count = 0
            for page in pages { count += try await store.insert(page) }
            precondition(count == service.recordCount, "every record is inserted")
            return count
        }
        try store.close()
        return Double(service.recordCount) / samples.sum
    }

    /// Single saves of an application while its first sync runs, beside the same without it.
    private static let saving = Benchmark(name: "save while syncing") { bench in
        let service = try await service(bench)
        let answers = try await answers(bench, service)
        var measurements: [Measurement] = []
        for adapter in DeviceAdapter.allCases where bench.has(adapter.rawValue) {
            let (alone, beside) = try await withStore(bench, adapter) { store in
                let alone = try await saves(store, from: 0) { $0 >= 100 }
                let transport = ServiceTransport(service: service, losesMutations: true, answers: answers)
                let synchronizer = try Synchronizer(store, with: transport.syncService)
                try await synchronizer.start()
                let beside = try await saves(store, from: 1_000) { _ in
                    synchronizer.status.models[Errand.modelName]?.isSynced ?? false
                }
                await synchronizer.close()
                return (alone, beside)
            }
            for (share, unit, bound) in [(0.5, "µs p50", 1_000.0), (0.99, "µs p99", 5_000)] {
                measurements += Measurement.beside(
                    "save while syncing", adapter.rawValue, unit,
                    [
                        Measurement.Entry(layer: "alone", value: alone.percentile(share) * 1e6),
                        Measurement.Entry(
                            layer: "first sync", value: beside.percentile(share) * 1e6, goal: .value(bound)),
                    ])
            }
        }
        return measurements
    }

    /// Saves one record after the other, as a quick user would, until it is enough.
    private static func saves(
        _ store: DataStore, from first: Int, until isEnough: (_ count: Int) -> Bool
    ) async throws -> Samples {
        var samples = Samples()
        var number = 10_000_000 + first
        while !isEnough(samples.seconds.count) {
            let errand = Errands.errand(number)
            let start = ContinuousClock.now
            try await store.save(errand)
            samples.add(.now - start)
            number += 1
            try await Task.sleep(for: .milliseconds(2))
        }
        return samples
    }

    /// 1,000 changes of 1,000 records, made while there was no network, on their way to the service.
    private static let draining = Benchmark(name: "drain 1000 changes") { bench in
        guard bench.has("sqlite") else { return [] }
        let count = 1_000
        let service = try await ErrandService.open(recordCount: count) { InMemoryAdapter() }
        let roundTrip = Duration.milliseconds(20)
        let transport = ServiceTransport(service: service, roundTrip: roundTrip)
        let ideal = try await time {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let window = SyncSettings().sendWindow
                for task in 0..<window {
                    group.addTask {
                        for number in stride(from: task, to: count, by: window) {
                            try await Task.sleep(for: roundTrip)
                            _ = try await service.answer(ErrandService.updateBody(number, version: 1))
                        }
                    }
                }
                try await group.waitForAll()
            }
            return count
        }
        let drained = try await withStore(bench, .sqlite) { store in
            let synchronizer = try Synchronizer(store, with: transport.syncService)
            try await synchronizer.start()
            try await synchronizer.waitUntilSynchronized()
            try await synchronizer.stop()
            for var errand in try await store.query(Errand.self) {
                errand.title += ", changed"
                try await store.save(errand)
            }
            let pending = try await store.outboxCount()
            precondition(pending == count, "every change waits")
            let samples = try await time {
                try await synchronizer.start()
                for await status in synchronizer.statuses where status.state == .live && status.outboxCount == 0 {
                    return 1
                }
                return 0
            }
            let left = try await store.outboxCount()
            precondition(left == 0, "every change is sent")
            await synchronizer.close()
            return samples
        }
        try await service.server.close()
        return Measurement.beside(
            "drain 1000 changes, 20 ms round trip", "sqlite", "s",
            [
                Measurement.Entry(layer: "requests alone", value: ideal.sum),
                Measurement.Entry(layer: "synchronizer", value: drained.sum, goal: .value(4)),
            ])
    }

    /// A service on a store in memory, so that most of what is measured is the device's work.
    private static func service(_ bench: Workbench) async throws -> ErrandService {
        try await bench.keep("service of a first sync") {
            let service = try await ErrandService.open(recordCount: bench.sized(100_000)) { InMemoryAdapter() }
            return (service, { try await service.server.close() })
        }
    }

    /// What the service answers in a first sync.
    private static func answers(_ bench: Workbench, _ service: ErrandService) async throws -> ServiceAnswers {
        try await bench.keep("answers of a first sync") {
            let answers = ServiceAnswers()
            let transport = ServiceTransport(service: service, losesMutations: true, answers: answers)
            try await withStore(bench, .sqlite) { store in
                let synchronizer = try Synchronizer(store, with: transport.syncService)
                try await synchronizer.start()
                try await synchronizer.waitUntilSynchronized()
                await synchronizer.close()
            }
            return (answers, {})
        }
    }

    private static func withStore<Result>(
        _ bench: Workbench, _ adapter: DeviceAdapter, _ body: (DataStore) async throws -> Result
    ) async throws -> Result {
        let directory = try bench.makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let store = try await DataStore.open(adapter.make(in: directory), models: [Errand.self])
        let result = try await body(store)
        try await store.close()
        return result
    }
}

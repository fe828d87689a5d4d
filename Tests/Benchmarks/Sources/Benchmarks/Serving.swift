import HoldfastWire
import Synchronization

/// The service over HTTP and WebSockets on this machine; clients and store share its processors.
enum Serving {
    static let all = [mutations, basePages, delta, fanOut]

    /// Changes with a version check over 16 connections, beside the same store's C API without a service.
    private static let mutations = Benchmark(name: "mutations over HTTP (faster is better)") { bench in
        var measurements: [Measurement] = []
        for adapter in ServiceAdapter.allCases where bench.has(adapter.rawValue) {
            let goal = Goal.atLeast(adapter == .postgresql ? 3_500 : 5_000)
            var entries = [
                Measurement.Entry(layer: "raw saves", value: try await rawSpeed(bench, adapter)),
                Measurement.Entry(layer: "service", value: try await mutationSpeed(bench, adapter), goal: goal),
            ]
            if adapter != .leveldb {
                let speed = try await mutationSpeed(bench, adapter, hasChangeLog: true)
                entries.append(Measurement.Entry(layer: "service with change log", value: speed, goal: goal))
            }
            measurements += Measurement.beside(
                "mutations over HTTP (faster is better)", adapter.rawValue, "mutations/s", isRate: true, entries)
        }
        return measurements
    }

    private static func mutationSpeed(
        _ bench: Workbench, _ adapter: ServiceAdapter, hasChangeLog: Bool = false
    ) async throws -> Double {
        let running = try await running(bench, adapter, hasChangeLog: hasChangeLog)
        let (perConnection, connectionCount) = (bench.sized(10_000) / 16, 16)
        // Records of their own in each pass, so that the version is known.
        let first = running.takeNumbers(perConnection * connectionCount)
        let (service, ports) = (running.service.service, running.service.ports)
        // Made before, as the service's clients have processors of their own.
        let bodies = (0..<perConnection * connectionCount).map { number in
            ErrandService.updateBody((first.number + number) % service.recordCount, version: first.version)
        }
        let samples = try await time {
            try await onThreads(connectionCount) { connection in
                let socket = try LoopbackSocket(port: ports[connection % ports.count])
                for number in 0..<perConnection { _ = try socket.post(bodies[connection * perConnection + number]) }
            }
            return perConnection * connectionCount
        }
        return Double(perConnection * connectionCount) / samples.sum
    }

    /// Items replaced, each durably and alone, by eight tasks through the C API.
    private static func rawSpeed(_ bench: Workbench, _ adapter: ServiceAdapter) async throws -> Double {
        guard let contender = bench.contenders.first(where: { $0.adapter == adapter.rawValue && $0.layer == "raw" })
        else { return .nan }
        let (taskCount, perTask) = (8, bench.sized(2_500) / 2)
        let items = bench.items
        return try await bench.withEmptyStore(of: contender) { store in
            try await store.save(items[..<(taskCount * perTask)])
            let samples = try await time {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for task in 0..<taskCount {
                        group.addTask {
                            for var item in items[task * perTask..<(task + 1) * perTask] {
                                item.title = "Another title"
                                try await store.save(item)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                return perTask
            }
            return Double(taskCount * perTask) / samples.sum
        }
    }

    /// All records in pages of 1,000 over one connection, beside the same without HTTP.
    private static let basePages = Benchmark(name: "serve a base sync") { bench in
        var measurements: [Measurement] = []
        for adapter in ServiceAdapter.allCases where bench.has(adapter.rawValue) {
            let running = try await running(bench, adapter)
            let (service, port) = (running.service.service, running.service.ports[0])
            var (inProcess, http) = (Samples(), Samples())
            for _ in 0..<2 {
                inProcess.add(
                    try await time {
                        var byteCount = 0
                        _ = try await ErrandService.pages(service.answer) { byteCount += $0.count }
                        return byteCount
                    })
                http.add(
                    try await time {
                        let byteCount = Mutex(0)
                        let connection = BlockingClient(port: port)
                        _ = try await ErrandService.pages(connection.post) { page in
                            byteCount.withLock { $0 += page.count }
                        }
                        return byteCount.withLock { $0 }
                    })
            }
            let speeds = [inProcess, http].map { Double(service.recordCount) / $0.best }
            var entries = [
                Measurement.Entry(layer: "in process", value: speeds[0], goal: .atLeast(100_000)),
                Measurement.Entry(layer: "HTTP", value: speeds[1], goal: .atLeast(100_000)),
            ]
            if let raw = try rawScanSpeed(adapter, running.directory, service.recordCount) {
                entries.insert(Measurement.Entry(layer: "raw scan", value: raw), at: 0)
            }
            measurements += Measurement.beside(
                "serve a base sync", adapter.rawValue, "rows/s", isRate: true, entries)
        }
        return measurements
    }

    /// The service's table through the C API, every column as text; `nil` where a store has no tables.
    private static func rawScanSpeed(
        _ adapter: ServiceAdapter, _ directory: String, _ recordCount: Int
    ) throws -> Double? {
        let start = ContinuousClock.now
        var (count, sum) = (0, 0)
        switch adapter {
        case .sqlite:
            let statement = try RawDatabase(path: directory + "/service.sqlite")
                .prepare(#"select * from "Errand" order by "id""#)
            while try statement.step() {
                for column in 0..<statement.columnCount { sum &+= statement.utf8(column).count }
                count += 1
            }
        case .leveldb: return nil
        case .postgresql:
            let connection = try RawPostgreSQLConnection(url: ServiceAdapter.postgreSQLAddress)
            let table = ServiceAdapter.postgreSQLSchema(directory) + #"."Errand""#
            try connection.prepare("all", "select * from \(table) order by \"id\"")
            let result = try connection.run("all", [])
            for row in 0..<result.rowCount {
                for column in 0..<result.columnCount { sum &+= result.utf8(row, column).count }
                count += 1
            }
        }
        consume(sum)
        precondition(count >= recordCount, "the table has every record")
        return Double(count) / (ContinuousClock.now - start).inSeconds
    }

    /// 100 changes among all records, as a client asks for them that was away.
    private static let delta = Benchmark(name: "delta of 100 changes") { bench in
        var measurements: [Measurement] = []
        for adapter in ServiceAdapter.allCases where bench.has(adapter.rawValue) {
            let running = try await running(bench, adapter)
            let service = running.service.service
            let startedAt = try await ErrandService.pages(service.answer) { _ in }
            let first = running.takeNumbers(100)
            for number in first.number..<first.number + 100 {
                let body = ErrandService.updateBody(number % service.recordCount, version: first.version)
                _ = try await service.answer(body)
            }
            let body = ErrandService.syncBody(["limit": 1_000, "lastSync": startedAt])
            var samples = Samples()
            for round in 0...20 {
                let turn = try await time { try await service.answer(body).count }
                if round > 0 { samples.add(turn) }
            }
            measurements.append(
                Measurement(
                    name: "delta of 100 changes among \(service.recordCount) records", adapter: adapter.rawValue,
                    layer: "in process", value: samples.percentile(0.5) * 1e3, unit: "ms p50", goal: .value(5)))
        }
        return measurements
    }

    /// From a mutation over HTTP to its arrival at each of 1,000 subscribers, beside as many writes to plain sockets.
    private static let fanOut = Benchmark(name: "mutation to 1000 subscribers") { bench in
        guard bench.has("sqlite") else { return [] }
        let subscriberCount = 1_000
        let running = try await running(bench, .sqlite, hasChangeLog: true)
        let (service, port) = (running.service.service, running.service.ports[0])
        let turns = bench.sized(100)
        let first = running.takeNumbers(turns)
        let results = Mutex((raw: Samples(), service: Samples()))
        LoopbackSocket.raiseLimit()
        try await onThreads(1) { _ in
            let pairs = try (0..<subscriberCount).map { _ in try LoopbackSocket.pair() }
            let frame = LoopbackSocket.serverFrame(Array(repeating: UInt8(ascii: "x"), count: 600))
            let raw = try arrivals(at: pairs.map(\.1), turns: turns) { _ in
                for (near, _) in pairs { try near.write(frame) }
            }
            let subscribers = try (0..<subscriberCount).map { _ in
                let socket = try LoopbackSocket(port: port, chunkByteCount: 1 << 12)
                try socket.subscribe()
                return socket
            }
            let client = try LoopbackSocket(port: port)
            let samples = try arrivals(at: subscribers, turns: turns, answering: client) { turn in
                let record = (first.number + turn) % service.recordCount
                let body = ErrandService.updateBody(record, version: first.version)
                try client.write(LoopbackSocket.request(body))
            }
            results.withLock { $0 = (raw, samples) }
        }
        let (raw, samples) = results.withLock { $0 }
        return [(0.5, "ms p50", 10.0), (0.99, "ms p99", 50)].flatMap { share, unit, bound in
            Measurement.beside(
                "mutation to 1000 subscribers", "sqlite", unit,
                [
                    Measurement.Entry(layer: "raw sockets", value: raw.percentile(share) * 1e3),
                    Measurement.Entry(
                        layer: "service", value: samples.percentile(share) * 1e3, goal: .value(bound)),
                ])
        }
    }

    /// How long each frame takes to each socket.
    ///
    /// - Parameters:
    ///   - sockets: The sockets at which the frames arrive.
    ///   - turns: How many frames are sent to each socket.
    ///   - client: Where an answer has to be read, too.
    ///   - send: Has one frame sent to every socket.
    /// - Returns: A duration for each socket in each turn, from the call of `send` to the arrival of the frame.
    /// - Throws: An error of a socket, or what `send` throws.
    private static func arrivals(
        at sockets: [LoopbackSocket], turns: Int, answering client: LoopbackSocket? = nil,
        _ send: (_ turn: Int) throws -> Void
    ) throws -> Samples {
        var samples = Samples()
        let all = sockets + [client].compactMap { $0 }
        let watch = try SocketWatch(all)
        for turn in 0..<turns {
            let start = ContinuousClock.now
            try send(turn)
            var waitingCount = all.count
            while waitingCount > 0 {
                for index in try watch.ready() {
                    try all[index].fill()
                    if index == sockets.count {
                        guard try all[index].takeAnswer() != nil else { continue }
                    } else {
                        guard all[index].takeEvent() else { continue }
                        samples.add(.now - start)
                    }
                    watch.ignore(index)
                    waitingCount -= 1
                }
            }
            try watch.watchAll()
        }
        return samples
    }

    // MARK: - Services

    /// A service with 30,000 records, made in the first pass.
    ///
    /// - Parameters:
    ///   - bench: What keeps it for the next pass.
    ///   - adapter: What the service keeps its records in.
    ///   - hasChangeLog: Whether there is a change log of 1,000 commits, as `holdfast serve` keeps it; subscribers
    ///     then hear of changes from it.
    /// - Returns: The service.
    /// - Throws: What the service does not open with.
    private static func running(
        _ bench: Workbench, _ adapter: ServiceAdapter, hasChangeLog: Bool = false
    ) async throws -> RunningErrands {
        try await bench.keep("service on \(adapter)\(hasChangeLog ? " with change log" : "")") {
            let directory = try bench.makeDirectory()
            // Not a fifth: how a delta depends on the number of records is what is asked.
            let count = max(bench.sized(30_000), min(30_000, bench.sized(150_000)))
            let service = try await RunningService(
                recordCount: count, processCount: adapter == .postgresql ? 2 : 1,
                adapter.maker(directory, commitCount: hasChangeLog ? 1_000 : 0))
            return (RunningErrands(service: service, directory: directory), { try await service.close() })
        }
    }
}

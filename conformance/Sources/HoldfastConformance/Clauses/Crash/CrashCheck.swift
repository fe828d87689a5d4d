import HoldfastStorage

/// Loads a store in a child, ends it, and compares what is left with what was acknowledged.
struct CrashCheck {
    /// Kills a child that waits, as the control of checks that kill children from outside.
    ///
    /// - Throws: ``HarnessFailure`` if it does not end by SIGKILL, which says nothing about the adapter.
    static func expectKillWorks(_ context: ClauseContext) async throws {
        let child = try context.start(.hold, at: try await context.makeLocation())
        for await _ in child.lines { break }
        child.kill()
        let (ends, end) = AsyncStream<WorkerProcess.End?>.makeStream()
        let watchdog = Watchdog(.seconds(120)) { end.yield(nil) }
        Task { end.yield(await child.end()) }
        var signal: Int32?
        for await found in ends {
            signal = found?.signal
            break
        }
        watchdog.stop()
        guard signal == 9 else {
            throw HarnessFailure(
                "A child process that was killed did not end by SIGKILL; no crash can be checked here.")
        }
    }

    /// What a child said before it ended.
    struct Load {
        /// The first step that it should commit.
        var first = 0
        /// The last step that was acknowledged; `first - 1` if none.
        var acknowledged = -1
        var end = WorkerProcess.End()
        var isFinished = false
    }

    let context: ClauseContext
    let location: any StoreLocation

    /// Runs a child that kills itself at an instant, or is killed by this process after some lines.
    func load(
        _ durability: Durability?, _ instant: CrashWorker.Instant, step: Int = 0, stepCount: Int = .max,
        killAfter lineCount: Int? = nil, delay: Duration = .zero, environment: [String: String] = [:]
    ) async throws -> Load {
        let worker = try context.start(
            .load, at: location, CrashWorker.parameters(durability, instant, step: step, stepCount: stepCount),
            environment: environment)
        var load = Load()
        var seen = 0
        for await line in worker.lines {
            let words = line.split(separator: " ")
            switch words.first {
            case "from":
                load.first = Int(words[1]) ?? 0
                load.acknowledged = load.first - 1
            case "ack": load.acknowledged = Int(words[1]) ?? load.acknowledged
            case "mutant": context.noteMutantFired()
            case "end": load.isFinished = true
            default: throw ClauseFailure("The child failed: \(line)")
            }
            seen += 1
            if seen == lineCount {
                try await Task.sleep(for: delay)
                worker.kill()
            }
        }
        load.end = await worker.end()
        return load
    }

    /// Opens what is left and checks it.
    ///
    /// - Parameters:
    ///   - load: What the child said.
    ///   - floor: The last step that must be there; by default the last that was acknowledged.
    ///   - subject: How the child ended.
    /// - Returns: The step the store is at.
    /// - Throws: ``ClauseFailure`` if a commit is there in part, an acknowledged step is missing, a step is there that
    ///   was never tried, or the store finds defects in itself; or the error of the store if it cannot be opened, read
    ///   or closed.
    @discardableResult
    func check(_ load: Load, keeping floor: Int? = nil, _ subject: String) async throws -> Int {
        let store = try await context.open(try StorageSchema(entities: CrashHistory.entities), at: location)
        let step: Int
        do {
            step = try await CrashHistory.step(of: store, context)
        } catch let failure as ClauseFailure {
            throw ClauseFailure("\(subject): a commit is there in part. \(failure.message)")
        }
        let floor = floor ?? load.acknowledged
        try context.expect(
            step >= floor, "\(subject): step \(floor) was acknowledged to last; the store is at \(step).")
        try context.expect(
            step <= load.acknowledged + 1,
            "\(subject): step \(step) is there, though \(load.acknowledged + 1) is the last that was tried.")
        if store.store.capabilities.support(for: .verification) != .unsupported {
            try context.expectEqual(try await store.store.verify(), [], "the defects that verify() finds, \(subject)")
        }
        try await store.store.close()
        return step
    }
}

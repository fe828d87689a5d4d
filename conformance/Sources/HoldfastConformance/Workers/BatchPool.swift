import Foundation

/// Runs parts of a run in child processes, a limited number at a time: a part that crashes or hangs takes no other with it.
struct BatchPool {
    /// A part of a run.
    struct Batch: Sendable, Equatable {
        var adapter: String
        /// What it is about, for the log.
        var family: String
        /// Clauses or mutants, in order.
        var ids: [String]
        /// Whether nothing else may work with the adapter's back end meanwhile.
        var isAlone = false
        /// Whether what is written goes to the disk, or need not.
        var syncs = true
    }

    let workers: WorkerLauncher
    let kind: BatchKind
    let seed: UInt64
    let timeout: Duration
    let jobCount: Int

    /// Runs all parts.
    ///
    /// - Parameters:
    ///   - batches: The parts, in the order in which they begin.
    ///   - handle: Called for each thing that a child said, in its order; `false` ends the run.
    func run(_ batches: [Batch], _ handle: (Batch, BatchEvent) -> Bool) async {
        guard !batches.isEmpty else { return }
        var waiting = batches
        var running: [Batch] = []
        let (events, sender) = AsyncStream<(Batch, BatchEvent?)>.makeStream()
        await withTaskGroup(of: Void.self) { group in
            func start() {
                while running.count < jobCount,
                    let next = waiting.firstIndex(where: { batch in
                        !running.contains { $0.adapter == batch.adapter && ($0.isAlone || batch.isAlone) }
                    })
                {
                    let batch = waiting.remove(at: next)
                    running.append(batch)
                    group.addTask {
                        await self.run(batch) { sender.yield((batch, $0)) }
                        sender.yield((batch, nil))
                    }
                }
            }
            start()
            for await (batch, event) in events {
                if let event {
                    if handle(batch, event) { continue }
                    group.cancelAll()
                    break
                }
                running.removeAll { $0 == batch }
                start()
                if running.isEmpty { break }
            }
        }
    }

    /// Runs one part, in another child after each that ended before its time.
    private func run(_ batch: Batch, _ report: @Sendable (BatchEvent) -> Void) async {
        var rest = batch.ids
        while !rest.isEmpty && !Task.isCancelled {
            var inProgress: String?
            var fault: String?
            let countBefore = rest.count
            let end: String
            do {
                let worker = try start(batch, rest)
                end = await withTaskCancellationHandler {
                    await listen(to: worker) { event in
                        switch event {
                        case .begins(let id): inProgress = id
                        case .result(let result):
                            rest.removeAll { $0 == result.clause }
                            inProgress = nil
                        case .fate(let id, _):
                            rest.removeAll { $0 == id }
                            inProgress = nil
                        case .harnessFailed(let reason): fault = reason
                        case .backend, .lost: break
                        }
                        report(event)
                    }
                } onCancel: {
                    worker.kill()
                }
            } catch {
                end = "\(error)"
            }
            guard !rest.isEmpty && !Task.isCancelled else { return }
            // What was in progress is to blame. A child that gave up after a verdict has a successor; one that came to
            // nothing shows that the harness or its adapter is broken.
            if let inProgress {
                rest.removeAll { $0 == inProgress }
                report(.lost(inProgress, "The process of the check \(end) while this was in progress."))
            } else if rest.count == countBefore {
                let reason = fault ?? "The process \(end) while the harness and its adapter were tried."
                for id in rest { report(.lost(id, reason)) }
                rest = []
            }
        }
    }

    private func start(_ batch: Batch, _ ids: [String]) throws -> WorkerProcess {
        try workers.batch(
            ["--batch", kind.rawValue, batch.adapter, "\(seed)", "\(timeout.components.seconds)"] + ids,
            environment: batch.syncs ? [:] : ["HOLDFAST_SYNC": "skip"])
    }

    /// - Returns: How the process ended, in words.
    private func listen(to worker: WorkerProcess, _ handle: (BatchEvent) -> Void) async -> String {
        // For a child that cannot even end itself.
        func watch() -> Watchdog { Watchdog(timeout * 3 + .seconds(120)) { worker.kill() } }
        var watchdog = watch()
        for await line in worker.lines {
            watchdog.stop()
            watchdog = watch()
            if let event = BatchEvent(line: line) { handle(event) }
        }
        watchdog.stop()
        let end = await worker.end()
        if let signal = end.signal { return "was ended by signal \(signal)" }
        return "ended with the exit code \(end.code ?? 0)"
    }
}

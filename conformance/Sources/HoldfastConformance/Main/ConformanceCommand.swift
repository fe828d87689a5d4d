import Foundation

/// The command line of a harness: what an author's executable hands its arguments to.
public struct ConformanceCommand: Sendable {
    static let usage = """
        usage: [next] <adapter>|all [options]

          --filter TXT-004   only clauses whose id begins so; with --mutate, mutants of these clauses, or whose own id
                             begins so; may be given several times
          --seed N           decides every random choice; 1 by default
          --jobs N           works in so many processes at a time; by default as many as there are cores
          --watchdog N       gives up a check that has not ended after so many seconds; 600 by default
          --json PATH        writes what was found as JSON
          --junit PATH       writes what was found as JUnit XML
          --html PATH        writes the matrix of adapters and clauses as one page; with --mutate what became of each
                             mutant
          --readme PATH      compares the table between the marks of a document; HOLDFAST_RECORD=1 rewrites it
          --next             stops at the first broken rule and reports it in detail; also the word next, put first;
                             begins with the clause that was broken the last time
          --mutate           puts in every mutant and asks whether its clause finds it
          --list             lists the clauses
          --families         lists the families: letters, clauses, mutants, "lasting" if some clauses ask for a store
                             that outlives its adapter, and a title
          --contract         prints the contract as a document

        exit code: 0 all is well, 1 a rule is broken or a mutant survives, 2 wrong arguments or a broken harness
        """

    private let harnesses: [any AdapterHarness]
    private let suite: Suite
    private let mutants: [Mutant]
    private let workers: WorkerLauncher?

    /// Creates a command.
    ///
    /// - Parameters:
    ///   - harnesses: The adapters to choose from.
    ///   - suite: What to check; every clause of the adapter contract by default. With the module
    ///     HoldfastEngineConformance, `.complete` adds those of the storage engine on the adapter.
    ///   - mutants: What `--mutate` puts in; none by default. With the module HoldfastConformanceMutants, `Mutant.all`.
    ///   - workers: How to start this executable as a child; from the running executable by default.
    public init(
        _ harnesses: [any AdapterHarness], suite: Suite = .adapter, mutants: [Mutant] = [],
        workers: WorkerLauncher? = WorkerLauncher(executable: CommandLine.arguments[0])
    ) {
        self.harnesses = harnesses
        self.suite = suite
        let clauses = Set(suite.clauseIDs)
        self.mutants = mutants.filter { clauses.contains($0.clause) }
        self.workers = workers
    }

    /// Does what the arguments say.
    ///
    /// - Parameter arguments: Without the name of the executable.
    /// - Returns: The exit code: 0 if all is well, 1 if a rule is broken or a mutant survives, 2 for wrong arguments
    ///   or a broken harness.
    public func run(_ arguments: [String]) async -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            WorkerJob.say(Self.usage)
            return 0
        }
        do {
            if let worker = try WorkerCommand(arguments, harnesses: harnesses, mutants: mutants) {
                return await worker.run()
            }
            if let child = try BatchCommand(
                arguments, harnesses: harnesses, suite: suite, mutants: mutants, workers: workers)
            {
                return await child.run()
            }
            if let child = try ClauseCommand(arguments, harnesses: harnesses, suite: suite, mutants: mutants) {
                return await child.run()
            }
            let options = try ConformanceOptions(arguments, adapters: harnesses.map(\.name))
            let chosen = harnesses.filter { options.includes($0.name) }
            try requireClauses(of: chosen)
            switch options.action {
            case .list:
                for clause in suite.clauses { WorkerJob.say("\(clause.id)  \(clause.level.rawValue)  \(clause.rule)") }
                return 0
            case .families:
                for family in suite.families { WorkerJob.say(line(about: family)) }
                return 0
            case .contract:
                print(ContractDocument(suite).text, terminator: "")
                return 0
            case .check: return try await check(chosen, options)
            case .next: return try await next(chosen, options)
            case .mutate: return try await mutate(chosen, options)
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n\n\(Self.usage)\n".utf8))
            return 2
        }
    }

    /// A level that is claimed and not checked would look like one that is kept.
    private func requireClauses(of harnesses: [any AdapterHarness]) throws {
        let levels = Set(suite.clauses.map(\.level))
        for harness in harnesses {
            guard let level = harness.levels.subtracting(levels).first else { continue }
            throw ConformanceOptions.Wrong(
                description:
                    "'\(harness.name)' claims the level \(level.rawValue), of which this program has no clauses."
                    + " Pass `suite: .complete` of HoldfastEngineConformance, or do not claim the level.")
        }
    }

    private func line(about family: Family) -> String {
        let mutantCount = mutants.count { $0.family == family.id }
        let lasting = family.needsPersistence ? "lasting" : "any"
        return "\(family.id)  \(family.clauses.count) clauses  \(mutantCount) mutants  \(lasting)  \(family.title)"
    }

    private func check(_ harnesses: [any AdapterHarness], _ options: ConformanceOptions) async throws -> Int32 {
        let reports = try await run(harnesses, options.selected(suite), options)
        var code: Int32 = reports.contains { $0.failedCount > 0 } ? 1 : 0
        if let path = options.readmePath { code = max(code, try Self.compareTable(of: reports, with: path)) }
        let isHarnessBroken = reports.contains { $0.results.contains { $0.verdict == .harnessError } }
        return isHarnessBroken ? 2 : code
    }

    /// Runs the suite against every adapter, in this process or in workers.
    ///
    /// - Parameters:
    ///   - harnesses: The harnesses of the adapters.
    ///   - suite: The clauses to run.
    ///   - options: The options of the command.
    ///   - stopsAtFailure: Whether the first broken rule, in the order of the suite, ends the run.
    /// - Returns: One report for each adapter.
    /// - Throws: An error if a report file cannot be written.
    private func run(
        _ harnesses: [any AdapterHarness], _ suite: Suite, _ options: ConformanceOptions, stopsAtFailure: Bool = false
    ) async throws -> [ConformanceReport] {
        var record = RunRecord(harnesses, suite, options, isQuiet: stopsAtFailure)
        guard let workers else {
            for harness in harnesses {
                let run = ConformanceRun(
                    harness, suite: suite, seed: options.seed, today: Suite.today, timeout: options.timeout)
                var failure: (any Error)?
                let report = await run.run(
                    stopsAtFailure: stopsAtFailure, begins: { record.begin($0.id, of: harness.name) },
                    progress: { result in
                        do { try record.add(result, of: harness.name) } catch { failure = error }
                    })
                record.name(report.backend, of: harness.name)
                if let failure { throw failure }
            }
            return try record.finish()
        }
        var batches: [BatchPool.Batch] = []
        for harness in harnesses { batches += await BatchPlan(suite).clauses(of: harness) }
        // The families at the end of the suite take longest.
        if !stopsAtFailure { batches.reverse() }
        let pool = BatchPool(
            workers: workers, kind: .clauses, seed: options.seed, timeout: options.timeout,
            jobCount: stopsAtFailure ? 1 : options.jobCount)
        var failure: (any Error)?
        await pool.run(batches) { batch, event in
            do {
                switch event {
                case .begins(let id): record.begin(id, of: batch.adapter)
                case .result(let result):
                    try record.add(result, of: batch.adapter)
                    return !(stopsAtFailure && result.verdict.isFailure)
                case .lost(let id, let reason):
                    try record.lose(id, of: batch.adapter, because: reason)
                    return !stopsAtFailure
                case .backend(let backend): record.name(backend, of: batch.adapter)
                case .fate, .harnessFailed: break
                }
            } catch {
                failure = error
                return false
            }
            return true
        }
        if let failure { throw failure }
        return try record.finish()
    }

    private func next(_ harnesses: [any AdapterHarness], _ options: ConformanceOptions) async throws -> Int32 {
        for harness in harnesses {
            let mark = NextMark(executable: workers?.executable ?? CommandLine.arguments[0], adapter: harness.name)
            let selected = options.selected(suite).beginning(with: mark.clause)
            let report = try await run([harness], selected, options, stopsAtFailure: true)[0]
            guard let result = report.results.last(where: { $0.verdict.isFailure }),
                let clause = suite.clauses.first(where: { $0.id == result.clause })
            else {
                mark.remember(nil)
                WorkerJob.say("\(harness.name): every clause of the claimed levels passes. \(report.summary)")
                continue
            }
            mark.remember(clause.id)
            WorkerJob.say(
                """
                \(harness.name): \(report.passedCount) clauses pass; the next is \(clause.id) (\(clause.level.rawValue))

                  rule     \(clause.rule)
                  catches  \(clause.catches)
                  verdict  \(result.verdict.rawValue)
                  reason   \(result.reason ?? "")
                """)
            if let example = result.example { WorkerJob.say("\n\(example)") }
            return 1
        }
        return 0
    }

    private func mutate(_ harnesses: [any AdapterHarness], _ options: ConformanceOptions) async throws -> Int32 {
        if mutants.isEmpty {
            throw ConformanceOptions.Wrong(
                description: "This program has no mutants. Pass `mutants: Mutant.all` of HoldfastConformanceMutants.")
        }
        guard let workers else {
            throw ConformanceOptions.Wrong(description: "--mutate needs an executable to start as a child process.")
        }
        var failed = 0
        var outcomes: [(name: String, outcomes: [MutantReport.Outcome])] = []
        for harness in harnesses {
            let chosen = mutants.filter { options.matches($0.clause) || options.matches($0.id) }
            var score = MutationScore(harness.name, chosen)
            let pool = BatchPool(
                workers: workers, kind: .mutants, seed: options.seed, timeout: options.timeout,
                jobCount: options.jobCount)
            await pool.run(await BatchPlan(suite).mutants(chosen, of: harness).reversed()) { _, event in
                switch event {
                case .begins(let id): score.begin(id)
                case .fate(let id, let fate): score.add(id, fate)
                case .lost(let id, let reason): score.add(id, .harnessError(reason))
                case .result, .backend, .harnessFailed: break
                }
                return true
            }
            score.finish()
            failed += score.failedCount
            outcomes.append((harness.name, score.outcomes))
            if let path = options.htmlPath { try Self.write(MutantReport(outcomes, date: Suite.today).text, to: path) }
        }
        return failed > 0 ? 1 : 0
    }

    private static func compareTable(of reports: [ConformanceReport], with path: String) throws -> Int32 {
        let document = try String(contentsOfFile: path, encoding: .utf8)
        guard let updated = LevelTable(reports).updated(document) else {
            throw ConformanceOptions.Wrong(description: "\(path) has no marks for the table.")
        }
        if document == updated { return 0 }
        if ProcessInfo.processInfo.environment["HOLDFAST_RECORD"] == "1" {
            try write(updated, to: path)
            return 0
        }
        WorkerJob.say(
            "The table in \(path) is not that of this run; HOLDFAST_RECORD=1 rewrites it:\n\(LevelTable(reports).text)")
        return 1
    }

    private static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
}

import Foundation

/// The command line of a harness: what an author's executable hands its arguments to.
///
/// ```
/// <adapter>|all [--seed N] [--filter TXT-001] [--json PATH] [--mutate] [--list]
/// ```
public struct ConformanceCommand: Sendable {
    private let harnesses: [any AdapterHarness]
    private let suite: Suite
    private let defects: [Defect]
    private let workers: WorkerLauncher?

    /// Creates a command.
    ///
    /// - Parameters:
    ///   - harnesses: The adapters to choose from.
    ///   - suite: What to check; every clause of the adapter contract by default.
    ///   - defects: What `--mutate` puts in; every seeded defect by default.
    ///   - workers: How to start this executable as a child; from the running executable by default.
    public init(
        _ harnesses: [any AdapterHarness], suite: Suite = .adapter, defects: [Defect] = Suite.defects,
        workers: WorkerLauncher? = WorkerLauncher(executable: CommandLine.arguments[0])
    ) {
        self.harnesses = harnesses
        self.suite = suite
        self.defects = defects
        self.workers = workers
    }

    /// Does what the arguments say.
    ///
    /// - Parameter arguments: Without the name of the executable.
    /// - Returns: The exit code: 0 if all is well, 1 if a rule is broken or a defect survives, 2 for wrong arguments
    ///   or a broken harness.
    public func run(_ arguments: [String]) async -> Int32 {
        do {
            let options = try ConformanceOptions(arguments, adapters: harnesses.map(\.name))
            if options.lists {
                for clause in suite.clauses { print("\(clause.id)  \(clause.level.rawValue)  \(clause.rule)") }
                return 0
            }
            var worst: Int32 = 0
            for harness in harnesses where options.adapter == "all" || options.adapter == harness.name {
                let code = options.mutates ? await mutate(harness, options) : try await check(harness, options)
                worst = max(worst, code)
            }
            return worst
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return 2
        }
    }

    private func check(_ harness: any AdapterHarness, _ options: ConformanceOptions) async throws -> Int32 {
        print("\(harness.name): \(options.selected(suite).clauses.count) clauses, seed \(options.seed)")
        let run = ConformanceRun(
            harness, suite: options.selected(suite), seed: options.seed, today: Self.today, workers: workers)
        let report = await run.run { result in
            guard result.verdict != .conformant else { return }
            print("  \(result.clause)  \(result.verdict.rawValue)  \(result.reason ?? "")")
            if let example = result.example { print(example) }
        }
        if let path = options.jsonPath {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(report).write(to: URL(fileURLWithPath: path))
        }
        print(report.summary)
        if report.results.contains(where: { $0.verdict == .harnessError }) { return 2 }
        return report.failedCount > 0 ? 1 : 0
    }

    private func mutate(_ harness: any AdapterHarness, _ options: ConformanceOptions) async -> Int32 {
        let run = DefectRun(harness, suite: suite) { harness, suite in
            ConformanceRun(harness, suite: suite, seed: options.seed, today: Self.today, workers: workers)
        }
        var (killed, failed, skipped) = (0, 0, 0)
        for defect in defects where options.matches(defect.clause) {
            let fate = await run.fate(of: defect)
            switch fate {
            case .killed: killed += 1
            case .survived(let reason):
                failed += 1
                print("  SURVIVED  \(defect.id)  (\(defect.summary))  \(reason)")
            case .neverFired:
                failed += 1
                print("  NEVER FIRED  \(defect.id)  (\(defect.summary))  \(defect.clause)")
            case .notApplicable(let reason):
                skipped += 1
                print("  not applicable  \(defect.id)  \(reason)")
            }
        }
        let score = killed + failed == 0 ? 0 : 100 * killed / (killed + failed)
        print("\(harness.name): \(killed) of \(killed + failed) defects killed by their clause (\(score) %)")
        print("\(killed) passed, \(failed) failed, \(skipped) skipped")
        return failed > 0 ? 1 : 0
    }

    private static var today: String {
        let day = Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: Date())
        return String(format: "%04d-%02d-%02d", day.year ?? 0, day.month ?? 0, day.day ?? 0)
    }
}

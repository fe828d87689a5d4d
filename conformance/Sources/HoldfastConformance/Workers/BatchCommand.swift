import Foundation

/// The hidden arguments by which the suite's executable does a part of a run in a process of its own:
/// `--batch clauses|mutants ADAPTER SEED SECONDS ID…`.
///
/// It says line by line what it begins and what it found.
struct BatchCommand {
    private let harness: any AdapterHarness
    private let seed: UInt64
    private let timeout: Duration
    private let ids: [String]
    private let kind: BatchKind
    private let suite: Suite
    private let mutants: [Mutant]
    private let workers: WorkerLauncher?

    /// - Returns: `nil` if the arguments are not those of a child.
    init?(
        _ arguments: [String], harnesses: [any AdapterHarness], suite: Suite, mutants: [Mutant],
        workers: WorkerLauncher?
    ) throws {
        guard arguments.first == "--batch" else { return nil }
        guard arguments.count > 5, let kind = BatchKind(rawValue: arguments[1]),
            let harness = harnesses.first(where: { $0.name == arguments[2] }), let seed = UInt64(arguments[3]),
            let seconds = Int64(arguments[4])
        else { throw HarnessFailure("The worker does not know what to check: \(arguments.joined(separator: " "))") }
        self.harness = harness
        self.seed = seed
        self.kind = kind
        self.suite = suite
        self.mutants = mutants
        self.workers = workers
        timeout = .seconds(seconds)
        ids = Array(arguments.dropFirst(5))
    }

    /// Does the part.
    ///
    /// - Returns: The exit code; 0 also where rules are broken.
    func run() async -> Int32 {
        switch kind {
        case .clauses:
            let part = suite.filtered { ids.contains($0.id) }
            let report = await makeRun(harness, part).run(
                begins: { Self.say(.begins($0.id)) }, progress: { Self.say(.result($0)) })
            Self.say(.backend(report.backend))
        case .mutants:
            let run = MutantRun(harness, suite: suite) { makeRun($0, $1) }
            do {
                try await run.tryHarness()
            } catch {
                Self.say(.harnessFailed("\(error)"))
                return 2
            }
            for id in ids {
                Self.say(.begins(id))
                do {
                    Self.say(.fate(id, await run.fate(of: try mutants.named(id))))
                } catch {
                    Self.say(.fate(id, .harnessError("\(error)")))
                }
            }
        }
        return 0
    }

    private func makeRun(_ harness: any AdapterHarness, _ suite: Suite) -> ConformanceRun {
        var run = ConformanceRun(
            harness, suite: suite, seed: seed, today: Suite.today, workers: workers, timeout: timeout)
        run.whenBlocked = { result in
            if let mutated = harness as? MutantHarness {
                let reason = result.reason ?? ""
                Self.say(.fate(mutated.mutant.id, mutated.trigger.fired ? .killed(reason) : .neverFired))
            } else {
                Self.say(.result(result))
            }
            _exit(1)
        }
        return run
    }

    private static func say(_ event: BatchEvent) { WorkerJob.say(event.line) }
}

/// What a child does a part of.
enum BatchKind: String { case clauses, mutants }

/// What a child says of its part.
enum BatchEvent: Codable {
    case begins(String)
    case result(ClauseResult)
    case fate(String, MutantRun.Fate)
    case backend(String)
    /// The harness is broken, so nothing was begun.
    case harnessFailed(String)
    /// The process ended, or could not be started, before it found out about a clause or a mutant; why.
    case lost(String, String)

    init?(line: String) {
        guard line.hasPrefix("{"), let event = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else {
            return nil
        }
        self = event
    }

    var line: String {
        do {
            return String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        } catch {
            return "failed \(error)"
        }
    }
}

import Foundation

/// The hidden arguments by which the suite's executable checks one clause in a process of its own:
/// `--check CLAUSE ADAPTER SEED SECONDS [--mutant ID]`.
struct ClauseCommand {
    private let clause: Clause
    private let run: ConformanceRun
    private let trigger: MutantTrigger?

    /// - Returns: `nil` if the arguments are not those of a child.
    init?(_ arguments: [String], harnesses: [any AdapterHarness], suite: Suite, mutants: [Mutant]) throws {
        guard arguments.first == "--check" else { return nil }
        guard arguments.count >= 5, let clause = suite.clauses.first(where: { $0.id == arguments[1] }),
            var harness = harnesses.first(where: { $0.name == arguments[2] }), let seed = UInt64(arguments[3]),
            let seconds = Int64(arguments[4])
        else { throw HarnessFailure("The worker does not know what to check: \(arguments.joined(separator: " "))") }
        if arguments.count > 5 {
            let mutated = MutantHarness(base: harness, mutant: try mutants.named(arguments.last))
            trigger = mutated.trigger
            harness = mutated
        } else {
            trigger = nil
        }
        self.clause = clause
        var run = ConformanceRun(
            harness, suite: suite.filtered { $0.id == clause.id }, seed: seed, today: Suite.today,
            timeout: .seconds(seconds))
        run.whenBlocked = { result in
            WorkerJob.say(Self.line(result))
            _exit(1)
        }
        self.run = run
    }

    /// Checks the clause and says what was found in one line.
    ///
    /// - Returns: The exit code.
    func run() async -> Int32 {
        trigger?.onFire { WorkerJob.say("mutant fired") }
        let result = await run.checkHere(clause)
        WorkerJob.say(Self.line(result))
        return 0
    }

    /// What a child found, as one line.
    static func line(_ result: ClauseResult) -> String {
        do {
            return mark + String(decoding: try JSONEncoder().encode(result), as: UTF8.self)
        } catch {
            return "failed \(error)"
        }
    }

    /// What a child found, if a line of it says so.
    static func result(in line: String) -> ClauseResult? {
        guard line.hasPrefix(mark) else { return nil }
        return try? JSONDecoder().decode(ClauseResult.self, from: Data(line.dropFirst(mark.count).utf8))
    }

    private static let mark = "result "
}

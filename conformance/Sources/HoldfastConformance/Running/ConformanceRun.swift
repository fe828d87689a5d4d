import Foundation
import HoldfastStorage

/// Checks one adapter against a suite.
///
/// ```swift
/// let textOnly = Suite.adapter.filtered { $0.id.hasPrefix("TXT") }
/// let report = await ConformanceRun(MyHarness(), suite: textOnly, today: Suite.today).run()
/// let summary = report.summary  // "… passed, 0 failed, 0 skipped"
/// ```
public struct ConformanceRun: Sendable {
    private let harness: any AdapterHarness
    private let suite: Suite
    private let seed: UInt64
    private let today: String
    private var workers: WorkerLauncher?
    private let timeout: Duration
    /// Called where an adapter holds every thread that the run could continue with.
    var whenBlocked: @Sendable (ClauseResult) -> Void = Self.exit

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - harness: The adapter's harness.
    ///   - suite: What to check; every clause of the adapter contract by default.
    ///   - seed: Decides every random choice; 1 by default.
    ///   - today: The day on which waivers are judged, as `YYYY-MM-DD`.
    ///   - workers: Starts child processes; without it, clauses that need one are skipped with that reason.
    ///   - timeout: How long the watchdog waits for a check to end; ten minutes by default, so that no machine is too
    ///     slow.
    public init(
        _ harness: any AdapterHarness, suite: Suite = .adapter, seed: UInt64 = 1, today: String,
        workers: WorkerLauncher? = nil, timeout: Duration = .seconds(600)
    ) {
        self.harness = harness
        self.suite = suite
        self.seed = seed
        self.today = today
        self.workers = workers
        self.timeout = timeout
        self.workers?.timeout = timeout
        if let mutated = harness as? MutantHarness { self.workers?.mutant = mutated.mutant.id }
    }

    /// Checks every clause, one after the other.
    ///
    /// The harness is tried first: if it is broken, every clause ends as a harness error. An adapter that holds every
    /// thread on which Swift's tasks run ends the process, with a message and the exit code 1.
    ///
    /// - Parameters:
    ///   - stopsAtFailure: Whether the first broken rule ends the run; `false` by default.
    ///   - begins: Called before each clause.
    ///   - progress: Called after each clause.
    /// - Returns: The report; broken rules are verdicts, never errors.
    public func run(
        stopsAtFailure: Bool = false, begins: (Clause) -> Void = { _ in }, progress: (ClauseResult) -> Void = { _ in }
    ) async -> ConformanceReport {
        let clock = ContinuousClock()
        let start = clock.now
        var results: [ClauseResult] = []
        var capabilities: Capabilities?
        var harnessFault: String?
        do {
            capabilities = try await capabilitiesOfHarness()
        } catch {
            harnessFault = "\(error)"
        }
        for clause in suite.clauses {
            let result: ClauseResult
            begins(clause)
            if let capabilities, harnessFault == nil {
                result = await check(clause, capabilities)
            } else {
                result = clause.result(.harnessError, reason: harnessFault)
            }
            results.append(result)
            progress(result)
            if stopsAtFailure && result.verdict.isFailure { break }
        }
        return ConformanceReport(
            harness, suite, backend: capabilities.map(Self.backend) ?? "unknown", seed: seed, date: today,
            results: results, seconds: start.duration(to: clock.now).inSeconds)
    }

    private static func backend(_ capabilities: Capabilities) -> String {
        capabilities.adapterName + (capabilities.engineVersion.map { " \($0)" } ?? "")
    }

    /// Tries the harness; with a mutant in it only asks for the declaration, since the clause should find the mutant.
    private func capabilitiesOfHarness() async throws -> Capabilities {
        let test = HarnessSelfTest(harness)
        return harness is MutantHarness ? try await test.declaration() : try await test.run()
    }

    private func check(_ clause: Clause, _ capabilities: Capabilities) async -> ClauseResult {
        let requirement = clause.requirement?.missing(in: capabilities)
        let isClaimed = harness.levels.contains(clause.level)
        // What is declared unsupported must be refused, whether the level is claimed or not.
        guard requirement != nil || isClaimed else { return clause.notClaimed }
        let clock = ContinuousClock()
        let start = clock.now
        var result: ClauseResult
        if requirement != nil || !clause.measuresProcess {
            result = await checkHere(clause, missing: requirement)
        } else if let workers {
            result = await workers.check(clause, harness, seed: seed)
        } else {
            // Here it would measure whatever else this process does, such as other tests.
            result = clause.result(.skipped, reason: ClauseSkip.noWorkers.reason)
        }
        // A level that is not claimed never counts as passed.
        if !isClaimed && result.verdict == .conformantWithout { result = clause.notClaimed }
        result.seconds = start.duration(to: clock.now).inSeconds
        waive(&result, clause)
        return result
    }

    /// Checks a clause, or the refusal of what the adapter lacks, in this process.
    ///
    /// - Returns: The result before waivers.
    func checkHere(_ clause: Clause, missing requirement: Requirement? = nil) async -> ClauseResult {
        let context = ClauseContext(harness: harness, seed: seed, workers: workers)
        let verdict: (Verdict, reason: String?, example: String?)
        do {
            let outcome = try await Watchdog.watch(
                timeout, (harness as? MutantHarness)?.trigger,
                whenBlocked: { [whenBlocked, timeout] in
                    let reason =
                        "The check did not end within \(timeout), the suite's watchdog, and the adapter holds every "
                        + "thread on which Swift's tasks run. \(Self.last(context)) Do not block the caller's thread."
                    whenBlocked(clause.result(.nonConformant, reason: reason, witnessCount: context.witnessCount))
                }
            ) {
                if let requirement {
                    try await UnsupportedFeatureCheck(requirement).check(context)
                } else {
                    try await clause.check(context)
                }
            }
            if outcome == .gaveUp {
                // It still uses its stores; they are left alone.
                let reason = "The check did not end within \(timeout), the suite's watchdog. \(Self.last(context))"
                return clause.result(.nonConformant, reason: reason, witnessCount: context.witnessCount)
            } else if let requirement {
                verdict = (.conformantWithout, "Declared unsupported, and refused: \(requirement.title).", nil)
            } else if context.witnessCount == 0 {
                verdict = (.vacuous, "Never observed: \(clause.witness).", nil)
            } else {
                verdict = (.conformant, nil, nil)
            }
        } catch {
            verdict = Self.verdict(of: error)
        }
        await context.cleanUp()
        return clause.result(
            verdict.0, reason: verdict.reason, example: verdict.example, witnessCount: context.witnessCount)
    }

    private static func last(_ context: ClauseContext) -> String {
        context.step.map { "What it began last: \($0)." } ?? "What it was doing is not known."
    }

    /// Ends a process in which nothing can continue.
    private static func exit(_ result: ClauseResult) {
        FileHandle.standardError.write(
            Data("\(result.clause) \(result.verdict.rawValue): \(result.reason ?? "")\n".utf8))
        _exit(1)
    }

    private static func verdict(of error: any Error) -> (Verdict, reason: String?, example: String?) {
        switch error {
        case let failure as ClauseFailure: (.nonConformant, failure.message, failure.example)
        case let declaration as UnderDeclaration: (.underDeclared, declaration.message, nil)
        case let skip as ClauseSkip: (.skipped, skip.reason, nil)
        case let failure as HarnessFailure: (.harnessError, failure.description, nil)
        case let error as StorageError: (.nonConformant, "Unexpected error: \(error.debugDescription)", nil)
        default: (.nonConformant, "Unexpected error: \(error)", nil)
        }
    }

    private func waive(_ result: inout ClauseResult, _ clause: Clause) {
        guard let waiver = harness.waivers.first(where: { $0.clause == clause.id }) else { return }
        if clause.protectsData {
            guard result.verdict.isFailure else { return }
            result.reason = (result.reason ?? "") + " A clause that protects data cannot be waived."
        } else if waiver.expires < today {
            result.verdict = .nonConformant
            result.reason = "The waiver expired on \(waiver.expires). " + (result.reason ?? "")
        } else if result.verdict.isPass {
            result.verdict = .nonConformant
            result.reason = "The clause passes although it is waived; remove the waiver."
        } else if result.verdict == .nonConformant || result.verdict == .underDeclared {
            result.verdict = .waived
            result.reason = "\(waiver.reason), until \(waiver.expires): " + (result.reason ?? "")
        }
    }
}

extension Clause {
    /// The result where the level is not claimed.
    fileprivate var notClaimed: ClauseResult {
        result(.skipped, reason: "The adapter does not claim the level \(level.rawValue).")
    }

    func result(
        _ verdict: Verdict, reason: String? = nil, example: String? = nil, witnessCount: Int = 0
    ) -> ClauseResult {
        ClauseResult(
            clause: id, version: version, level: level, rule: rule, verdict: verdict, witnessCount: witnessCount,
            witness: witness, reason: reason, example: example, seconds: 0)
    }
}

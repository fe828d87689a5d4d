public import HoldfastConformance
public import Testing

/// Checks one clause against an adapter, inside a test.
///
/// ```swift
/// @Test(arguments: Suite.adapter.clauseIDs)
/// func conforms(_ clause: String) async throws { try await expectConformance(of: MyHarness(), to: clause) }
/// ```
///
/// As many checks work at a time as there are cores, however many tests there are; the others wait for their turn. A
/// check that has not ended after ten minutes of its own is given up.
///
/// A broken rule is an issue of the test. A clause that is skipped or waived cancels the test with its reason, so that
/// it never counts as passed.
///
/// - Parameters:
///   - harness: The adapter's harness.
///   - clause: The clause's id.
///   - suite: Where the clause is found; every clause of the adapter contract by default.
///   - seed: Decides every random choice; 1 by default.
///   - today: The day on which waivers are judged, as `YYYY-MM-DD`.
///   - workers: Starts child processes; without it, clauses that need one are skipped with that reason.
///   - sourceLocation: Where an issue is shown; the caller by default.
/// - Throws: The error that cancels the test, if the clause is skipped or waived.
public func expectConformance(
    of harness: any AdapterHarness, to clause: String, of suite: Suite = .adapter, seed: UInt64 = 1,
    today: String = Suite.today, workers: WorkerLauncher? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    guard let clause = suite.clauses.first(where: { $0.id == clause }) else {
        Issue.record("The suite \(suite.version) has no clause \(clause).", sourceLocation: sourceLocation)
        return
    }
    let only = suite.filtered { $0.id == clause.id }
    let run = ConformanceRun(harness, suite: only, seed: seed, today: today, workers: workers)
    guard let result = await Turns.ofCores.take({ await run.run() }).results.first else { return }
    let reason = "\(clause.id) \(result.verdict.rawValue): \(result.reason ?? "")"
    if result.verdict.isFailure {
        let text = [reason, "Rule: \(clause.rule)", result.example].compactMap { $0 }.joined(separator: "\n")
        Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
    } else if result.verdict.isSkip {
        try Test.cancel(Comment(rawValue: reason), sourceLocation: sourceLocation)
    }
}

/// What a run found: written as JSON without changes, and the source of every other report.
public struct ConformanceReport: Sendable, Codable {
    /// The version of the adapter contract.
    public var contractVersion: String
    /// The version of the list of clauses.
    public var suiteVersion: String
    /// The harness's name.
    public var adapter: String
    /// The adapter's own name and the version of its back end, as declared.
    public var backend: String
    /// How the back end is configured, as the harness reports it.
    public var options: [String: String]
    /// The seed of every random choice.
    public var seed: UInt64
    /// The titles of the families by their letters.
    public var families: [String: String]
    /// The levels claimed.
    public var levels: [Level]
    /// The day of the run, as `YYYY-MM-DD`.
    public var date: String
    /// What became of the clauses of each level, in the order of ``Level``.
    public var summaries: [LevelSummary]
    /// One result per clause, in the order of the suite.
    public var results: [ClauseResult]
    /// How long the run took.
    public var seconds: Double

    init(
        _ harness: any AdapterHarness, _ suite: Suite, backend: String, seed: UInt64, date: String,
        results: [ClauseResult], seconds: Double
    ) {
        contractVersion = Suite.contractVersion
        suiteVersion = suite.version
        adapter = harness.name
        self.backend = backend
        options = harness.options
        self.seed = seed
        families = Dictionary(suite.families.map { ($0.id, $0.title) }) { first, _ in first }
        levels = Level.allCases.filter(harness.levels.contains)
        self.date = date
        summaries = LevelSummary.all(of: results, claimed: harness.levels)
        self.results = results
        self.seconds = seconds
    }

    /// Clauses that the adapter keeps.
    public var passedCount: Int { results.count { $0.verdict == .conformant } }
    /// Clauses about something that the adapter declares that it lacks, and refuses.
    public var withoutCount: Int { results.count { $0.verdict == .conformantWithout } }
    /// Results that count as failed.
    public var failedCount: Int { results.count { $0.verdict.isFailure } }
    /// Results that count as neither.
    public var skippedCount: Int { results.count { $0.verdict.isSkip } }

    /// The plain last line of a run.
    public var summary: String {
        let without = withoutCount > 0 ? ", \(withoutCount) about what the adapter declares that it lacks" : ""
        return "\(passedCount) passed, \(failedCount) failed, \(skippedCount) skipped" + without
    }
}

/// What a run found about one clause.
public struct ClauseResult: Sendable, Codable {
    /// The clause's id.
    public var clause: String
    /// The clause's version.
    public var version: Int
    /// The clause's level.
    public var level: Level
    /// The rule, in words.
    public var rule: String
    /// The verdict.
    public var verdict: Verdict
    /// How often the witness was seen.
    public var witnessCount: Int
    /// What must be seen.
    public var witness: String
    /// Why the verdict is not `conformant`.
    public var reason: String?
    /// Swift that shows a broken rule, where the check gives it.
    public var example: String?
    /// How long the check took.
    public var seconds: Double

    /// The three letters before the number.
    public var family: String { String(clause.prefix { $0 != "-" }) }
}

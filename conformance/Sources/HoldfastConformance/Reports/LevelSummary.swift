/// What became of the clauses of one level.
public struct LevelSummary: Sendable, Codable {
    /// The level.
    public var level: Level
    /// Whether the adapter claims it; if not, no clause of it counts as passed.
    public var isClaimed: Bool
    /// Clauses that the adapter keeps.
    public var passedCount: Int
    /// Clauses about something that the adapter declares that it lacks, and refuses.
    public var withoutCount: Int
    /// Clauses that failed.
    public var failedCount: Int
    /// Clauses that were skipped or waived.
    public var skippedCount: Int

    /// The counts in words.
    public var text: String {
        var parts = ["\(passedCount) passed"]
        if withoutCount > 0 { parts.append("\(withoutCount) without") }
        if failedCount > 0 { parts.append("\(failedCount) failed") }
        if skippedCount > 0 { parts.append("\(skippedCount) skipped") }
        return isClaimed ? parts.joined(separator: ", ") : "not claimed"
    }

    /// The levels of which a run has results, in the order of ``Level``.
    static func all(of results: [ClauseResult], claimed: Set<Level>) -> [LevelSummary] {
        Level.allCases.compactMap { level in
            let verdicts = results.filter { $0.level == level }.map(\.verdict)
            if verdicts.isEmpty { return nil }
            return LevelSummary(
                level: level, isClaimed: claimed.contains(level),
                passedCount: verdicts.count { $0 == .conformant },
                withoutCount: verdicts.count { $0 == .conformantWithout },
                failedCount: verdicts.count(where: \.isFailure), skippedCount: verdicts.count(where: \.isSkip))
        }
    }
}

import Foundation
import HoldfastStorage

/// Counts the fates of mutants and reports those that are not a success.
struct MutationScore {
    private let adapter: String
    private var killedCount = 0
    private(set) var failedCount = 0
    private var skippedCount = 0
    private let mutants: [String: Mutant]
    private var untried: Set<String>
    private var begun: [String: ContinuousClock.Instant] = [:]
    private var openCounts: [String: Int]
    /// What became of each mutant, in the order in which they were tried.
    private(set) var outcomes: [MutantReport.Outcome] = []

    init(_ adapter: String, _ mutants: [Mutant]) {
        self.adapter = adapter
        self.mutants = Dictionary(uniqueKeysWithValues: mutants.map { ($0.id, $0) })
        untried = Set(mutants.map(\.id))
        openCounts = Dictionary(grouping: mutants, by: Self.family).mapValues(\.count)
    }

    private static func family(_ mutant: Mutant) -> String { String(mutant.clause.prefix { $0 != "-" }) }

    mutating func begin(_ id: String) { begun[id] = .now }

    mutating func add(_ id: String, _ fate: MutantRun.Fate) {
        guard let mutant = mutants[id], untried.remove(id) != nil else { return }
        let family = Self.family(mutant)
        openCounts[family, default: 0] -= 1
        if openCounts[family] == 0 {
            FileHandle.standardError.write(Data("\(adapter) \(family): every mutant was tried\n".utf8))
        }
        if let seconds = begun[id]?.duration(to: .now).inSeconds, seconds >= 20 {
            WorkerJob.say("  slow  \(mutant.id): \(Int(seconds)) s with \(mutant.clause)")
        }
        switch fate {
        case .killed:
            killedCount += 1
            note(mutant, .killed)
        case .survived(let reason):
            failedCount += 1
            note(mutant, .survived, reason)
            WorkerJob.say("  SURVIVED  \(mutant.id): \(mutant.summary)  \(reason)")
        case .neverFired:
            failedCount += 1
            note(mutant, .neverFired)
            WorkerJob.say("  NEVER FIRED  \(mutant.id): \(mutant.summary)  \(mutant.clause)")
        case .harnessError(let reason):
            failedCount += 1
            note(mutant, .harnessError, reason)
            WorkerJob.say("  HARNESS ERROR  \(mutant.id): \(mutant.summary)  \(reason)")
        case .notApplicable(let reason):
            skippedCount += 1
            note(mutant, .notApplicable, reason)
            WorkerJob.say("  not applicable  \(mutant.id): \(reason)")
        }
    }

    private mutating func note(_ mutant: Mutant, _ verdict: MutantReport.Outcome.Verdict, _ reason: String = "") {
        outcomes.append(
            MutantReport.Outcome(
                mutant: mutant.id, summary: mutant.summary, clause: mutant.clause, verdict: verdict, reason: reason))
    }

    mutating func finish() {
        for id in untried.sorted() {
            failedCount += 1
            if let mutant = mutants[id] { note(mutant, .notTried, "The suite has no clause \(mutant.clause).") }
            WorkerJob.say("  NOT TRIED  \(id): the suite has no clause \(mutants[id]?.clause ?? "")")
        }
        let tried = killedCount + failedCount
        let score = tried == 0 ? 0 : 100 * killedCount / tried
        WorkerJob.say("\(adapter): \(killedCount) of \(tried) mutants killed by their clause (\(score) %)")
        WorkerJob.say("\(killedCount) passed, \(failedCount) failed, \(skippedCount) skipped")
    }
}

import Foundation

/// Counts the fates of defects and reports those that are not a success.
struct MutationScore {
    private let adapter: String
    private var killedCount = 0
    private(set) var failedCount = 0
    private var skippedCount = 0
    private let defects: [String: Mutant]
    private var untried: Set<String>
    private var begun: [String: ContinuousClock.Instant] = [:]
    private var openCounts: [String: Int]
    /// What became of each mutant, in the order in which they were tried.
    private(set) var outcomes: [MutantReport.Outcome] = []

    init(_ adapter: String, _ defects: [Mutant]) {
        self.adapter = adapter
        self.defects = Dictionary(uniqueKeysWithValues: defects.map { ($0.id, $0) })
        untried = Set(defects.map(\.id))
        openCounts = Dictionary(grouping: defects, by: Self.family).mapValues(\.count)
    }

    private static func family(_ defect: Mutant) -> String { String(defect.clause.prefix { $0 != "-" }) }

    mutating func begin(_ id: String) { begun[id] = .now }

    mutating func add(_ id: String, _ fate: MutantRun.Fate) {
        guard let defect = defects[id], untried.remove(id) != nil else { return }
        let family = Self.family(defect)
        openCounts[family, default: 0] -= 1
        if openCounts[family] == 0 {
            FileHandle.standardError.write(Data("\(adapter) \(family): every defect was tried\n".utf8))
        }
        if let seconds = begun[id]?.duration(to: .now).inSeconds, seconds >= 20 {
            WorkerJob.say("  slow  \(defect.id): \(Int(seconds)) s with \(defect.clause)")
        }
        switch fate {
        case .killed:
            killedCount += 1
            note(defect, .killed)
        case .survived(let reason):
            failedCount += 1
            note(defect, .survived, reason)
            WorkerJob.say("  SURVIVED  \(defect.id): \(defect.summary)  \(reason)")
        case .neverFired:
            failedCount += 1
            note(defect, .neverFired)
            WorkerJob.say("  NEVER FIRED  \(defect.id): \(defect.summary)  \(defect.clause)")
        case .harnessError(let reason):
            failedCount += 1
            note(defect, .harnessError, reason)
            WorkerJob.say("  HARNESS ERROR  \(defect.id): \(defect.summary)  \(reason)")
        case .notApplicable(let reason):
            skippedCount += 1
            note(defect, .notApplicable, reason)
            WorkerJob.say("  not applicable  \(defect.id): \(reason)")
        }
    }

    private mutating func note(_ defect: Mutant, _ verdict: MutantReport.Outcome.Verdict, _ reason: String = "") {
        outcomes.append(
            MutantReport.Outcome(
                mutant: defect.id, summary: defect.summary, clause: defect.clause, verdict: verdict, reason: reason))
    }

    mutating func finish() {
        for id in untried.sorted() {
            failedCount += 1
            if let defect = defects[id] { note(defect, .notTried, "The suite has no clause \(defect.clause).") }
            WorkerJob.say("  NOT TRIED  \(id): the suite has no clause \(defects[id]?.clause ?? "")")
        }
        let tried = killedCount + failedCount
        let score = tried == 0 ? 0 : 100 * killedCount / tried
        WorkerJob.say("\(adapter): \(killedCount) of \(tried) defects killed by their clause (\(score) %)")
        WorkerJob.say("\(killedCount) passed, \(failedCount) failed, \(skippedCount) skipped")
    }
}

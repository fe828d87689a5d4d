/// Counts the fates of defects and tells those that are no success.
struct MutationScore {
    private let adapter: String
    private var killedCount = 0
    private(set) var failedCount = 0
    private var skippedCount = 0

    init(_ adapter: String) { self.adapter = adapter }

    mutating func add(_ defect: Mutant, _ fate: MutantRun.Fate) {
        switch fate {
        case .killed: killedCount += 1
        case .survived(let reason):
            failedCount += 1
            print("  SURVIVED  \(defect.id): \(defect.summary)  \(reason)")
        case .neverFired:
            failedCount += 1
            print("  NEVER FIRED  \(defect.id): \(defect.summary)  \(defect.clause)")
        case .harnessError(let reason):
            failedCount += 1
            print("  HARNESS ERROR  \(defect.id): \(defect.summary)  \(reason)")
        case .notApplicable(let reason):
            skippedCount += 1
            print("  not applicable  \(defect.id): \(reason)")
        }
    }

    func finish() {
        let tried = killedCount + failedCount
        let score = tried == 0 ? 0 : 100 * killedCount / tried
        print("\(adapter): \(killedCount) of \(tried) defects killed by their clause (\(score) %)")
        print("\(killedCount) passed, \(failedCount) failed, \(skippedCount) skipped")
    }
}

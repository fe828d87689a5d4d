/// What came of many runs.
public struct RunSummary: Sendable, Codable {
    /// How many runs there were.
    public var runs = 0
    /// What applications did.
    public var operations = 0
    /// What went wrong, as the scenarios say.
    public var faults = 0
    /// Requests that reached the service.
    public var requests = 0
    /// Mutations among them.
    public var mutations = 0
    /// Mutations that were conflicts.
    public var conflicts = 0
    /// Crashes of clients.
    public var crashes = 0
    /// Commits of clients that were checked.
    public var commits = 0
    /// Changes that were given up.
    public var deadLetters = 0
    /// Jobs that ran.
    public var jobs = 0
    /// How much time passed for those who took part.
    public var virtualHours = 0.0
    /// How many runs were made in a minute.
    public var seedsPerMinute = 0.0
    /// The seeds of the runs that found a violation.
    public var failures: [UInt64] = []
    /// What those runs found.
    public var findings: [Finding] = []
    /// A number for what happened in each run.
    public var traces: [UInt64] = []

    /// What a run found.
    public struct Finding: Sendable, Codable {
        /// The seed of the run.
        public var seed: UInt64
        /// What must never happen, and did.
        public var violations: [String]
        /// The file with the smallest scenario that has it; `nil` if none was written.
        public var replay: String?

        /// Creates a finding.
        public init(seed: UInt64, violations: [String], replay: String? = nil) {
            self.seed = seed
            self.violations = violations
            self.replay = replay
        }
    }

    /// Creates the summary of no run.
    public init() {}

    /// Adds a run.
    public mutating func add(_ report: RunReport) {
        runs += 1
        traces.append(report.trace)
        operations += report.operations
        faults += report.faults
        requests += report.requests
        mutations += report.mutations
        conflicts += report.conflicts
        crashes += report.crashes
        commits += report.commits
        deadLetters += report.deadLetters
        jobs += report.jobs
        virtualHours += Double(report.virtualMicroseconds) / 3_600_000_000
        if !report.violations.isEmpty { failures.append(report.seed) }
    }
}

import Foundation
import HoldfastSimulation

/// What came of many runs.
struct Summary {
    /// The summary as data.
    struct Result: Codable {
        var runs = 0
        var operations = 0
        var faults = 0
        var requests = 0
        var mutations = 0
        var conflicts = 0
        var deaths = 0
        var commits = 0
        var letters = 0
        var jobs = 0
        var virtualHours = 0.0
        var seedsPerMinute = 0.0
        var failures: [UInt64] = []
        /// A number for what happened in each run.
        var traces: [UInt64] = []
    }

    private(set) var result = Result()
    private let started = ContinuousClock.now

    var failures: [UInt64] { result.failures }

    mutating func add(_ report: RunReport) {
        result.runs += 1
        result.traces.append(report.trace)
        result.operations += report.operations
        result.faults += report.faults
        result.requests += report.requests
        result.mutations += report.mutations
        result.conflicts += report.conflicts
        result.deaths += report.deaths
        result.commits += report.commits
        result.letters += report.letters
        result.jobs += report.jobs
        result.virtualHours += Double(report.virtualMicroseconds) / 3_600_000_000
        if !report.violations.isEmpty { result.failures.append(report.seed) }
        let seconds = Double((ContinuousClock.now - started).components.seconds)
        result.seedsPerMinute = Double(result.runs) / max(1, seconds) * 60
    }

    func showProgress(of runs: Int) {
        guard result.runs % max(1, runs / 10) == 0 else { return }
        FileHandle.standardError.write(Data("\(result.runs) of \(runs) runs\n".utf8))
    }

    func show() {
        print(
            """
            \(result.runs) runs, \(result.operations) operations, \(result.faults) faults, \(result.deaths) deaths, \
            \(result.requests) requests, \(result.mutations) mutations, \(result.conflicts) conflicts, \
            \(result.letters) dead letters, \(result.commits) commits of clients checked, \
            \(String(format: "%.1f", result.virtualHours)) virtual hours, \
            \(String(format: "%.0f", result.seedsPerMinute)) seeds a minute
            """)
        if failures.isEmpty { return }
        print("failed: \(failures.map { "\($0)" }.joined(separator: ", "))")
    }
}

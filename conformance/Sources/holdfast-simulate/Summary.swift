import Foundation
import HoldfastSimulation

/// What came of many runs.
struct Summary {
    private(set) var result = RunSummary()
    /// How often each kind of fault was in the scenarios.
    private(set) var kinds: [String: Int] = [:]
    private let started = ContinuousClock.now

    var failures: [UInt64] { result.failures }

    mutating func add(_ report: RunReport, of scenario: Scenario) {
        result.add(report)
        kinds.merge(scenario.faultKinds, uniquingKeysWith: +)
        let minutes = (ContinuousClock.now - started) / .seconds(60)
        result.seedsPerMinute = Double(result.runs) / max(minutes, .ulpOfOne)
    }

    /// Notes what a run violated, and where its scenario is kept.
    mutating func add(_ violations: [String], of seed: UInt64, replay: String?) {
        result.findings.append(RunSummary.Finding(seed: seed, violations: violations, replay: replay))
    }

    func showProgress(of runs: Int) {
        guard result.runs % max(1, runs / 10) == 0 else { return }
        FileHandle.standardError.write(Data("\(result.runs) of \(runs) runs\n".utf8))
    }

    func show() {
        print(
            """
            \(result.runs) runs, \(result.operations) operations, \(result.faults) faults, \(result.crashes) crashes, \
            \(result.requests) requests, \(result.mutations) mutations, \(result.conflicts) conflicts, \
            \(result.deadLetters) dead letters, \(result.commits) commits of clients checked, \
            \(String(format: "%.1f", result.virtualHours)) virtual hours, \
            \(String(format: "%.0f", result.seedsPerMinute)) seeds a minute
            """)
        if failures.isEmpty { return }
        print("failed: \(failures.map { "\($0)" }.joined(separator: ", "))")
    }
}

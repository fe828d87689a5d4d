import Foundation
import HoldfastStorage

/// Collects what a run finds, shows it as it comes, and keeps the report files up to date, so that they are there
/// whatever ends the run.
struct RunRecord {
    private struct Adapter {
        let harness: any AdapterHarness
        let start: ContinuousClock.Instant = .now
        var end: ContinuousClock.Instant = .now
        var backend = "unknown"
        var results: [String: ClauseResult] = [:]
        var inProgress: Set<String> = []
    }

    private let suite: Suite
    private let options: ConformanceOptions
    private let families: [String: [Clause]]
    private let isQuiet: Bool
    private var adapters: [Adapter]

    /// Begins a record without results.
    ///
    /// - Parameters:
    ///   - harnesses: The harnesses of the adapters.
    ///   - suite: The clauses of the run.
    ///   - options: The options of the command, with the paths of the report files.
    ///   - isQuiet: Whether only the progress is shown, since the caller reports the rest.
    init(
        _ harnesses: [any AdapterHarness], _ suite: Suite, _ options: ConformanceOptions, isQuiet: Bool
    ) {
        self.suite = suite
        self.options = options
        self.isQuiet = isQuiet
        families = Dictionary(grouping: suite.clauses, by: \.family)
        adapters = harnesses.map { Adapter(harness: $0) }
        if isQuiet { return }
        for harness in harnesses {
            let count = "\(suite.clauses.count) clauses, contract \(Suite.contractVersion), seed \(options.seed)"
            WorkerJob.say("\(harness.name): \(count)")
        }
    }

    /// What was found so far, adapter by adapter.
    ///
    /// - Parameter isOver: Whether what is in progress is left out; otherwise it counts as failed.
    /// - Returns: One report for each adapter, in the order of the harnesses.
    func reports(isOver: Bool) -> [ConformanceReport] {
        adapters.map { adapter in
            let results = suite.clauses.compactMap { clause in
                if let result = adapter.results[clause.id] { return result }
                guard !isOver, adapter.inProgress.contains(clause.id) else { return nil }
                return clause.result(.nonConformant, reason: "This was in progress when the report was written.")
            }
            return ConformanceReport(
                adapter.harness, suite, backend: adapter.backend, seed: options.seed, date: Suite.today,
                results: results, seconds: adapter.start.duration(to: adapter.end).inSeconds)
        }
    }

    // MARK: What happens

    /// Notes that a clause begins.
    mutating func begin(_ id: String, of adapter: String) {
        change(adapter) { $0.inProgress.insert(id) }
    }

    /// Notes and shows what a clause found.
    mutating func add(_ result: ClauseResult, of name: String) throws {
        change(name) { adapter in
            adapter.inProgress.remove(result.clause)
            adapter.results[result.clause] = result
            adapter.end = .now
        }
        show(result, of: name)
        guard let adapter = adapters.first(where: { $0.harness.name == name }), let family = families[result.family]
        else { return }
        let done = family.compactMap { adapter.results[$0.id] }
        guard done.count == family.count else { return }
        let slowest = done.max { $0.seconds < $1.seconds }
        let counts = [
            "\(done.count { $0.verdict.isPass }) passed", "\(done.count { $0.verdict.isFailure }) failed",
            "\(done.count { $0.verdict.isSkip }) skipped",
        ]
        let detail = slowest.map { ", slowest \($0.clause) with \(Self.text($0.seconds))" } ?? ""
        let seconds = Self.text(done.reduce(0) { $0 + $1.seconds })
        progress("\(name) \(result.family): \(counts.joined(separator: ", ")) in \(seconds)\(detail)")
        try write(isOver: false)
    }

    /// Notes that the process of a clause ended before it found anything.
    mutating func lose(_ id: String, of adapter: String, because reason: String) throws {
        guard let clause = suite.clauses.first(where: { $0.id == id }) else { return }
        let hadBegun = adapters.contains { $0.harness.name == adapter && $0.inProgress.contains(id) }
        try add(clause.result(hadBegun ? .nonConformant : .harnessError, reason: reason), of: adapter)
    }

    /// Notes what the adapter says of its back end.
    mutating func name(_ backend: String, of adapter: String) { change(adapter) { $0.backend = backend } }

    private mutating func change(_ name: String, _ body: (inout Adapter) -> Void) {
        if let index = adapters.firstIndex(where: { $0.harness.name == name }) { body(&adapters[index]) }
    }

    // MARK: What a person sees

    private func show(_ result: ClauseResult, of adapter: String) {
        if isQuiet || result.verdict == .conformant { return }
        var lines = ["  \(adapter) \(result.clause)  \(result.verdict.rawValue)"]
        if let reason = result.reason { lines[0] += "  \(reason)" }
        if result.verdict.isFailure { lines.append("           rule: \(result.rule)") }
        if let example = result.example { lines.append(example) }
        WorkerJob.say(lines.joined(separator: "\n"))
    }

    /// Shows the sums and writes the report files for the last time.
    func finish() throws -> [ConformanceReport] {
        let reports = reports(isOver: true)
        for report in reports where !isQuiet {
            let slowest = report.results.max { $0.seconds < $1.seconds }
            let detail = slowest.map { ", slowest \($0.clause) with \(Self.text($0.seconds))" } ?? ""
            WorkerJob.say("\(report.adapter) (\(report.backend)): \(Self.text(report.seconds))\(detail)")
            for summary in report.summaries { WorkerJob.say("  \(summary.level.rawValue): \(summary.text)") }
            // They were shown as they were found, which is far up in a long log.
            for result in report.results where result.verdict.isFailure { show(result, of: report.adapter) }
            WorkerJob.say(report.summary)
        }
        try write(isOver: true)
        return reports
    }

    private func progress(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }

    private static func text(_ seconds: Double) -> String { String(format: "%.1f s", seconds) }

    private func write(isOver: Bool) throws {
        guard options.jsonPath != nil || options.junitPath != nil || options.htmlPath != nil else { return }
        let reports = reports(isOver: isOver)
        if let path = options.jsonPath { try Self.write(try ReportFile(reports: reports).json(), to: path) }
        if let path = options.junitPath { try Self.write(Data(JUnitReport(reports).text.utf8), to: path) }
        if let path = options.htmlPath { try Self.write(Data(HTMLReport(reports).text.utf8), to: path) }
    }

    private static func write(_ data: Data, to path: String) throws {
        try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}

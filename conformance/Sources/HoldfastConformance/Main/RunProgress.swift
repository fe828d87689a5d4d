import Foundation

/// What a person sees of a run: a line that counts up on a terminal, every clause that is not plainly conformant, and
/// the summary.
struct RunProgress {
    private let adapter: String
    private let clauseCount: Int
    private var count = 0
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(_ adapter: String, clauseCount: Int, seed: UInt64) {
        self.adapter = adapter
        self.clauseCount = clauseCount
        print("\(adapter): \(clauseCount) clauses, contract \(Suite.contractVersion), seed \(seed)")
    }

    mutating func show(_ result: ClauseResult) {
        count += 1
        if result.verdict == .conformant {
            status("\(adapter) \(count)/\(clauseCount) \(result.clause)")
            return
        }
        status("")
        print("  \(result.clause)  \(result.verdict.rawValue)" + (result.reason.map { "  \($0)" } ?? ""))
        if result.verdict.isFailure { print("           rule: \(result.rule)") }
        if let example = result.example { print(example) }
    }

    func finish(_ report: ConformanceReport) {
        status("")
        let slowest = report.results.max { $0.seconds < $1.seconds }
        let detail = slowest.map { ", slowest \($0.clause) with \(Self.text($0.seconds))" } ?? ""
        print("\(adapter) (\(report.backend)): \(Self.text(report.seconds))\(detail)")
        for summary in report.summaries {
            print("  \(summary.level.rawValue.padding(toLength: 22, withPad: " ", startingAt: 0))\(summary.text)")
        }
        print(report.summary)
    }

    private static func text(_ seconds: Double) -> String { String(format: "%.1f s", seconds) }

    private func status(_ text: String) {
        if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8)) }
    }
}

import HoldfastReport

/// Reports as JUnit XML, for continuous integration servers.
struct JUnitReport {
    private let reports: [ConformanceReport]

    init(_ reports: [ConformanceReport]) { self.reports = reports }

    var text: String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"]
        for report in reports { lines += suite(report) }
        return (lines + ["</testsuites>", ""]).joined(separator: "\n")
    }

    private func suite(_ report: ConformanceReport) -> [String] {
        let counts = """
            tests="\(report.results.count)" failures="\(report.failedCount)" skipped="\(report.skippedCount)"
            """
        var lines = [
            "  <testsuite name=\"\(Markup.escaped(report.adapter))\" \(counts) time=\"\(rounded(report.seconds))\">",
            "    <properties>",
        ]
        let properties = [
            "contract": report.contractVersion, "suite": report.suiteVersion, "backend": report.backend,
            "seed": "\(report.seed)", "date": report.date,
            "levels": report.levels.map(\.rawValue).joined(separator: " "),
        ].merging(report.options) { own, _ in own }
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
            lines.append("      <property name=\"\(Markup.escaped(name))\" value=\"\(Markup.escaped(value))\"/>")
        }
        lines.append("    </properties>")
        for result in report.results { lines += testCase(result, of: report.adapter) }
        return lines + ["  </testsuite>"]
    }

    private func testCase(_ result: ClauseResult, of adapter: String) -> [String] {
        let opening = """
            <testcase classname="\(Markup.escaped(adapter)).\(result.family)" name="\(result.clause)" \
            time="\(rounded(result.seconds))"
            """
        var lines = ["    \(opening)>", "      <properties>"]
        let properties = [
            ("verdict", result.verdict.rawValue), ("rule", result.rule), ("level", result.level.rawValue),
            ("witness", "\(result.witnessCount) \(result.witness)"),
        ]
        for (name, value) in properties {
            lines.append("        <property name=\"\(name)\" value=\"\(Markup.escaped(value))\"/>")
        }
        lines.append("      </properties>")
        let reason = Markup.escaped(result.reason ?? "")
        if result.verdict.isSkip {
            lines.append("      <skipped message=\"\(reason)\"/>")
        } else if result.verdict.isFailure {
            let text = Markup.escaped([result.rule, result.example].compactMap { $0 }.joined(separator: "\n"))
            lines.append("      <failure type=\"\(result.verdict.rawValue)\" message=\"\(reason)\">\(text)</failure>")
        }
        return lines + ["    </testcase>"]
    }

    private func rounded(_ seconds: Double) -> Double { (seconds * 1_000).rounded() / 1_000 }
}

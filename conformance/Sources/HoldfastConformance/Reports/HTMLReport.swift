/// Reports as one page without any other file: the matrix of adapters and clauses.
struct HTMLReport {
    private let reports: [ConformanceReport]

    init(_ reports: [ConformanceReport]) { self.reports = reports }

    var text: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Holdfast conformance: \(Markup.escaped(reports.map(\.adapter).joined(separator: ", ")))</title>
        <style>
        \(HTMLStyle.css)
        </style>
        </head>
        <body>
        <header>
        <h1>Adapter conformance</h1>
        <p class="quiet">\(versions)</p>
        </header>
        <section class="cards">
        \(reports.map(card).joined(separator: "\n"))
        </section>
        <main>
        \(families.map(section).joined(separator: "\n"))
        </main>
        <footer class="quiet">\(legend)</footer>
        </body>
        </html>

        """
    }

    private var versions: String {
        guard let first = reports.first else { return "No adapter was tried." }
        return "Contract \(first.contractVersion) · suite \(first.suiteVersion) · seed \(first.seed)"
            + " · \(first.results.count) clauses"
    }

    private func card(_ report: ConformanceReport) -> String {
        let state = report.failedCount > 0 ? "bad" : "good"
        let options = report.options.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return """
            <article class="card \(state)">
            <h2>\(Markup.escaped(report.adapter))</h2>
            <p class="quiet">\(Markup.escaped(([report.backend] + options).joined(separator: " · ")))</p>
            <p class="score"><span><b>\(report.passedCount)</b> passed</span> <span><b>\(report.failedCount)</b> \
            failed</span> <span><b>\(report.skippedCount)</b> skipped</span></p>
            <p class="levels">\(report.levels.map { "<span>\($0.rawValue)</span>" }.joined(separator: " "))</p>
            </article>
            """
    }

    /// The families in the order of the suite, each with its clauses.
    private var families: [(letters: String, clauses: [ClauseResult])] {
        var result: [(letters: String, clauses: [ClauseResult])] = []
        for clause in reports.first?.results ?? [] {
            if result.last?.letters == clause.family {
                result[result.count - 1].clauses.append(clause)
            } else {
                result.append((clause.family, [clause]))
            }
        }
        return result
    }

    private func section(_ family: (letters: String, clauses: [ClauseResult])) -> String {
        let title = reports.first?.families[family.letters] ?? ""
        let head = reports.map { "<th scope=\"col\">\(Markup.escaped($0.adapter))</th>" }.joined()
        return """
            <section>
            <h2 id="\(family.letters)">\(family.letters) <small>\(Markup.escaped(title))</small></h2>
            <div class="scroll"><table>
            <thead><tr><th scope="col">clause</th>\(head)</tr></thead>
            <tbody>
            \(family.clauses.map(row).joined(separator: "\n"))
            </tbody>
            </table></div>
            </section>
            """
    }

    private func row(_ clause: ClauseResult) -> String {
        let results = reports.map { report in report.results.first { $0.clause == clause.clause } }
        let notes = zip(reports, results).compactMap { report, result -> String? in
            guard let result, let reason = result.reason else { return nil }
            let example = result.example.map { "<pre>\(Markup.escaped($0))</pre>" } ?? ""
            return "<p><b>\(Markup.escaped(report.adapter))</b> \(Markup.escaped(reason))</p>\(example)"
        }
        let isBroken = results.contains { $0?.verdict.isFailure == true }
        return """
            <tr><td><details\(isBroken ? " open" : "")><summary><code>\(clause.clause)</code> \
            \(Markup.prose(clause.rule))</summary>
            <p class="quiet">\(clause.level.rawValue) · seen: \(Markup.escaped(clause.witness))</p>
            \(notes.joined(separator: "\n"))</details></td>\(results.map(cell).joined())</tr>
            """
    }

    private func cell(_ result: ClauseResult?) -> String {
        guard let result else { return "<td></td>" }
        let milliseconds = Int((result.seconds * 1_000).rounded())
        let title = "\(result.verdict.rawValue), seen \(result.witnessCount) times, \(milliseconds) ms"
        return "<td class=\"verdict \(Self.style(of: result.verdict))\" title=\"\(title)\">"
            + "\(Self.symbol(of: result.verdict))<span class=\"spoken\"> \(result.verdict.rawValue)</span></td>"
    }

    private var legend: String {
        Verdict.allCases.map { "<span class=\"\(Self.style(of: $0))\">\(Self.symbol(of: $0))</span> \($0.rawValue)" }
            .joined(separator: " &nbsp; ")
    }

    private static func symbol(of verdict: Verdict) -> String {
        switch verdict {
        case .conformant: "✓"
        case .conformantWithout: "○"
        case .underDeclared: "▲"
        case .nonConformant: "✗"
        case .vacuous: "∅"
        case .harnessError: "!"
        case .waived: "~"
        case .skipped: "–"
        }
    }

    private static func style(of verdict: Verdict) -> String {
        verdict.isPass ? "good" : verdict.isFailure ? "bad" : "quiet"
    }
}

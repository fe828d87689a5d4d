import HoldfastReport

/// Reports as one page without any other file: the matrix of adapters and clauses.
struct HTMLReport {
    private let reports: [ConformanceReport]

    init(_ reports: [ConformanceReport]) { self.reports = reports }

    var text: String {
        var sections: [Page.Section] = []
        if let attention { sections.append(Page.Section("attention", "Failed and skipped", attention)) }
        sections.append(Page.Section("clauses", "Clauses", clauses))
        sections.append(Page.Section("repeat", "Repeat", repetition))
        return Page("Adapter conformance", subtitle: versions, top: top, sections: sections).text
    }

    private var versions: String {
        guard let first = reports.first else { return "No adapter was tried." }
        return "Contract \(first.contractVersion) · suite \(first.suiteVersion) · seed \(first.seed)"
            + " · \(first.results.count) clauses · \(first.date)"
    }

    // MARK: - Adapters

    private var top: HTML {
        func sum(_ count: (ConformanceReport) -> Int) -> String {
            NumberText.grouped(reports.map(count).reduce(0, +))
        }
        let hasFailed = reports.contains { $0.failedCount > 0 }
        let tiles = Tiles([
            Tiles.Tile(sum(\.failedCount), "failed", hasFailed ? .bad : .good),
            Tiles.Tile(sum(\.passedCount), "passed"),
            Tiles.Tile(sum(\.withoutCount), "passed without the feature"),
            Tiles.Tile(sum(\.skippedCount), "skipped"),
            Tiles.Tile("\(reports.count)", reports.count == 1 ? "adapter" : "adapters"),
        ])
        return """
            \(tiles.html)
            <div class="cards">
            \(reports.map(card).joined())
            </div>
            <p class="quiet">“Without the feature” are clauses about something that the adapter declares that it does not \
            have, and refuses correctly.</p>
            """
    }

    private func card(_ report: ConformanceReport) -> HTML {
        let options = report.options.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let isGood = report.failedCount == 0
        let counts = "\(report.passedCount) passed, \(report.failedCount) failed, \(report.skippedCount) skipped"
        return """
            <article class="card \(isGood ? "good" : "bad")">
            <h3>\(report.adapter)</h3>
            <p class="quiet">\(([report.backend] + options).joined(separator: " · "))</p>
            <p><b class="\(isGood ? "good" : "bad")">\(isGood ? "✓" : "✗") \(counts)</b></p>
            <p class="quiet">\(Self.seconds(report.seconds))</p>
            <ul>\(report.summaries.map(line).joined())</ul>
            </article>
            """
    }

    private func line(_ summary: LevelSummary) -> HTML {
        "<li\(summary.isClaimed ? "" : " class=\"quiet\"" as HTML)>\(summary.level.rawValue): \(summary.text)</li>"
    }

    /// What a reader looks for first: the clauses that failed, and those that were skipped although the level is
    /// claimed.
    private var attention: HTML? {
        let failed = table("Failed clauses") { report, result in result.verdict.isFailure }
        let skipped = table("Skipped clauses of claimed levels") { report, result in
            result.verdict.isSkip && report.levels.contains(result.level)
        }
        if failed == nil, skipped == nil { return nil }
        let hidden: HTML =
            skipped.map { "<details><summary>Skipped, although the level is claimed</summary>\n\($0)\n</details>" }
            ?? ""
        return "\(failed ?? "<p>No clause failed.</p>")\n\(hidden)"
    }

    private func table(_ caption: String, _ isShown: (ConformanceReport, ClauseResult) -> Bool) -> HTML? {
        let ids = families.flatMap { $0.clauses.map(\.clause) }
        let rows = ids.flatMap { id in
            reports.compactMap { report -> DataTable.Row? in
                guard let result = report.results.first(where: { $0.clause == id }), isShown(report, result) else {
                    return nil
                }
                return DataTable.Row(
                    [
                        "<a href=\"#\(result.clause)\">\(result.clause)</a>", "\(report.adapter)",
                        "\(Self.symbol(of: result.verdict)) \(result.verdict.rawValue)", "\(result.reason ?? "")",
                    ], classes: ["nowrap", "", "\(Self.style(of: result.verdict)) nowrap"])
            }
        }
        if rows.isEmpty { return nil }
        let columns: [DataTable.Column] = [.init("clause"), .init("adapter"), .init("verdict"), .init("reason")]
        return DataTable(caption, columns, rows).html
    }

    // MARK: - Clauses

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

    private var clauses: HTML {
        let titles = reports.first?.families ?? [:]
        let levels = Level.allCases.filter { level in reports.contains { $0.results.contains { $0.level == level } } }
        let filter = Filter([
            .init("family", families.map { ($0.letters, "\($0.letters) \(titles[$0.letters] ?? "")") }),
            .init("level", levels.map { ($0.rawValue, $0.rawValue) }),
            .init("verdict", [("passed", "passed"), ("failed", "failed"), ("skipped", "skipped")]),
        ])
        let links = families.map { "<li><a href=\"#\($0.letters)\">\($0.letters)</a></li>" as HTML }
        return """
            \(legend)
            <nav aria-label="Families"><ul class="links">\(links.joined())</ul></nav>
            \(filter.html)
            \(families.map(section).joined())
            """
    }

    private func section(_ family: (letters: String, clauses: [ClauseResult])) -> HTML {
        let title = reports.first?.families[family.letters] ?? ""
        let columns =
            [DataTable.Column("clause")] + reports.map { DataTable.Column("\($0.adapter)", .mark) }
        return """
            <div data-group="\(family.letters)">
            <h3 id="\(family.letters)">\(family.letters) <small>\(title)</small></h3>
            \(DataTable("Clauses \(family.letters): \(title)", columns, family.clauses.map(row)).html)
            </div>
            """
    }

    private func row(_ clause: ClauseResult) -> DataTable.Row {
        let results = reports.map { report in report.results.first { $0.clause == clause.clause } }
        let notes = zip(reports, results).compactMap { report, result -> HTML? in
            guard let result, let reason = result.reason else { return nil }
            let example: HTML = result.example.map { "<pre tabindex=\"0\">\($0)</pre>" } ?? ""
            return "<p><b>\(report.adapter)</b> \(reason)</p>\(example)"
        }
        let counts = zip(reports, results).map { report, result in
            "\(report.adapter) \(result?.witnessCount ?? 0) times in \(Self.seconds(result?.seconds ?? 0))"
        }.joined(separator: ", ")
        let isBroken = results.contains { $0?.verdict.isFailure == true }
        let name: HTML = """
            <details\(isBroken ? " open=\"open\"" : "" as HTML)><summary><code>\(clause.clause)</code> \
            \(HTML(prose: clause.rule))</summary>
            <p class="quiet">\(clause.level.rawValue) · seen: \(clause.witness) (\(counts))</p>
            \(notes.joined())</details>
            """
        let verdicts = results.compactMap { $0?.verdict }
        var keys = [clause.family, clause.level.rawValue]
        if verdicts.contains(where: \.isPass) { keys.append("passed") }
        if verdicts.contains(where: \.isFailure) { keys.append("failed") }
        if verdicts.contains(where: \.isSkip) { keys.append("skipped") }
        return DataTable.Row(
            id: clause.clause, [name] + results.map(cell),
            classes: [""] + results.map { $0.map { Self.style(of: $0.verdict) } ?? "" }, keys: keys)
    }

    private func cell(_ result: ClauseResult?) -> HTML {
        guard let result else { return "" }
        let milliseconds = Int((result.seconds * 1_000).rounded())
        return """
            <span title="\(result.verdict.rawValue), seen \(result.witnessCount) times, \(milliseconds) ms">\
            \(Self.symbol(of: result.verdict))<span class="spoken"> \(result.verdict.rawValue)</span></span>
            """
    }

    private var legend: HTML {
        let items = Verdict.allCases.map { verdict -> HTML in
            "<li><span class=\"\(Self.style(of: verdict))\">\(Self.symbol(of: verdict))</span> \(verdict.rawValue)</li>"
        }
        return "<ul class=\"legend\">\(items.joined())</ul>"
    }

    private var repetition: HTML {
        guard let first = reports.first else { return "" }
        let adapters = reports.map(\.adapter).joined(separator: ",")
        return Facts.command("holdfast conformance \(adapters) --seed \(first.seed) --html conformance.html")
    }

    private static func seconds(_ seconds: Double) -> String { "\(NumberText.fixed(seconds, 1)) s" }

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

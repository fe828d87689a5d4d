import HoldfastReport

/// Runs as one HTML page: their sums, and for some of them what happened.
package struct SimulationPage: Sendable {
    /// A run that is shown as a whole.
    package struct Story: Sendable {
        /// What was run; for a violation the smallest scenario that has it.
        package var scenario: Scenario
        /// What came of it, with its timeline.
        package var report: RunReport
        /// How many steps the scenario had before it was made smaller.
        package var stepCount: Int
        /// The scenario as a file, for `--replay`.
        package var json: String

        package init(_ scenario: Scenario, _ report: RunReport, stepCount: Int, json: String) {
            self.scenario = scenario
            self.report = report
            self.stepCount = stepCount
            self.json = json
        }
    }

    /// How much of a run a diagram shows.
    private static let limit = 400

    private let summary: RunSummary
    private let kinds: [String: Int]
    private let stories: [Story]
    private let command: String
    private let date: String

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - summary: The sums of all runs.
    ///   - kinds: How often each kind of fault was in the scenarios.
    ///   - stories: The runs to be shown as a whole.
    ///   - command: What repeats the runs.
    ///   - date: The day of the runs, as `YYYY-MM-DD`.
    package init(
        _ summary: RunSummary, kinds: [String: Int], stories: [Story], command: String, date: String
    ) {
        self.summary = summary
        self.kinds = kinds
        self.stories = stories
        self.command = command
        self.date = date
    }

    /// The page as a file.
    package var text: String {
        var sections = stories.map { story in
            Page.Section("seed-\(story.scenario.seed)", title(story), body(story))
        }
        sections.append(Page.Section("faults", "Faults", faults))
        sections.append(Page.Section("repeat", "Repeat", Facts.command(command)))
        return Page(
            "Simulation",
            subtitle:
                "\(NumberText.grouped(summary.runs)) \(summary.runs == 1 ? "run" : "runs") of the whole system in one thread · \(date)",
            top: top, sections: sections
        ).text
    }

    private var top: HTML {
        let failures = summary.failures.count
        let tiles = Tiles([
            Tiles.Tile(
                "\(failures)", failures == 1 ? "run with a violation" : "runs with violations",
                failures == 0 ? .good : .bad),
            Tiles.Tile(NumberText.grouped(summary.runs), "runs"),
            Tiles.Tile(NumberText.grouped(summary.operations), "operations"),
            Tiles.Tile(NumberText.grouped(summary.faults), "faults"),
            Tiles.Tile(NumberText.grouped(summary.conflicts), "conflicts"),
            Tiles.Tile(NumberText.grouped(summary.crashes), "crashes of clients"),
            Tiles.Tile(NumberText.grouped(summary.requests), "requests"),
            Tiles.Tile(NumberText.grouped(summary.commits), "client commits checked"),
            Tiles.Tile(NumberText.grouped(summary.deadLetters), "changes given up"),
            Tiles.Tile(NumberText.grouped(summary.virtualHours), "virtual hours"),
            Tiles.Tile(NumberText.grouped(summary.seedsPerMinute.rounded()), "seeds per minute"),
        ])
        let seeds = summary.failures.prefix(50).map { seed -> HTML in
            stories.contains { $0.scenario.seed == seed } ? "<a href=\"#seed-\(seed)\">\(seed)</a>" : "\(seed)"
        }
        guard !seeds.isEmpty else { return tiles.html }
        let rest = failures > 50 ? ", and \(failures - 50) more" : ""
        return """
            \(tiles.html)
            <p>Seeds with violations: \(seeds.dropFirst().reduce(seeds[0]) { "\($0), \($1)" })\(rest).</p>
            """
    }

    private var faults: HTML {
        guard !kinds.isEmpty else { return "<p>The scenarios had no faults.</p>" }
        let rows = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { DataTable.Row(["\($0.key)", "\(NumberText.grouped($0.value))"]) }
        return """
            <p>What went wrong in the scenarios, and how often.</p>
            \(DataTable("Faults by kind", [.init("fault"), .init("times", .number)], rows).html)
            """
    }

    // MARK: - A run

    private func title(_ story: Story) -> String {
        story.report.violations.isEmpty ? "Seed \(story.scenario.seed)" : "Violation with seed \(story.scenario.seed)"
    }

    private func body(_ story: Story) -> HTML {
        let violations = story.report.violations.map { "<p class=\"violation\" role=\"alert\">▲ \($0)</p>" as HTML }
        let scenario = story.scenario
        let steps =
            story.stepCount > scenario.steps.count
            ? "\(scenario.steps.count) of \(story.stepCount) steps are enough" : "\(scenario.steps.count) steps"
        let about = Facts([
            ("scenario", "\(steps)"), ("strategy", "\(scenario.strategy.rawValue)"),
            ("clients", "\(scenario.clients.map(\.storage).joined(separator: ", "))"),
            ("processes of the service", "\(scenario.servers)"),
            ("virtual time", "\(NumberText.fixed(Double(story.report.virtualMicroseconds) / 1e6, 1)) s"),
            ("requests", "\(story.report.requests)"), ("conflicts", "\(story.report.conflicts)"),
        ])
        let content = SpaceTime(story.report, of: scenario)
        let shown = content.limited(to: Self.limit)
        let isShort = shown.marks.count + shown.messages.count < content.marks.count + content.messages.count
        let note: HTML = isShort ? "<p class=\"quiet\">The diagram shows the last part of the run.</p>" : ""
        return """
            \(violations.joined())
            \(about.html)
            <h3>What happens <small>time goes down; long pauses are short</small></h3>
            \(note)
            \(SpaceTimeDiagram("Run of seed \(scenario.seed)", shown).html)
            <details><summary>The steps</summary>\(table(of: scenario))</details>
            <details><summary>The file for <code>--replay</code></summary><pre tabindex="0">\(story.json)</pre></details>
            """
    }

    private func table(of scenario: Scenario) -> HTML {
        let rows = scenario.steps.map { step in
            let place = step.action.client.map { "client \($0)" } ?? "service"
            return DataTable.Row([
                "\(step.id)", "\(NumberText.fixed(Double(step.at) / 1_000, 3))", "\(place)", "\(step.action.summary)",
                step.action.isFault ? "<span class=\"open\">✗ fault</span>" : "",
            ])
        }
        let columns: [DataTable.Column] = [
            .init("step", .number), .init("seconds", .number), .init("where"), .init("what"), .init(""),
        ]
        return DataTable("Steps of seed \(scenario.seed)", columns, rows).html
    }
}

import HoldfastReport

/// The benchmarks as one HTML page.
public struct BenchmarkPage: Sendable {
    private let results: [BenchmarkResult]
    private let facts: [(name: String, value: String)]
    private let command: String
    private let subtitle: String

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - results: In the order in which they are shown.
    ///   - facts: The machine, and versions of what took part.
    ///   - command: What repeats the run.
    ///   - subtitle: When it was, and how much was measured.
    public init(
        _ results: [BenchmarkResult], facts: [(name: String, value: String)], command: String, subtitle: String
    ) {
        self.results = results
        self.facts = facts
        self.command = command
        self.subtitle = subtitle
    }

    /// The page as a file.
    public var text: String {
        var sections: [Page.Section] = []
        func add(_ id: String, _ title: String, _ lead: String, _ body: HTML) {
            if !body.isEmpty { sections.append(Page.Section(id, title, "<p>\(lead)</p>\n\(body)")) }
        }
        let store = results.filter { $0.group == .store && ($0.ratio != nil || $0.goal != nil) }
        let raw = store.filter { $0.baseline?.hasSuffix("/raw") == true && !$0.layer.hasPrefix("grdb") }
        let others = store.filter { $0.baseline?.hasSuffix("/raw") != true && $0.baseline?.contains("/grdb") != true }
        add(
            "raw", "Against the raw engines",
            "The same work through the adapter and through DataStore, beside the engine's own interface.",
            adapters(of: raw).map { adapter in
                let rows = raw.filter { $0.adapter == adapter }
                return
                    "<h3>\(Self.title(of: adapter))</h3>\n\(table(rows, "\(Self.title(of: adapter)) against its engine"))"
            }.joined())
        add(
            "peers", "Beside GRDB",
            "The same work through another library for SQLite in Swift: records, and its Codable.",
            peers(store))
        add(
            "others", "Memory, parents, and observers", "What no engine does alone, beside the same without its cause.",
            optional(others, "Memory, parents, and observers"))
        add(
            "growth", "Growth with the store",
            "Both axes are logarithmic: a flat line is a cost that does not grow, a line through the corners one that grows "
                + "with the number of records.",
            growth)
        add(
            "sync", "Synchronization", "A device that reads a service's records, and sends its own changes.",
            optional(results.filter { $0.group == .sync }, "Synchronization"))
        add(
            "service", "Service", "Requests, pages, and subscriptions of the service on this machine.",
            optional(results.filter { $0.group == .service }, "Service"))
        add(
            "language", "Schemas", "What the generator and the service do with a schema.",
            optional(results.filter { $0.group == .language }, "Schemas"))
        sections.append(Page.Section("all", "All measurements", everything))
        sections.append(Page.Section("machine", "Machine and versions", machine))
        return Page("Benchmarks", subtitle: subtitle, top: top, sections: sections).text
    }

    // MARK: - The top

    private var top: HTML {
        let verdicts = results.compactMap(\.verdict)
        func count(_ verdict: BenchmarkResult.Verdict) -> Int { verdicts.count { $0 == verdict } }
        let tiles = Tiles([
            Tiles.Tile("\(count(.reached))/\(verdicts.count)", "goals reached in every pass", .good),
            Tiles.Tile("\(count(.open))", "goals reached in some passes", count(.open) > 0 ? .open : .plain),
            Tiles.Tile("\(count(.missed))", "goals missed", count(.missed) > 0 ? .bad : .plain),
            Tiles.Tile("\(Set(results.map(\.name)).count)", "benchmarks"),
        ])
        let shapes: [(GoalVerdict?, String)] = [
            (.reached, "goal reached in every pass"), (.open, "in some passes"), (.missed, "goal missed"),
            (nil, "no goal"),
        ]
        let legend = shapes.map { verdict, name -> HTML in "<li>\(RatioTrack.sample(verdict)) \(name)</li>" }
        return """
            \(tiles.html)
            <p>A ratio is the time that something took, divided by the time of what it is compared with: 1× is equal, and less \
            is better. A mark is the median of all passes, a bar their range, and a dashed line a goal.</p>
            <ul class="legend">\(legend.joined())</ul>
            """
    }

    // MARK: - Tables

    /// DataStore and GRDB beside SQLite's own interface, and DataStore beside GRDB.
    private func peers(_ store: [BenchmarkResult]) -> HTML {
        let names = Set(store.filter { $0.layer.hasPrefix("grdb") }.map(\.name))
        let both = store.filter { row in
            names.contains(row.name) && row.adapter == "sqlite" && row.layer != "adapter"
                && row.baseline?.hasSuffix("/raw") == true
        }
        let direct = store.filter { $0.baseline?.contains("/grdb") == true }
        var result: [HTML] = []
        if !direct.isEmpty { result.append("<h3>Against GRDB</h3>\n\(table(direct, "Against GRDB"))") }
        if !both.isEmpty {
            result.append("<h3>Both against SQLite</h3>\n\(table(both, "DataStore and GRDB against SQLite"))")
        }
        return result.joined()
    }

    private func optional(_ rows: [BenchmarkResult], _ caption: String) -> HTML {
        rows.isEmpty ? "" : table(rows, caption)
    }

    private func table(_ rows: [BenchmarkResult], _ caption: String) -> HTML {
        let track = RatioTrack(
            rows.flatMap { [$0.ratio, $0.ratios?.lowerBound, $0.ratios?.upperBound, Self.bound($0)].compactMap { $0 } })
        let hasOneAdapter = Set(rows.map(\.adapter)).count == 1
        let hasRatios = rows.contains { $0.ratio != nil }
        var columns: [DataTable.Column] = [
            .init("benchmark"), .init("layer"), .init("ratio", .number), .init(track.head, .chart), .init("goal"),
            .init("measured", .number),
        ]
        if !hasRatios { columns.removeSubrange(2...3) }
        var last = ""
        let tableRows = rows.map { row -> DataTable.Row in
            let name: HTML = row.name == last ? "<span class=\"spoken\">\(row.name)</span>" : "\(row.name)"
            last = row.name
            let own = Self.title(ofLayer: row.layer)
            let layer = hasOneAdapter ? own : "\(Self.title(of: row.adapter)), \(own)"
            let verdict = row.verdict.flatMap { GoalVerdict(rawValue: $0.rawValue) }
            var cells: [HTML] = [
                name, "\(layer)",
                "\(row.ratio.map { NumberText.fixed($0, 2) + "×" } ?? "")",
                row.ratio.map { track.row($0, row.ratios, goal: Self.bound(row), verdict) } ?? "",
                "\(Self.text(row)) \(verdict?.html ?? "")",
                "\(NumberText.grouped(row.value)) <span class=\"quiet\">\(row.unit)</span>",
            ]
            if !hasRatios { cells.removeSubrange(2...3) }
            let middle = Array(repeating: "", count: cells.count - 4)
            return DataTable.Row(cells, classes: ["", "nowrap"] + middle + ["nowrap", ""])
        }
        return DataTable(caption, columns, tableRows).html
    }

    private static func bound(_ row: BenchmarkResult) -> Double? {
        if case .ratio(let bound)? = row.goal { bound } else { nil }
    }

    private static func text(_ row: BenchmarkResult) -> String {
        let unit = row.unit.prefix { $0 != " " }
        return switch row.goal {
        case nil: ""
        case .ratio(let bound): "≤ \(NumberText.fixed(bound, 2))×"
        case .value(let bound): "≤ \(NumberText.grouped(bound)) \(unit)"
        case .atLeast(let bound): "≥ \(NumberText.grouped(bound)) \(unit)"
        }
    }

    private var everything: HTML {
        let rows = results.map { row -> DataTable.Row in
            let range = row.values.map { "\(NumberText.grouped($0.lowerBound))–\(NumberText.grouped($0.upperBound))" }
            let ratio = row.ratio.map { "\(NumberText.fixed($0, 2))× \(row.baseline ?? "")" }
            return DataTable.Row([
                "\(row.name)", "\(Self.title(of: row.adapter))", "\(Self.title(ofLayer: row.layer))",
                "\(NumberText.grouped(row.value))",
                "\(row.unit)", "\(range ?? "")", "\(ratio ?? "")",
            ])
        }
        let columns: [DataTable.Column] = [
            .init("benchmark"), .init("back end"), .init("layer"), .init("median", .number), .init("unit"),
            .init("range", .number), .init("ratio"),
        ]
        return """
            <details><summary>\(results.count) measurements, with what they are compared with</summary>
            \(DataTable("All measurements", columns, rows).html)
            </details>
            """
    }

    private var machine: HTML {
        """
        \(Facts(facts.map { ($0.name, "\($0.value)") }).html)
        <h3>Repeat</h3>
        \(Facts.command(command))
        """
    }

    // MARK: - Growth

    private var growth: HTML {
        let rows = results.filter { $0.size != nil }
        var names: [String] = []
        for row in rows where !names.contains(row.name) { names.append(row.name) }
        let charts = names.map { name -> HTML in
            let own = rows.filter { $0.name == name }
            let series = adapters(of: own).map { adapter in
                GrowthChart.Series(
                    Self.title(of: adapter),
                    own.filter { $0.adapter == adapter }.map { (Double($0.size ?? 0), $0.value) }.sorted { $0.0 < $1.0 }
                )
            }
            return GrowthChart(name, x: "number of records", unit: own[0].unit, series).html
        }
        return charts.isEmpty ? "" : "<div class=\"charts\">\n\(charts.joined())\n</div>"
    }

    private func adapters(of rows: [BenchmarkResult]) -> [String] {
        var names: [String] = []
        for row in rows where !names.contains(row.adapter) { names.append(row.adapter) }
        return names
    }

    private static func title(ofLayer layer: String) -> String {
        switch layer {
        case "datastore": "DataStore"
        case "grdb-record": "GRDB record"
        case "grdb-codable": "GRDB Codable"
        default: layer
        }
    }

    private static func title(of adapter: String) -> String {
        switch adapter {
        case "sqlite": "SQLite"
        case "leveldb": "LevelDB"
        case "postgresql": "PostgreSQL"
        case "memory": "Memory"
        default: adapter
        }
    }
}

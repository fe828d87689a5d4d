import HoldfastReport

/// What became of mutants, as one page without any other file.
struct MutantReport {
    /// What became of one mutant.
    struct Outcome {
        /// A word for it.
        enum Verdict: String, CaseIterable {
            case killed
            case survived
            case neverFired = "never-fired"
            case harnessError = "harness-error"
            case notTried = "not-tried"
            case notApplicable = "not-applicable"

            var isFailure: Bool { self != .killed && self != .notApplicable }
        }

        var mutant: String
        /// What is wrong with it.
        var summary: String
        /// The clause that must find it.
        var clause: String
        var verdict: Verdict
        var reason: String

        var family: String { String(clause.prefix { $0 != "-" }) }
    }

    private let adapters: [(name: String, outcomes: [Outcome])]
    private let date: String

    init(_ adapters: [(name: String, outcomes: [Outcome])], date: String) {
        self.adapters = adapters
        self.date = date
    }

    var text: String {
        var sections = adapters.map { Page.Section("mutants-\($0.name)", $0.name, table($0.name, $0.outcomes)) }
        let names = adapters.map(\.name).joined(separator: ",")
        sections.append(
            Page.Section(
                "repeat", "Repeat", Facts.command("holdfast conformance \(names) --mutate --html mutants.html")))
        return Page(
            "Mutants of the conformance suite",
            subtitle: "Each mutant is one mistake in an adapter, which the clause named for it must find · \(date)",
            top: top, sections: sections
        ).text
    }

    private var top: HTML {
        let all = adapters.flatMap(\.outcomes)
        func count(_ isCounted: (Outcome.Verdict) -> Bool) -> Int { all.count { isCounted($0.verdict) } }
        let failed = count(\.isFailure)
        let tiles = Tiles([
            Tiles.Tile(NumberText.grouped(failed), "not found", failed > 0 ? .bad : .good),
            Tiles.Tile(NumberText.grouped(count { $0 == .killed }), "found by their clause"),
            Tiles.Tile(NumberText.grouped(count { $0 == .notApplicable }), "not applicable"),
        ])
        let families = Set(all.map(\.family)).sorted()
        let filter = Filter([
            .init("family", families.map { ($0, $0) }),
            .init("outcome", Outcome.Verdict.allCases.map { ($0.rawValue, Self.words($0)) }),
        ])
        return "\(tiles.html)\n\(filter.html)"
    }

    private func table(_ name: String, _ outcomes: [Outcome]) -> HTML {
        let rows = outcomes.sorted {
            ($0.verdict.isFailure ? 0 : 1, $0.clause, $0.mutant) < ($1.verdict.isFailure ? 0 : 1, $1.clause, $1.mutant)
        }.map { outcome in
            let reason: HTML = outcome.reason.isEmpty ? "" : "<p class=\"quiet\">\(outcome.reason)</p>"
            let style = outcome.verdict.isFailure ? "bad" : outcome.verdict == .killed ? "good" : "quiet"
            let sign = outcome.verdict.isFailure ? "✗" : outcome.verdict == .killed ? "✓" : "–"
            return DataTable.Row(
                [
                    "<code>\(outcome.mutant)</code> \(HTML(prose: outcome.summary))\(reason)", "\(outcome.clause)",
                    "\(sign) \(Self.words(outcome.verdict))",
                ], classes: ["", "nowrap", "\(style) nowrap"], keys: [outcome.family, outcome.verdict.rawValue])
        }
        let columns: [DataTable.Column] = [.init("mutant"), .init("clause"), .init("outcome")]
        return DataTable("Mutants on \(name)", columns, rows).html
    }

    private static func words(_ verdict: Outcome.Verdict) -> String {
        verdict == .killed ? "found" : verdict.rawValue.replacing("-", with: " ")
    }
}

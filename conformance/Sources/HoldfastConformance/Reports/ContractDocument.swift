/// The adapter contract as a document, made from the clauses.
struct ContractDocument {
    private let suite: Suite

    init(_ suite: Suite) { self.suite = suite }

    var text: String {
        var lines = [
            "# The adapter contract",
            "",
            "Version \(Suite.contractVersion); suite \(suite.version), \(suite.clauses.count) clauses.",
            "",
            "What a back end must do to hold a Holdfast store, clause by clause. Each clause is a check of the",
            "conformance suite; its id never changes its meaning. An adapter claims [levels](#levels); clauses of a",
            "level that it does not claim are skipped. Where a clause needs something that the adapter declares",
            "unsupported, the request must be rejected as `storage.unsupported` and change nothing.",
            "",
            "This page is generated from the clauses: `./dev conformance --contract`. How to write an adapter is",
            "described in [writing-an-adapter.md](writing-an-adapter.md).",
            "",
            "## Levels",
            "",
            "| level | clauses |",
            "|---|---|",
        ]
        for level in Level.allCases {
            let count = suite.clauses.count { $0.level == level }
            if count > 0 { lines.append("| \(level.rawValue) | \(count) |") }
        }
        for family in suite.families {
            lines += ["", "## \(family.id): \(family.title)", ""]
            lines += ["| clause | level | rule | catches |", "|---|---|---|---|"]
            lines += family.clauses.map(row)
        }
        return (lines + [""]).joined(separator: "\n")
    }

    private func row(_ clause: Clause) -> String {
        let needs = clause.requirement.map { "<br>needs \($0.title)" } ?? ""
        let version = clause.version > 1 ? " v\(clause.version)" : ""
        return
            "| \(clause.id)\(version) | \(clause.level.rawValue)\(needs) | \(cell(clause.rule)) | \(cell(clause.catches)) |"
    }

    private func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\n", with: " ").replacing("<", with: "&lt;")
    }
}

extension Requirement {
    /// The requirement in words.
    var title: String {
        switch self {
        case .feature(let feature): "\(feature)"
        case .durability(let durability): "durability \(durability)"
        case .all(let requirements): requirements.map(\.title).joined(separator: ", ")
        }
    }
}

import Foundation

/// Prints measurements as aligned tables, one for each benchmark.
enum Report {
    /// One table for each name, in the order of first appearance.
    static func tables(_ measurements: [Measurement]) -> String {
        var names: [String] = []
        for measurement in measurements where !names.contains(measurement.name) { names.append(measurement.name) }
        return names.map { name in table(measurements.filter { $0.name == name }) }.joined(separator: "\n\n")
    }

    /// The table of one benchmark.
    static func table(_ measurements: [Measurement]) -> String {
        guard let name = measurements.first?.name else { return "" }
        let rows = measurements.map { measurement in
            [
                measurement.adapter, measurement.layer, number(measurement.value),
                measurement.unit, range(measurement), comparison(measurement), goal(measurement),
            ]
        }
        let widths = (0..<7).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return column == 2 ? space + cell : cell + space
            }
            return trimmed("  " + cells.joined(separator: "  "))
        }
        return ([name] + lines).joined(separator: "\n")
    }

    /// One line that counts the goals.
    static func summary(_ measurements: [Measurement]) -> String {
        let verdicts = measurements.compactMap(\.verdict)
        func count(_ verdict: Verdict) -> Int { verdicts.count { $0 == verdict } }
        return "\(count(.reached)) of \(verdicts.count) goals reached in every pass, \(count(.open)) in some (~), "
            + "\(count(.missed)) in none"
    }

    /// How far the passes are apart.
    private static func range(_ measurement: Measurement) -> String {
        guard let values = measurement.values else { return "" }
        return "(\(number(values.lowerBound))–\(number(values.upperBound)))"
    }

    private static func comparison(_ measurement: Measurement) -> String {
        guard let ratio = measurement.ratio, let baseline = measurement.baseline else { return "" }
        let range = measurement.ratios.map { String(format: "(%.2f–%.2f) ", $0.lowerBound, $0.upperBound) } ?? ""
        return String(format: "%5.2f× ", ratio) + range + baseline
    }

    private static func goal(_ measurement: Measurement) -> String {
        let bound =
            switch measurement.goal {
            case nil: ""
            case .ratio(let bound): String(format: "≤ %.2f×", bound)
            case .value(let bound): "≤ " + number(bound)
            case .atLeast(let bound): "≥ " + number(bound)
            }
        return switch measurement.verdict {
        case nil: bound
        case .reached?: bound + " ✓"
        case .open?: bound + " ~"
        case .missed?: bound + " ✗"
        }
    }

    /// Digits grouped by spaces; small figures keep a decimal.
    private static func number(_ value: Double) -> String {
        guard value >= 100 || value == value.rounded() else { return String(format: "%.1f", value) }
        var digits = String(format: "%.0f", value)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + groups).joined(separator: " ")
    }

    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}

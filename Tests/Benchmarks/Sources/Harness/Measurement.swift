import Foundation
import HoldfastBenchmarkSupport

/// One figure of one contender, beside its baseline's.
struct Measurement: Sendable {
    /// The benchmark.
    var name: String
    /// The back end, such as `sqlite`.
    var adapter: String
    /// What is between the caller and the back end.
    var layer: String
    /// The figure.
    var value: Double
    /// What the figure counts, such as `rows/s` or `µs p50`.
    var unit: String
    /// What it is compared with, as `adapter/layer`; `nil` for a baseline and where nothing compares.
    var baseline: String?
    /// The baseline's figure in the same unit.
    var baselineValue: Double?
    /// How many times the baseline's time, or its bytes, this needed; 1 is equal, less is better.
    var ratio: Double?
    /// What should be reached; `nil` where nothing was set.
    var goal: Goal?
    /// The smallest and the largest figure of all passes; `nil` for a single pass.
    var values: ClosedRange<Double>?
    /// The smallest and the largest ratio of all passes; `nil` for a single pass and without a baseline.
    var ratios: ClosedRange<Double>?
    /// How many records there were, where that is what differs between measurements.
    var size: Int?
    /// Where a page shows it.
    var group = BenchmarkResult.Group.store

    /// Whether the goal was reached; `nil` without a goal.
    var verdict: Verdict? {
        switch goal {
        case nil: nil
        case .ratio(let bound): ratio.map { Verdict(atMost: bound, ratios ?? $0...$0) }
        case .value(let bound): Verdict(atMost: bound, values ?? value...value)
        case .atLeast(let bound): Verdict(atLeast: bound, values ?? value...value)
        }
    }

    /// The measurement as a JSON object, keys in the order of the properties.
    var json: String {
        let members: [(name: String, json: String)] = [
            ("name", Self.json(name)), ("adapter", Self.json(adapter)), ("layer", Self.json(layer)),
            ("value", Self.json(value)), ("unit", Self.json(unit)), ("baseline", baseline.map(Self.json) ?? "null"),
            ("baselineValue", baselineValue.map(Self.json) ?? "null"), ("ratio", ratio.map(Self.json) ?? "null"),
            ("values", values.map(Self.json) ?? "null"), ("ratios", ratios.map(Self.json) ?? "null"),
            ("goal", goal.map { Self.json($0.text) } ?? "null"),
            ("verdict", verdict.map { Self.json("\($0)") } ?? "null"), ("size", size.map { "\($0)" } ?? "null"),
            ("group", Self.json(group.rawValue)),
        ]
        return "{" + members.map { "\"\($0.name)\": \($0.json)" }.joined(separator: ", ") + "}"
    }

    private static func json(_ number: Double) -> String {
        number.isFinite ? String(format: "%.6g", number) : "null"
    }

    private static func json(_ range: ClosedRange<Double>) -> String {
        "[\(json(range.lowerBound)), \(json(range.upperBound))]"
    }

    /// Names are ours, so only the quotation mark and the backslash can need an escape.
    private static func json(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

/// What a contender should reach in a benchmark.
enum Goal: Sendable {
    /// The largest multiple of the baseline.
    case ratio(Double)
    /// At most this much, in the measurement's unit.
    case value(Double)
    /// At least this much, in the measurement's unit.
    case atLeast(Double)

    /// The goal for programs, such as `ratio <= 1.5`.
    fileprivate var text: String {
        switch self {
        case .ratio(let bound): "ratio <= \(bound)"
        case .value(let bound): "value <= \(bound)"
        case .atLeast(let bound): "value >= \(bound)"
        }
    }
}

/// What all passes together say about a goal.
enum Verdict: Sendable {
    /// Every pass reached it.
    case reached
    /// Some passes did.
    case open
    /// No pass did.
    case missed

    init(atMost bound: Double, _ range: ClosedRange<Double>) {
        self = range.upperBound <= bound ? .reached : range.lowerBound <= bound ? .open : .missed
    }

    init(atLeast bound: Double, _ range: ClosedRange<Double>) {
        self = range.lowerBound >= bound ? .reached : range.upperBound >= bound ? .open : .missed
    }
}

extension [Measurement] {
    /// The array as JSON, one measurement on a line.
    var json: String { "[\n" + map { "  " + $0.json }.joined(separator: ",\n") + "\n]\n" }
}

import Foundation

/// One figure of one contender, beside its baseline's.
struct Measurement: Sendable {
    /// The benchmark.
    var name: String
    /// The back end, such as `sqlite`.
    var adapter: String
    /// What stands between the caller and the back end.
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
    /// What was to be reached; `nil` where nothing was set.
    var goal: Goal?

    /// Whether the goal was reached; `nil` without a goal.
    var isReached: Bool? {
        switch goal {
        case nil: nil
        case .ratio(let bound): ratio.map { $0 <= bound }
        case .value(let bound): value <= bound
        case .atLeast(let bound): value >= bound
        }
    }

    /// The measurement as a JSON object, keys in the order of the properties.
    var json: String {
        let members = [
            ("name", Self.json(name)), ("adapter", Self.json(adapter)), ("layer", Self.json(layer)),
            ("value", Self.json(value)), ("unit", Self.json(unit)), ("baseline", baseline.map(Self.json) ?? "null"),
            ("baselineValue", baselineValue.map(Self.json) ?? "null"), ("ratio", ratio.map(Self.json) ?? "null"),
        ]
        return "{" + members.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }

    private static func json(_ number: Double) -> String {
        number.isFinite ? String(format: "%.6g", number) : "null"
    }

    /// Names are ours, so only the quotation mark and the backslash can need an escape.
    private static func json(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

/// What a contender shall reach in a benchmark.
enum Goal: Sendable {
    /// At most so many times the baseline.
    case ratio(Double)
    /// At most so much, in the measurement's unit.
    case value(Double)
    /// At least so much, in the measurement's unit.
    case atLeast(Double)
}

extension [Measurement] {
    /// The array as JSON, one measurement on a line.
    var json: String { "[\n" + map { "  " + $0.json }.joined(separator: ",\n") + "\n]\n" }
}

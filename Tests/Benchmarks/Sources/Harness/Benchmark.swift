/// One thing that contenders are compared in.
struct Benchmark: Sendable {
    /// What is measured; also the prefix of its measurements' names.
    var name: String
    /// Measures all contenders that can do it.
    var run: @Sendable (Workbench) async throws -> [Measurement]
}

/// One contender's result, ready to be compared.
struct Figure {
    /// Whose.
    var contender: Contender
    /// The figure to be shown.
    var value: Double
    /// What it cost, in any unit that all figures of a comparison share; the ratio is of these.
    var cost: Double
}

/// How figures of one name become measurements.
struct Comparison {
    /// The measurements' name.
    var name: String
    /// The unit of ``Figure/value``.
    var unit: String
    /// The goal of a contender, if it has one.
    var goal: (Contender) -> Goal? = { _ in nil }
    /// The layer to compare with, over the same adapter.
    var baselineLayer = "raw"

    /// Compares every figure with its baseline's.
    func measurements(_ figures: [Figure]) -> [Measurement] {
        figures.map { figure in
            let contender = figure.contender
            let baseline = figures.first {
                $0.contender.adapter == contender.adapter && $0.contender.layer == baselineLayer
                    && $0.contender.label != contender.label
            }
            return Measurement(
                name: name, adapter: contender.adapter, layer: contender.layer, value: figure.value, unit: unit,
                baseline: baseline?.contender.label, baselineValue: baseline?.value,
                ratio: baseline.map { figure.cost / $0.cost }, goal: goal(contender))
        }
    }

    /// Compares throughputs, each by its best turn.
    ///
    /// - Parameters:
    ///   - operations: How many one turn had.
    ///   - results: The durations of turns.
    /// - Returns: The operations per second of each contender, in the order of `results`.
    func measurements(operations: Int, _ results: [(Contender, Samples)]) -> [Measurement] {
        measurements(
            results.map { contender, samples in
                Figure(contender: contender, value: Double(operations) / samples.best, cost: samples.best)
            })
    }

    /// Compares a percentile of latencies in microseconds.
    func measurements(percentile: Double, _ results: [(Contender, Samples)]) -> [Measurement] {
        measurements(
            results.map { contender, samples in
                let latency = samples.percentile(percentile)
                return Figure(contender: contender, value: latency * 1e6, cost: latency)
            })
    }
}

extension Measurement {
    /// One of several figures of a back end.
    struct Entry {
        /// Who or what.
        var layer: String
        /// The figure.
        var value: Double
        /// What should be reached; nothing by default.
        var goal: Goal?
    }

    /// Figures of a back end, each compared with the first.
    ///
    /// - Parameters:
    ///   - name: The name of the measurements.
    ///   - adapter: The back end.
    ///   - unit: The unit of the figures.
    ///   - isRate: Whether more is better; the ratio is of times.
    ///   - entries: The figures; the first is the baseline.
    /// - Returns: One measurement for each entry, in the same order. The first has no ratio.
    static func beside(
        _ name: String, _ adapter: String, _ unit: String, isRate: Bool = false, _ entries: [Entry]
    ) -> [Measurement] {
        guard let first = entries.first else { return [] }
        return entries.enumerated().map { index, entry in
            let ratio = isRate ? first.value / entry.value : entry.value / first.value
            return Measurement(
                name: name, adapter: adapter, layer: entry.layer, value: entry.value, unit: unit,
                baseline: index == 0 ? nil : "\(adapter)/\(first.layer)",
                baselineValue: index == 0 ? nil : first.value, ratio: index == 0 ? nil : ratio, goal: entry.goal)
        }
    }
}

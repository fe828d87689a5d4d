import HoldfastBenchmarkSupport

extension Measurement {
    /// The measurement as a page shows it.
    var result: BenchmarkResult {
        var result = BenchmarkResult(
            group: group, name: name, adapter: adapter, layer: layer, value: value, unit: unit)
        result.size = size
        result.baseline = baseline
        result.ratio = ratio
        result.values = values
        result.ratios = ratios
        switch goal {
        case nil: break
        case .ratio(let bound): result.goal = .ratio(bound)
        case .value(let bound): result.goal = .value(bound)
        case .atLeast(let bound): result.goal = .atLeast(bound)
        }
        switch verdict {
        case nil: break
        case .reached: result.verdict = .reached
        case .open: result.verdict = .open
        case .missed: result.verdict = .missed
        }
        return result
    }
}

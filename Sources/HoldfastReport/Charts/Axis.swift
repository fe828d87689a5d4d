/// Maps numbers to places in a chart, from 0 to 1.
package struct Axis: Sendable, Hashable {
    /// The smallest and the largest number on it.
    package let range: ClosedRange<Double>
    /// The numbers that are written on it, in order: all round ones, or of many only the powers of ten.
    package let ticks: [Double]

    /// A logarithmic axis that shows some numbers, and ends at round ones.
    ///
    /// - Parameter values: Numbers to be shown; those that are not positive are left out.
    package init(logarithmic values: [Double]) {
        let values = values.filter { $0.isFinite && $0 > 0 }
        let (low, high) = (values.min() ?? 1, values.max() ?? 1)
        var steps: [Double] = []
        var decade = 1.0
        while decade > low { decade /= 10 }
        while decade * 10 <= low { decade *= 10 }
        while decade <= high * 10 {
            steps += [decade, decade * 2, decade * 5]
            decade *= 10
        }
        // One round number below and one above.
        let first = steps.lastIndex { $0 <= low * 1.000_001 } ?? 0
        var last = steps.firstIndex { $0 >= high * 0.999_999 } ?? steps.count - 1
        if last <= first { last = min(first + 1, steps.count - 1) }
        let chosen = Array(steps[first...last])
        range = chosen[0]...chosen[chosen.count - 1]
        ticks = chosen.count <= 7 ? chosen : chosen.filter(Self.isPower)
    }

    /// Where a number is; numbers outside are at the nearer end.
    package func position(of value: Double) -> Double {
        guard value > range.lowerBound else { return 0 }
        guard value < range.upperBound else { return 1 }
        return Logarithm.base2(value / range.lowerBound) / Logarithm.base2(range.upperBound / range.lowerBound)
    }

    private static func isPower(_ value: Double) -> Bool {
        var value = value
        while value >= 9.999_999 { value /= 10 }
        while value < 0.999_999 { value *= 10 }
        return abs(value - 1) < 0.000_1
    }
}

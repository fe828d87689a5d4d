/// The measurements of several passes as one for each name, contender and unit.
///
/// What other work on the machine did to one pass it rarely does to all: the middle pass counts, and how far the others
/// are from it says what it is worth.
enum Passes {
    /// Merges passes.
    ///
    /// - Parameter passes: The measurements of each pass; the first says in which order.
    /// - Returns: The measurements of the first pass, with the medians and ranges of all passes.
    static func merged(_ passes: [[Measurement]]) -> [Measurement] {
        guard let first = passes.first else { return [] }
        if passes.count == 1 { return first }
        return first.map { measurement in
            let all = passes.flatMap { pass in pass.filter { $0.isSame(as: measurement) } }
            var result = measurement
            result.value = median(all.map(\.value))
            result.values = range(all.map(\.value))
            result.baselineValue =
                all.compactMap(\.baselineValue).isEmpty
                ? nil : median(all.compactMap(\.baselineValue))
            let ratios = all.compactMap(\.ratio)
            result.ratio = ratios.isEmpty ? nil : median(ratios)
            result.ratios = ratios.isEmpty ? nil : range(ratios)
            return result
        }
    }

    /// The middle of some numbers; the mean of the two middle ones if there is none.
    static func median(_ numbers: [Double]) -> Double {
        let sorted = numbers.sorted()
        guard !sorted.isEmpty else { return .nan }
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    private static func range(_ numbers: [Double]) -> ClosedRange<Double>? {
        guard let low = numbers.min(), let high = numbers.max(), low.isFinite, high.isFinite else { return nil }
        return low...high
    }
}

extension Measurement {
    /// Whether the other is of the same thing in another pass.
    fileprivate func isSame(as other: Measurement) -> Bool {
        name == other.name && adapter == other.adapter && layer == other.layer && unit == other.unit
    }
}

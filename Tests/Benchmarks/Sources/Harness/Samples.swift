/// Durations of the same thing, measured again and again.
struct Samples: Sendable {
    /// The durations in seconds, in the order measured.
    private(set) var seconds: [Double] = []

    /// The shortest; the one that other work on the machine disturbed least.
    var best: Double { seconds.min() ?? .nan }

    /// All of them together.
    var sum: Double { seconds.reduce(0, +) }

    /// Adds a duration.
    mutating func add(_ duration: Duration) { seconds.append(duration.inSeconds) }

    /// Adds all durations of another sample.
    mutating func add(_ other: Samples) { seconds += other.seconds }

    /// The duration that a share of all does not exceed.
    ///
    /// - Parameter share: 0...1; 0.5 for the median.
    /// - Returns: The duration in seconds; not a number if there are no samples.
    func percentile(_ share: Double) -> Double {
        let sorted = seconds.sorted()
        guard let last = sorted.indices.last else { return .nan }
        return sorted[min(last, Int((Double(sorted.count) * share).rounded(.down)))]
    }
}

extension Duration {
    /// The duration as a fraction of seconds.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// Swallows results, so that the optimiser cannot remove the work that made them.
@inline(never)
@_optimize(none)
func consume(_ result: Int) {}

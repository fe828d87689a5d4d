/// One measurement of one contender, as a page shows it.
public struct BenchmarkResult: Sendable {
    /// What a page shows together.
    public enum Group: String, Sendable, CaseIterable {
        /// A store on its own.
        case store
        /// How costs depend on the number of records.
        case growth
        /// A device that synchronizes.
        case sync
        /// The service.
        case service
        /// Schemas and what is made from them.
        case language
    }

    /// What was to be reached.
    public enum Goal: Sendable {
        /// The largest multiple of the baseline.
        case ratio(Double)
        /// At most this much, in the unit of the value.
        case value(Double)
        /// At least this much, in the unit of the value.
        case atLeast(Double)
    }

    /// What all passes together say about a goal.
    public enum Verdict: String, Sendable {
        /// Every pass reached it.
        case reached
        /// Some passes did.
        case open
        /// No pass did.
        case missed
    }

    /// Where it belongs.
    public var group: Group
    /// The benchmark.
    public var name: String
    /// The back end.
    public var adapter: String
    /// What is between the caller and the back end.
    public var layer: String
    /// What was measured.
    public var value: Double
    /// The unit of the value.
    public var unit: String
    /// How many records there were, where that is what differs.
    public var size: Int?
    /// What it is compared with, as `adapter/layer`.
    public var baseline: String?
    /// How many times the baseline's time, or its bytes, it needed.
    public var ratio: Double?
    /// The smallest and the largest value of all passes.
    public var values: ClosedRange<Double>?
    /// The smallest and the largest ratio of all passes.
    public var ratios: ClosedRange<Double>?
    /// What was to be reached; `nil` if nothing was.
    public var goal: Goal?
    /// Whether the goal was reached.
    public var verdict: Verdict?

    /// Creates a result with only its value.
    public init(group: Group, name: String, adapter: String, layer: String, value: Double, unit: String) {
        self.group = group
        self.name = name
        self.adapter = adapter
        self.layer = layer
        self.value = value
        self.unit = unit
    }
}

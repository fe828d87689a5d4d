/// Numbers that follow from a seed (SplitMix64).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator; the same seed gives the same numbers.
    public init(seed: UInt64) { state = seed }

    /// Creates a generator for one part of a run, whose numbers do not depend on what other parts draw.
    public init(seed: UInt64, _ parts: UInt64...) {
        state = parts.reduce(seed) { Self.mixed($0 &+ 0x9E37_79B9_7F4A_7C15 &+ Self.mixed($1)) }
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// Whether something of a probability of some percent happens.
    mutating func chance(_ percent: Int) -> Bool { Int(next() % 100) < percent }

    /// A number of a range.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// One of some elements; there must be one.
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(next() % UInt64(elements.count))] }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

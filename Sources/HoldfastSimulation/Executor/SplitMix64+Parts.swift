package import HoldfastConformance

extension SplitMix64 {
    /// Creates a generator for one part of a run, whose numbers do not depend on what other parts draw.
    package init(seed: UInt64, _ parts: UInt64...) {
        self.init(seed: parts.reduce(seed) { Self.number($0 &+ Self.mixed($1)) })
    }

    /// The first number of a generator.
    private static func number(_ seed: UInt64) -> UInt64 {
        var random = SplitMix64(seed: seed)
        return random.next()
    }

    /// The number of a seed that lies one step back.
    private static func mixed(_ value: UInt64) -> UInt64 { number(value &- 0x9E37_79B9_7F4A_7C15) }
}

/// A small random number generator whose whole future follows from its seed, on every platform.
///
/// - Note: *Source:* Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
package struct SplitMix64: RandomNumberGenerator, Sendable, Hashable {
    private var state: UInt64

    /// Creates a generator; equal seeds give equal numbers.
    package init(seed: UInt64) { state = seed }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number below a bound.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// A number of a range.
    package mutating func number(in range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    /// True with a probability in percent.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// One of the elements, of which there must be one.
    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// Some of the elements in a random order, each at most once.
    package mutating func sample<Element>(_ elements: [Element], _ count: Int) -> [Element] {
        var rest = elements
        var result: [Element] = []
        while result.count < count && !rest.isEmpty { result.append(rest.remove(at: below(rest.count))) }
        return result
    }
}

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

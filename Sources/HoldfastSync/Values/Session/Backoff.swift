import HoldfastStorage

/// Delays that grow with each attempt and are spread at random, so that many devices do not come back at once.
package struct Backoff: Sendable, Hashable {
    /// The longest delay of the first attempt.
    static let base = Duration.milliseconds(200)
    /// The longest delay of all.
    static let limit = Duration.seconds(60)
    /// How long a connection must last before the next attempt counts as the first one.
    package static let lastingTime = Duration.seconds(30)

    private var random: SplitMix64

    /// Creates delays from a random number.
    ///
    /// The same number gives the same delays.
    package init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// The longest delay before an attempt; the first attempt is number 0.
    static func longest(_ attempt: Int) -> Duration {
        // Beyond the ninth doubling every delay has reached the limit.
        min(limit, base * (1 << min(max(attempt, 0), 9)))
    }

    /// The delay before an attempt: anything from zero to ``longest(_:)``, but no less than what the service asked for.
    package mutating func delay(_ attempt: Int, atLeast least: Duration? = nil) -> Duration {
        let share = Double(random.next() >> 11) / Double(1 << 53)
        return max(Self.longest(attempt) * share, least ?? .zero)
    }
}

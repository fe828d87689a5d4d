/// Delays that grow with each attempt and are spread at random, so that many devices do not come back at once.
struct Backoff: Sendable, Hashable {
    /// The longest delay of the first attempt.
    static let base = Duration.milliseconds(200)
    /// The longest delay of all.
    static let limit = Duration.seconds(60)

    /// The state of the generator (SplitMix64).
    private var seed: UInt64

    /// Creates delays from a random number.
    ///
    /// The same number gives the same delays.
    init(seed: UInt64) { self.seed = seed }

    /// The longest delay before an attempt; the first attempt is number 0.
    static func longest(_ attempt: Int) -> Duration {
        // Beyond the ninth doubling every delay has reached the limit.
        min(limit, base * (1 << min(max(attempt, 0), 9)))
    }

    /// The delay before an attempt: anything from zero to ``longest(_:)``, but no less than what the service asked for.
    mutating func delay(_ attempt: Int, atLeast least: Duration? = nil) -> Duration {
        seed &+= 0x9E37_79B9_7F4A_7C15
        var mixed = seed
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        let share = Double(mixed >> 11) / Double(1 << 53)
        return max(Self.longest(attempt) * share, least ?? .zero)
    }
}

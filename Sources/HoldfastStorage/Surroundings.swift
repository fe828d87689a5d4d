/// What a part of Holdfast takes from the world around it: time, pauses, randomness, and new identifiers.
///
/// Each is a closure, so that a test or a simulation decides what they return. Parts that are given surroundings use
/// no clock, no timer, and no source of randomness beside them.
///
/// ```swift
/// var surroundings = Surroundings.system
/// surroundings.wallMicroseconds = { 1_700_000_000_000_000 }  // a test whose clock has stopped
/// let options = DataStoreOptions(surroundings: surroundings)
/// ```
public struct Surroundings: Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z by the clock of the machine, which may jump.
    public var wallMicroseconds: @Sendable () -> Int64
    /// The time since some moment in the past; it never goes back.
    public var uptime: @Sendable () -> Duration
    /// Returns after a time by ``uptime``.
    ///
    /// Throws `CancellationError` if the task is cancelled before; never anything else.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// A random number, each with the same probability.
    public var random: @Sendable () -> UInt64
    /// An identifier that nothing else has, in the form of a UUID in lower case.
    public var uuid: @Sendable () -> String
    /// This process; `nil` where processes do not know each other.
    public var process: RunningProcess?

    /// Creates surroundings.
    ///
    /// - Parameters:
    ///   - wallMicroseconds: Microseconds since 1970-01-01T00:00:00Z.
    ///   - uptime: The time since some moment in the past.
    ///   - sleep: Returns after a time by `uptime`, or throws if the task is cancelled.
    ///   - random: A random number.
    ///   - uuid: A new identifier; by default a UUID of version 4, made of two random numbers.
    ///   - process: This process; by default processes do not know each other.
    public init(
        wallMicroseconds: @escaping @Sendable () -> Int64, uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void, random: @escaping @Sendable () -> UInt64,
        uuid: (@Sendable () -> String)? = nil, process: RunningProcess? = nil
    ) {
        self.wallMicroseconds = wallMicroseconds
        self.uptime = uptime
        self.sleep = sleep
        self.random = random
        self.process = process
        self.uuid = uuid ?? { Self.uuid(high: random(), low: random()) }
    }

    /// A UUID of version 4 made of 122 of the given bits.
    static func uuid(high: UInt64, low: UInt64) -> String {
        let high = high & ~0xF000 | 0x4000
        let low = low & ~(0xC0 << 56) | 0x80 << 56
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (part, half) in [high, low].enumerated() {
            for digit in 0..<16 {
                if part == 0 ? digit == 8 || digit == 12 : digit == 0 || digit == 4 { text.append(UInt8(ascii: "-")) }
                let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * digit)) & 0xF
                text.append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

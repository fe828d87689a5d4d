#if SQLite
internal import HoldfastStorage

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Lets other processes write between the groups of one that has much to write.
///
/// SQLite's lock is not fair: a process that begins its next transaction as soon as it has ended one would keep it for
/// as long as commits wait, and all others would end with `.busy`. A pause now and then, longer than the interval in
/// which waiting connections look, lets them in. As long as no other process writes, pauses are rare.
struct SQLiteTurns {
    /// How often a waiting connection looks for the lock.
    static let lockInterval = Duration.milliseconds(1)
    /// Long enough that a waiting connection finds the lock free.
    static let pause = Duration.milliseconds(3)
    /// How long a process writes without a pause while others write too.
    private static let sharedTurn = Duration.milliseconds(30)
    /// How long a process writes without a pause while it seems to be alone.
    private static let turn = Duration.seconds(1)
    /// A gap of this length lets others in by itself.
    private static let gap = Duration.milliseconds(2)

    private var turnStart: ContinuousClock.Instant?
    private var lastEnd: ContinuousClock.Instant?
    private var lastSequence: UInt64?
    private var isFirstOfTurn = true
    private var isShared = false

    /// Whether to pause before the transaction that begins now.
    mutating func needsPause(at now: ContinuousClock.Instant) -> Bool {
        guard let start = turnStart, let end = lastEnd, now - end < Self.gap else {
            turnStart = now
            isFirstOfTurn = true
            return false
        }
        guard now - start > (isShared ? Self.sharedTurn : Self.turn) else { return false }
        turnStart = now + Self.pause
        isFirstOfTurn = true
        return true
    }

    /// A transaction has begun and found the store at a sequence.
    mutating func begin(at sequence: UInt64) {
        if isFirstOfTurn, let lastSequence { isShared = lastSequence != sequence }
        isFirstOfTurn = false
    }

    /// A transaction has left the store at a sequence.
    mutating func end(at sequence: UInt64) { lastSequence = sequence }

    /// The lock is free again.
    mutating func release(at now: ContinuousClock.Instant) { lastEnd = now }

    /// Blocks the thread for a time of less than a second.
    static func wait(_ duration: Duration) { usleep(UInt32(duration.microseconds)) }
}
#endif

#if PostgreSQL
/// How quickly the server has answered a connection lately.
///
/// An answer that is nearly there is cheapest to wait for on the caller's thread. Behind a network such waiting would
/// block a thread that all tasks share, at every statement, and gain nothing.
struct PostgreSQLPace {
    /// An answer within this time is waited for.
    static let quickMilliseconds: Int32 = 1
    static let quick = Duration.milliseconds(Int64(quickMilliseconds))
    /// An answer within this time is not worth sleeping for: on a virtual processor, to fall asleep and to be woken can
    /// take as long as the answer.
    private static let immediate = Duration.microseconds(40)

    private var lastAnswer = Duration.zero
    private var lastYield: ContinuousClock.Instant?

    /// How long to wait for the next answer on the caller's thread, in milliseconds.
    var inlineWait: Int32 { lastAnswer < Self.quick ? Self.quickMilliseconds : 0 }

    /// How long to look for the next answer again and again before the thread sleeps.
    var busyWait: Duration { lastAnswer < Self.immediate ? Self.immediate : .zero }

    /// Notes how long an answer took.
    mutating func noteAnswer(after time: Duration) { lastAnswer = time }

    /// Whether other tasks should go first after an answer that was waited for on the caller's thread.
    ///
    /// As many loops of quick reads as the machine has cores would otherwise keep all others from running.
    mutating func yields(at time: ContinuousClock.Instant) -> Bool {
        if let lastYield, time - lastYield < Self.quick { return false }
        lastYield = time
        return true
    }
}
#endif

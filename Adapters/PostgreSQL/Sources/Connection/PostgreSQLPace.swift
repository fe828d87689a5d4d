#if PostgreSQL
/// How quickly the server has answered a connection lately.
///
/// An answer that is nearly there is cheapest to wait for on the caller's thread. Behind a network such waiting would
/// block a thread that all tasks share, at every statement, and gain nothing.
struct PostgreSQLPace {
    /// An answer within this time is waited for.
    static let quickMilliseconds: Int32 = 1
    /// Answers that were waited for on the caller's thread until other tasks may go first.
    private static let yieldInterval = 8

    private var isQuick = true
    private var inlineAnswerCount = 0

    /// How long to wait for the next answer on the caller's thread, in milliseconds.
    var inlineWait: Int32 { isQuick ? Self.quickMilliseconds : 0 }

    /// An answer came while its caller waited.
    ///
    /// - Returns: Whether other tasks should go first now: as many loops of quick reads as the machine has cores would
    ///   keep all others from running.
    mutating func noteInlineAnswer() -> Bool {
        isQuick = true
        inlineAnswerCount += 1
        return inlineAnswerCount.isMultiple(of: Self.yieldInterval)
    }

    /// An answer came so long after its question.
    mutating func noteAnswer(after time: Duration) {
        isQuick = time < .milliseconds(Int64(Self.quickMilliseconds))
    }
}
#endif

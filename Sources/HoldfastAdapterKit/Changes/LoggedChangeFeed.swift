public import HoldfastStorage

/// A change feed that reads a log of commits and sleeps at its end.
public struct LoggedChangeFeed: ChangeFeed {
    /// Commits of the log after a sequence, in order and without a gap; a gap if the log has forgotten some of them.
    ///
    /// `nil` at the end of the log. The records of a commit that `isKnown` are not needed.
    public typealias ReadLog =
        @Sendable (_ after: UInt64, _ isKnown: @escaping @Sendable (_ sequence: UInt64) -> Bool)
        async throws(StorageError) -> ChangeFeedElement?

    private let signal: ChangeSignal
    private let pollInterval: Duration?
    private let longestPollInterval: Duration?
    /// The pause before the log is looked at again.
    private var pause: Duration?
    private let readLog: ReadLog
    private var position: UInt64
    /// Whether the log had nothing after the position when it was looked at.
    private var isAtEnd: Bool
    private var isOpen = true
    /// When the log may be read again.
    private var nextReading = ContinuousClock.now
    private static let readingInterval = Duration.milliseconds(50)

    /// Creates a feed.
    ///
    /// - Parameters:
    ///   - sequence: The feed begins after it.
    ///   - isAtEnd: Whether that was the last commit just now, so that the log need not be read at once; `false` by
    ///     default.
    ///   - signal: Advanced after each commit of this process.
    ///   - pollInterval: How often to look for commits of other processes; `nil` if there are none.
    ///   - longestPollInterval: How long the pauses become while nothing happens, each twice as long as the one
    ///     before, so that an idle device sleeps; as long as `pollInterval` by default.
    ///   - readLog: Reads the log.
    public init(
        after sequence: UInt64, isAtEnd: Bool = false, signal: ChangeSignal, pollInterval: Duration?,
        longestPollInterval: Duration? = nil, readLog: @escaping ReadLog
    ) {
        self.longestPollInterval = longestPollInterval ?? pollInterval
        pause = pollInterval
        position = sequence
        self.isAtEnd = isAtEnd
        self.signal = signal
        self.pollInterval = pollInterval
        self.readLog = readLog
    }

    /// Reads the log, and waits for it to grow if there is nothing new.
    public mutating func next() async throws(StorageError) -> ChangeFeedElement? {
        try await next(atMostEvery: .zero) { _ in false }
    }

    /// Reads the log, and waits for it to grow if there is nothing new.
    ///
    /// A reader that knows commits has most likely made them. After a reading that finds few, the log is not read for a
    /// twentieth of a second, so that a busy writer pays little for it. After one that finds many it is read at once,
    /// before it forgets what follows.
    public mutating func next(
        withoutRecordsOf isKnown: @escaping @Sendable (_ sequence: UInt64) -> Bool
    ) async throws(StorageError) -> ChangeFeedElement? {
        try await next(atMostEvery: Self.readingInterval, isKnown)
    }

    private mutating func next(
        atMostEvery interval: Duration, _ isKnown: @escaping @Sendable (_ sequence: UInt64) -> Bool
    ) async throws(StorageError) -> ChangeFeedElement? {
        while isOpen && !signal.isClosed {
            try await pass(until: nextReading)
            nextReading = .now + interval
            if let element = try await look(isKnown) {
                if element.mayLeaveOthers { nextReading = .now }
                return element
            }
        }
        return nil
    }

    /// Reads the log once, and waits if there is nothing new.
    private mutating func look(
        _ isKnown: @escaping @Sendable (_ sequence: UInt64) -> Bool
    ) async throws(StorageError) -> ChangeFeedElement? {
        do {
            if !isAtEnd, let element = try await readLog(position, isKnown) {
                position = element.lastSequence ?? position
                pause = pollInterval
                return element
            }
            isAtEnd = false
        } catch  where error.kind == .closed {
            isOpen = false
            return nil
        }
        do {
            try await signal.wait(after: position, atMost: pause)
            if let current = pause, let longest = longestPollInterval { pause = min(current * 2, longest) }
        } catch {
            isOpen = false
            throw error
        }
        return nil
    }

    private mutating func pass(until time: ContinuousClock.Instant) async throws(StorageError) {
        do {
            if time > .now { try await Task.sleep(until: time, clock: .continuous) }
        } catch {
            isOpen = false
            throw StorageError.cancelledWork()
        }
    }

    /// Ends the feed.
    public mutating func close() async { isOpen = false }
}

extension ChangeFeedElement {
    /// Whether the log may have many commits after these: logs deliver 256 at once.
    fileprivate var mayLeaveOthers: Bool {
        switch self {
        case .commits(let commits): commits.count >= 128
        case .gap: true
        }
    }

    fileprivate var lastSequence: UInt64? {
        switch self {
        case .commits(let commits): commits.last?.sequence
        case .gap(let sequence): sequence
        }
    }

    /// What a log answers that has rows for consecutive commits.
    ///
    /// - Parameters:
    ///   - rows: Commits after `sequence`, in order; where the log has gaps, these are gaps in the sequences.
    ///   - sequence: The sequence that the reader has reached.
    ///   - last: The sequence of the store's last commit when the log was read.
    /// - Returns: The commits up to the first gap, or what was forgotten, or `nil` at the end.
    public static func fromLog(_ rows: [CommittedChange], after sequence: UInt64, last: UInt64) -> ChangeFeedElement? {
        guard let first = rows.first else { return last > sequence ? .gap(through: last) : nil }
        if first.sequence > sequence, first.sequence - sequence > 1 { return .gap(through: first.sequence - 1) }
        var expected = first.sequence
        return .commits(
            Array(
                rows.prefix { row in
                    defer { expected &+= 1 }
                    return row.sequence == expected
                }))
    }
}

import HoldfastStorage

/// The newest status, and those who wait for the next one.
final class StatusBoard: Sendable {
    private struct Reader {
        var continuation: AsyncStream<SyncStatus>.Continuation
        /// Whether it gets a status also if that is as before.
        var repeats: Bool
    }

    private struct State {
        var status = SyncStatus()
        var readers: [UInt64: Reader] = [:]
        var nextReader: UInt64 = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// The newest status.
    var status: SyncStatus { state.withLock { $0.status } }

    /// Changes the status, and notifies readers if it is different.
    func update(_ change: (inout SyncStatus) -> Void) {
        state.withLock { state in
            let before = state.status
            change(&state.status)
            let isNew = state.status != before
            for reader in state.readers.values where isNew || reader.repeats {
                reader.continuation.yield(state.status)
            }
        }
    }

    /// The newest status and every one that comes; a slow reader gets the newest.
    ///
    /// - Parameter repeats: Whether a status comes again if it was looked at and is as before.
    /// - Returns: The stream.
    func statuses(repeats: Bool = false) -> AsyncStream<SyncStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SyncStatus.self, bufferingPolicy: .bufferingNewest(1))
        let number: UInt64? = state.withLock { state in
            continuation.yield(state.status)
            if state.isFinished { return nil }
            state.nextReader += 1
            state.readers[state.nextReader] = Reader(continuation: continuation, repeats: repeats)
            return state.nextReader
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.readers[number] = nil } }
        return stream
    }

    /// Ends all readers.
    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return state.readers.values
        }
        for reader in readers { reader.continuation.finish() }
    }
}

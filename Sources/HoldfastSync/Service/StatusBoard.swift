import HoldfastStorage

/// The newest status, and those who wait for the next one.
final class StatusBoard: Sendable {
    private struct State {
        var status = SyncStatus()
        var readers: [UInt64: AsyncStream<SyncStatus>.Continuation] = [:]
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
            guard state.status != before else { return }
            for reader in state.readers.values { reader.yield(state.status) }
        }
    }

    /// The newest status and every one that comes; a slow reader gets the newest.
    func statuses() -> AsyncStream<SyncStatus> {
        let (stream, reader) = AsyncStream.makeStream(of: SyncStatus.self, bufferingPolicy: .bufferingNewest(1))
        let number: UInt64? = state.withLock { state in
            reader.yield(state.status)
            if state.isFinished { return nil }
            state.nextReader += 1
            state.readers[state.nextReader] = reader
            return state.nextReader
        }
        guard let number else {
            reader.finish()
            return stream
        }
        reader.onTermination = { [weak self] _ in self?.state.withLock { $0.readers[number] = nil } }
        return stream
    }

    /// Ends all readers.
    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return state.readers.values
        }
        for reader in readers { reader.finish() }
    }
}

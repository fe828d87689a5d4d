#if Sync
internal import HoldfastSync
internal import NIOCore
internal import HoldfastStorage

/// The frames of a socket that were received and not yet taken.
///
/// The event loop puts frames in, one task takes them out. When many bytes wait, reading stops until some are taken.
final class FrameInbox: Sendable {
    private struct State {
        var frames = CircularBuffer<[UInt8]>()
        var bytes = 0
        /// How the socket ended; `.success` if it was closed.
        var end: Result<Void, TransportError>?
        var waiter: CheckedContinuation<Result<[UInt8]?, TransportError>, Never>?
        var isReadDue = false
    }

    private let state = Mutex(State())
    private let waitingBytes: Int

    init(waitingBytes: Int) { self.waitingBytes = max(1, waitingBytes) }

    // MARK: - On the event loop

    /// Adds a frame; one that comes after the end is dropped.
    func add(_ frame: [UInt8]) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<[UInt8]?, TransportError>, Never>? in
            guard state.end == nil else { return nil }
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            state.frames.append(frame)
            state.bytes += frame.count
            return nil
        }
        waiter?.resume(returning: .success(frame))
    }

    /// Whether to read on now; if not, ``next(readOn:)`` says when.
    func readsOn() -> Bool {
        state.withLock { state in
            state.isReadDue = state.end == nil && state.bytes >= waitingBytes
            return !state.isReadDue
        }
    }

    /// Whether the reader is slower than the service.
    var hasWaitingFrames: Bool { state.withLock { !$0.frames.isEmpty } }

    /// Ends the socket.
    ///
    /// Frames that wait can still be taken. Only the first call counts.
    func end(_ end: Result<Void, TransportError>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<[UInt8]?, TransportError>, Never>? in
            guard state.end == nil else { return nil }
            state.end = end
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: end.map { nil })
    }

    // MARK: - In the task of the reader

    /// How the socket ended; `nil` while it is open.
    var outcome: Result<Void, TransportError>? { state.withLock { $0.end } }

    /// Ends the socket, and drops the frames that wait.
    func close() {
        state.withLock { state in
            state.frames.removeAll()
            state.bytes = 0
        }
        end(.success(()))
    }

    /// Takes the next frame; `nil` if the socket is closed and no frame is left.
    ///
    /// - Parameter readOn: Called when reading had stopped and should continue.
    /// - Returns: The frame or `nil`; a failure if the socket failed and no frame is left, or if another task
    ///   waits already.
    func next(readOn: () -> Void) async -> Result<[UInt8]?, TransportError> {
        var isReadDue = false
        let result = await withCheckedContinuation { continuation in
            let result = state.withLock { state -> Result<[UInt8]?, TransportError>? in
                if let frame = state.frames.popFirst() {
                    state.bytes -= frame.count
                    if state.isReadDue, state.bytes <= waitingBytes / 2 {
                        state.isReadDue = false
                        isReadDue = true
                    }
                    return .success(frame)
                }
                if let end = state.end { return end.map { nil } }
                guard state.waiter == nil else { return .failure(TransportError(.lost, "two tasks read one socket")) }
                state.waiter = continuation
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
        if isReadDue { readOn() }
        return result
    }
}
#endif

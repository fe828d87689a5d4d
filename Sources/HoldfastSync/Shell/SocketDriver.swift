/// One socket: a task that sends frames in their order, and one that reads.
final class SocketDriver: Sendable {
    private let frames: AsyncStream<OutgoingFrame>.Continuation
    private let task: Task<Void, Never>

    /// Runs a socket in a task.
    init(_ body: @escaping @Sendable (AsyncStream<OutgoingFrame>) async -> Void) {
        let (stream, frames) = AsyncStream<OutgoingFrame>.makeStream()
        self.frames = frames
        task = Task { await body(stream) }
    }

    /// Sends a frame after the earlier ones.
    func send(_ frame: OutgoingFrame) { frames.yield(frame) }

    /// Closes the socket.
    func end() {
        frames.finish()
        task.cancel()
    }
}

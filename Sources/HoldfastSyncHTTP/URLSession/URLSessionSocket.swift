#if Sync
internal import Foundation
internal import HoldfastStorage
internal import HoldfastSync

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A WebSocket of a session.
///
/// A frame is asked for when it is wanted, so that the service waits for a slow reader.
final class URLSessionSocket: RealtimeSocket {
    private let task: URLSessionWebSocketTask
    private let silence: Duration
    private let isClosed = Mutex(false)

    init(_ task: URLSessionWebSocketTask, silence: Duration) {
        self.task = task
        self.silence = silence
    }

    deinit { task.cancel() }

    func send(_ text: [UInt8]) async throws(TransportError) {
        if isClosed.load() { throw TransportError(.lost, "the socket is closed") }
        let failed = await withCheckedContinuation { continuation in
            task.send(.string(String(decoding: text, as: UTF8.self))) { continuation.resume(returning: $0 != nil) }
        }
        if failed { throw TransportError(.lost, "the connection was lost") }
    }

    func next() async throws(TransportError) -> [UInt8]? {
        let task = task
        let frame = await within(silence, "no frame from the service") {
            await withTaskCancellationHandler {
                .success(await Self.frame(of: task))
            } onCancel: {
                // Ends the reception.
                task.cancel()
            }
        }
        if isClosed.load() { return nil }
        if let frame = try frame.get() { return frame }
        // The code of the service's close frame.
        if task.closeCode != .invalid { return nil }
        throw TransportError(.lost, "the connection ended without a close frame, or sent what cannot be read")
    }

    /// The next frame; `nil` if the socket has failed or ended.
    private static func frame(of task: URLSessionWebSocketTask) async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            task.receive { result in
                switch result {
                case .success(.string(let text)): continuation.resume(returning: Array(text.utf8))
                case .success(.data(let data)): continuation.resume(returning: Array(data))
                case .success, .failure: continuation.resume(returning: nil)
                }
            }
        }
    }

    /// Closes the socket with a close frame.
    func close() async {
        isClosed.store(true)
        task.cancel(with: .normalClosure, reason: nil)
    }
}
#endif

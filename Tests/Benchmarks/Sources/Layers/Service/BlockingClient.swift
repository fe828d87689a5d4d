import Synchronization

/// One connection for asynchronous callers, who come one after the other; its calls block a thread of its own.
final class BlockingClient: Sendable {
    private let port: Int
    private let socket = Mutex<LoopbackSocket?>(nil)

    init(port: Int) { self.port = port }

    @Sendable func post(_ body: [UInt8]) async throws -> [UInt8] {
        let answer = Mutex<[UInt8]>([])
        try await onThreads(1) { [self] _ in
            let bytes = try socket.withLock { socket in
                let open = try socket ?? LoopbackSocket(port: port)
                socket = open
                return try open.post(body)
            }
            answer.withLock { $0 = bytes }
        }
        return answer.withLock { $0 }
    }
}

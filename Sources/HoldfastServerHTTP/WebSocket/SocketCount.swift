#if Server
import HoldfastStorage
import NIOCore

/// How many WebSockets are open.
///
/// Sockets stay open for hours. If they had all connections, no request would be accepted, not even one that asks
/// whether the process is ready.
final class SocketCount: Sendable {
    private let count = Mutex(0)
    private let limit: Int

    /// Begins with none; a tenth of the connections is for requests.
    init(connectionLimit: Int) { limit = connectionLimit - connectionLimit / 10 }

    /// Whether another socket would be one too many.
    var isFull: Bool { count.load() >= limit }

    /// Counts a socket until it is closed.
    func add(_ channel: any Channel) {
        count.increment()
        channel.closeFuture.whenComplete { _ in self.count.withLock { $0 -= 1 } }
    }
}
#endif

import Crypto
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A server on this machine that costs next to nothing beside its clients: it gives every request the same answer, and
/// accepts WebSockets on which nothing happens.
final class FixedServer: Sendable {
    /// Where it listens.
    let port: Int
    private let listener: Int32
    private let answer: [UInt8]
    /// The open WebSockets; they have no thread, so that the memory they take is that of their clients.
    private let idle = Mutex<[Int32]>([])

    /// Starts to listen on a free port.
    ///
    /// - Parameter body: The body of every answer.
    /// - Throws: ``RawError`` if the server cannot listen.
    init(answer body: [UInt8]) throws {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: \(body.count)\r\n\r\n"
        answer = Array(head.utf8) + body
        listener = socket(AF_INET, streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let status = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) | listen(listener, 1_024) | getsockname(listener, address, &size)
            }
        }
        guard status == 0 else { throw RawError(description: "nothing can listen: error \(errno)") }
        port = Int(in_port_t(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in accept() }
    }

    /// Ends all connections.
    func end() {
        _ = shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        for descriptor in idle.withLock({ $0 }) { close(descriptor) }
    }

    private func accept() {
        while true {
            #if canImport(Glibc)
            let descriptor = Glibc.accept(listener, nil, nil)
            #elseif canImport(Musl)
            let descriptor = Musl.accept(listener, nil, nil)
            #else
            let descriptor = Darwin.accept(listener, nil, nil)
            #endif
            guard descriptor >= 0 else { return }
            var yes: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
            var connection = FixedConnection(descriptor: descriptor)
            // A client sends its first request as soon as it is connected.
            guard let head = connection.request() else {
                close(descriptor)
                continue
            }
            if let acceptance = Self.acceptance(of: head) {
                connection.write(acceptance)
                idle.withLock { $0.append(descriptor) }
            } else {
                let first = connection
                Thread.detachNewThread { [answer] in
                    var connection = first
                    repeat { connection.write(answer) } while connection.request() != nil
                    close(connection.descriptor)
                }
            }
        }
    }

    /// The answer to a request for a WebSocket; `nil` for another request.
    private static func acceptance(of head: String) -> [UInt8]? {
        let key = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key:") }?
            .split(separator: ":").last?.trimmingPrefix(" ")
        guard let key else { return nil }
        let hash = Insecure.SHA1.hash(data: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return Array(
            """
            HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
            sec-websocket-protocol: graphql-ws\r\nsec-websocket-accept: \(Data(hash).base64EncodedString())\r\n\r\n
            """.utf8)
    }
}

/// The server's end of a connection.
private struct FixedConnection: Sendable {
    let descriptor: Int32
    private var unread: [UInt8] = []

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Reads a request to its end; the lines before its body, or `nil` at the end of the connection.
    mutating func request() -> String? {
        while true {
            if let end = unread.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: unread[..<end.upperBound], as: UTF8.self)
                let length = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                    .flatMap { Int($0.split(separator: ":").last?.trimmingPrefix(" ") ?? "") }
                let size = end.upperBound + (length ?? 0)
                while unread.count < size { guard fill() else { return nil } }
                unread.removeFirst(size)
                return head
            }
            guard fill() else { return nil }
        }
    }

    private mutating func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        unread += chunk[..<count]
        return true
    }

    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, noSignal) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

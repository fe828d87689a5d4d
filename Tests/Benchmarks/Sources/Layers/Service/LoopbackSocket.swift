import Foundation

#if canImport(Glibc)
import Glibc
let streamType = Int32(SOCK_STREAM.rawValue)
let noSignal = Int32(MSG_NOSIGNAL)
#elseif canImport(Musl)
import Musl
let streamType = SOCK_STREAM
let noSignal = MSG_NOSIGNAL
#elseif canImport(Darwin)
import Darwin
let streamType = SOCK_STREAM
let noSignal: Int32 = 0
#endif

/// A blocking socket to a server on this machine, which costs next to nothing beside what the server does.
///
/// Used by one thread at a time.
final class LoopbackSocket {
    /// The system's number of the socket.
    let descriptor: Int32
    private var unread: [UInt8] = []
    private var chunk: [UInt8]

    /// Connects to a port.
    ///
    /// - Parameters:
    ///   - port: The port of a server on this machine.
    ///   - chunkByteCount: How much is read at once at most.
    /// - Throws: ``RawError`` if the connection fails.
    init(port: Int, chunkByteCount: Int = 1 << 18) throws {
        chunk = [UInt8](repeating: 0, count: chunkByteCount)
        descriptor = socket(AF_INET, streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw RawError(description: "no connection to port \(port): error \(errno)") }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Takes over a socket.
    init(descriptor: Int32) {
        chunk = [UInt8](repeating: 0, count: 1 << 12)
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Two sockets that are connected with each other.
    static func pair() throws -> (LoopbackSocket, LoopbackSocket) {
        var descriptors: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, streamType, 0, &descriptors) == 0 else {
            throw RawError(description: "no pair of sockets: error \(errno)")
        }
        return (LoopbackSocket(descriptor: descriptors[0]), LoopbackSocket(descriptor: descriptors[1]))
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, noSignal) }
            guard count > 0 else { throw RawError(description: "a socket cannot be written: error \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits for bytes, and adds them to those not yet taken.
    func fill() throws {
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { throw RawError(description: "a socket was closed: error \(errno)") }
        unread.append(contentsOf: chunk[..<count])
    }

    // MARK: - HTTP

    /// Sends a request to the endpoint and waits for the answer.
    func post(_ body: [UInt8]) throws -> [UInt8] {
        try write(Self.request(body))
        while true {
            if let answer = try takeAnswer() { return answer }
            try fill()
        }
    }

    /// A request to the endpoint.
    static func request(_ body: [UInt8]) -> [UInt8] {
        Array(
            """
            POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
            x-api-key: \(ErrandService.key)\r\nContent-Length: \(body.count)\r\n\r\n
            """.utf8) + body
    }

    /// The body of the next answer, once all of it was read.
    func takeAnswer() throws -> [UInt8]? {
        guard let start = bodyStart else { return nil }
        guard let status = number(after: Self.version, before: start),
            let length = number(after: Self.length, before: start)
        else { throw RawError(description: "an answer without a length: \(text(before: start))") }
        guard unread.count >= start + length else { return nil }
        let body = Array(unread[start..<start + length])
        unread.removeFirst(start + length)
        try ErrandService.check(status, body)
        return body
    }

    private static let version = Array("http/1.1 ".utf8)
    private static let length = Array("\ncontent-length: ".utf8)

    /// Where the body begins that follows the first empty line.
    private var bodyStart: Int? {
        let end = Array("\r\n\r\n".utf8)
        return unread.withUnsafeBufferPointer { bytes in
            guard bytes.count >= end.count else { return nil }
            return (0...bytes.count - end.count).first { start in
                bytes[start] == end[0] && end.indices.allSatisfy { bytes[start + $0] == end[$0] }
            }.map { $0 + end.count }
        }
    }

    private func text(before end: Int) -> String { String(decoding: unread[..<end], as: UTF8.self) }

    /// The number after some bytes, which are in lower case, in what was read up to a place.
    private func number(after name: [UInt8], before end: Int) -> Int? {
        unread.withUnsafeBufferPointer { bytes in
            guard end >= name.count else { return nil }
            let index = (0...end - name.count).first { start in
                name.indices.allSatisfy { bytes[start + $0] == name[$0] || bytes[start + $0] | 0x20 == name[$0] }
            }
            guard let index else { return nil }
            let digits = bytes[(index + name.count)..<end].prefix { (0x30...0x39).contains($0) }
            return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1 & 0xF) }
        }
    }

    // MARK: - WebSockets

    /// Opens a WebSocket and subscribes to every change.
    func subscribe() throws {
        try write(
            Array(
                """
                GET /graphql/realtime HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\
                Sec-WebSocket-Protocol: graphql-ws\r\nx-api-key: \(ErrandService.key)\r\n\r\n
                """.utf8))
        while true {
            if let start = bodyStart {
                guard number(after: Self.version, before: start) == 101 else {
                    throw RawError(description: "no WebSocket: \(text(before: start))")
                }
                unread.removeFirst(start)
                break
            }
            try fill()
        }
        try write(Self.frame(ErrandFrames.initialization))
        try write(Self.frame(ErrandFrames.start))
        while true {
            while let frame = takeFrame() {
                let text = String(decoding: frame, as: UTF8.self)
                if text.contains("start_ack") { return }
                if text.contains("\"error\"") { throw RawError(description: "no subscription: \(text)") }
            }
            try fill()
        }
    }

    /// The content of the next frame, once all of it was read.
    private func takeFrame() -> [UInt8]? {
        guard unread.count >= 2 else { return nil }
        var (start, length) = (2, Int(unread[1] & 0x7F))
        let extra = length == 126 ? 2 : length == 127 ? 8 : 0
        if extra > 0 {
            guard unread.count >= 2 + extra else { return nil }
            length = unread[2..<2 + extra].reduce(0) { $0 << 8 | Int($1) }
            start += extra
        }
        guard unread.count >= start + length else { return nil }
        defer { unread.removeFirst(start + length) }
        return Array(unread[start..<start + length])
    }

    private static let keepAlive = Array(#"{"type":"ka"}"#.utf8)

    /// Takes the frames that were read up to one that is not a keep-alive; `false` without one.
    func takeEvent() -> Bool {
        while let frame = takeFrame() {
            if frame != Self.keepAlive { return true }
        }
        return false
    }

    /// A text frame of a client, with a mask that changes nothing.
    private static func frame(_ text: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            text.count < 126
            ? [0x80 | UInt8(text.count)] : [0x80 | 126, UInt8(text.count >> 8), UInt8(text.count & 0xFF)]
        return [0x81] + length + [0, 0, 0, 0] + text
    }

    /// A text frame of a server.
    static func serverFrame(_ text: [UInt8]) -> [UInt8] {
        [0x81, 126, UInt8(text.count >> 8), UInt8(text.count & 0xFF)] + text
    }
}

extension LoopbackSocket {
    /// Lets the process have as many files open as the system permits.
    static func raiseLimit() {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        getrlimit(resource, &limit)
        limit.rlim_cur = min(limit.rlim_max, 10_240)
        setrlimit(resource, &limit)
    }
}

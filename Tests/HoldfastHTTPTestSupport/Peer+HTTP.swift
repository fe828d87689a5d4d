#if Sync
import Crypto
import Foundation

/// A request of HTTP.
package struct ReceivedRequest: Sendable {
    /// Such as `POST /graphql HTTP/1.1`.
    package var line: String
    /// By name in lower case; of several with one name the last.
    package var headers: [String: String]
    package var body: [UInt8] = []

    package init(head: String) {
        var lines = head.split(separator: "\r\n")
        line = lines.isEmpty ? "" : String(lines.removeFirst())
        headers = [:]
        for header in lines {
            let parts = header.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
    }
}

extension Peer {
    /// The next request with its body.
    package func request() async throws -> ReceivedRequest {
        var request = ReceivedRequest(head: try await readHead())
        request.body = try await read(Int(request.headers["content-length"] ?? "") ?? 0)
        return request
    }

    /// Answers with a body of known length.
    package func respond(_ status: Int, headers: [String] = [], body: [UInt8] = Array("{}".utf8)) async throws {
        let lines = ["HTTP/1.1 \(status) Because", "content-length: \(body.count)"] + headers
        try await write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    // MARK: - WebSocket

    /// Reads the request for a socket, and accepts it.
    ///
    /// - Parameters:
    ///   - subprotocol: The protocol that is chosen.
    ///   - extra: Bytes sent together with the acceptance.
    /// - Returns: The request.
    /// - Throws: An error if the connection ends before the request is read or the acceptance is written.
    @discardableResult
    package func acceptSocket(
        subprotocol: String = "graphql-ws", extra: [UInt8] = []
    ) async throws -> ReceivedRequest {
        let request = try await request()
        let key = (request.headers["sec-websocket-key"] ?? "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        let accept = Data(Insecure.SHA1.hash(data: Array(key.utf8))).base64EncodedString()
        let head =
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            + "sec-websocket-accept: \(accept)\r\nsec-websocket-protocol: \(subprotocol)\r\n\r\n"
        try await write(Array(head.utf8) + extra)
        return request
    }

    /// The next frame of the client, unmasked.
    package func frame() async throws -> (opcode: UInt8, payload: [UInt8]) {
        let head = try await read(2)
        var count = Int(head[1] & 0x7F)
        if count == 126 { count = try await read(2).reduce(0) { $0 << 8 | Int($1) } }
        if count == 127 { count = try await read(8).reduce(0) { $0 << 8 | Int($1) } }
        // A client must mask.
        guard head[1] & 0x80 != 0 else { throw Gone() }
        let mask = try await read(4)
        let payload = try await read(count).enumerated().map { $0.element ^ mask[$0.offset % 4] }
        return (head[0] & 0x0F, payload)
    }

    /// Sends a frame.
    package func send(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) async throws {
        try await write(Self.frame(opcode, payload, isFinal: isFinal))
    }

    /// Sends a frame of text.
    package func send(_ text: String) async throws { try await send(1, Array(text.utf8)) }

    /// The bytes of a server's frame.
    package static func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        var head: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
        switch payload.count {
        case ..<126: head.append(UInt8(payload.count))
        case ..<65_536: head += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            head.append(127)
            head += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        return head + payload
    }
}
#endif

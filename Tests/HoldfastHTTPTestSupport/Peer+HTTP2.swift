#if Sync
extension Peer {
    /// Accepts a connection of HTTP/2.
    package func acceptHTTP2() async throws {
        // What every client begins with.
        _ = try await read(24)
        try await write(Self.http2Frame(type: 4))
    }

    /// Reads up to the end of the next request, or until the client gives one up.
    ///
    /// - Returns: The number of its stream, and whether it was given up.
    package func nextStream() async throws -> (number: UInt32, isReset: Bool) {
        while true {
            let head = try await read(9)
            let count: Int = head[0..<3].reduce(0) { $0 << 8 | Int($1) }
            _ = try await read(count)
            let (type, isFlagged) = (head[3], head[4] & 1 == 1)
            let number: UInt32 = head[5..<9].reduce(0) { $0 << 8 | UInt32($1) }
            switch type {
            // Its data or headers; the flag is that of the end.
            case 0, 1: if isFlagged { return (number, false) }
            case 3: return (number, true)
            // Settings; the flag is that of a confirmation.
            case 4: if !isFlagged { try await write(Self.http2Frame(type: 4, flags: 1)) }
            default: break
            }
        }
    }

    /// Answers a request of HTTP/2 with status 200.
    package func respond(on stream: UInt32, body: [UInt8] = Array("{}".utf8)) async throws {
        // The status as the table of HPACK has it; its flag is that of the last header.
        let headers = Self.http2Frame(type: 1, flags: 4, stream, [0x88])
        try await write(headers + Self.http2Frame(type: 0, flags: 1, stream, body))
    }

    private static func http2Frame(
        type: UInt8, flags: UInt8 = 0, _ stream: UInt32 = 0, _ payload: [UInt8] = []
    ) -> [UInt8] {
        bytes(of: payload.count, 3) + [type, flags] + bytes(of: Int(stream), 4) + payload
    }

    private static func bytes(of number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
#endif

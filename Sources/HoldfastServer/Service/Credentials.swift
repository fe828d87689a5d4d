import HoldfastWire

/// What a request or a frame brings to prove who sends it.
public struct Credentials: Sendable {
    /// The headers, by their names in lower case.
    public var headers: [String: String]
    /// The bytes that a signature covers.
    public var body: [UInt8]

    /// Creates credentials.
    public init(headers: [String: String], body: [UInt8] = []) {
        self.headers = headers
        self.body = body
    }

    /// The credentials of a request that opens a connection, from each of the three places where clients put them.
    ///
    /// - Parameters:
    ///   - headers: The headers, by their names in lower case.
    ///   - parameters: The parameters of the address.
    public init(headers: [String: String], parameters: [String: String]) {
        self.init(headers: headers, body: Array("{}".utf8))
        let protocols = (headers["sec-websocket-protocol"] ?? "").split { $0 == "," || $0 == " " }
        let carried =
            protocols.first { $0.hasPrefix("header-") }.map { String($0.dropFirst(7)) } ?? parameters["header"]
        guard let carried, carried.utf8.count <= Self.maximumByteCount, let bytes = Base64.bytes(carried),
            let object = try? WireValue(parsing: bytes).object
        else { return }
        for member in object.members { self.headers[member.name.lowercased()] = member.value.string }
    }

    private static let maximumByteCount = 64 << 10
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// The names of the headers; never what they say.
    public var description: String { "Credentials(\(headers.keys.sorted().joined(separator: ", ")))" }
    /// The names of the headers; never what they say.
    public var debugDescription: String { description }
}

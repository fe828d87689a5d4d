import HoldfastWire

/// A frame that a client sends.
enum ReceivedFrame: Sendable, Hashable {
    /// Begins the conversation.
    case initialize
    /// Starts a subscription: its name, the text of the request, and the headers that prove who sends it.
    case start(id: String, data: String, headers: [String: String])
    /// Ends a subscription.
    case stop(id: String)
    /// Anything else; with the name that it carries.
    case unknown(id: String?)

    /// How much JSON is read at most; the bytes are limited before.
    private static let limits = JSONLimits(bytes: .max, depth: 16, values: 10_000)
    private static let maximumIdentifierByteCount = 256

    /// Reads a frame.
    init(_ bytes: [UInt8]) {
        guard let frame = try? WireValue(parsing: bytes, limits: Self.limits) else {
            self = .unknown(id: nil)
            return
        }
        let id = frame["id"]?.string.flatMap { $0.utf8.count <= Self.maximumIdentifierByteCount ? $0 : nil }
        switch (frame["type"]?.string, id) {
        case ("connection_init", _): self = .initialize
        case ("stop", let id?): self = .stop(id: id)
        case ("start", let id?):
            guard let data = frame["payload"]?["data"]?.string else {
                self = .unknown(id: id)
                return
            }
            var headers: [String: String] = [:]
            for member in frame["payload"]?["extensions"]?["authorization"]?.object?.members ?? [] {
                headers[member.name.lowercased()] = member.value.string
            }
            self = .start(id: id, data: data, headers: headers)
        default: self = .unknown(id: id)
        }
    }
}

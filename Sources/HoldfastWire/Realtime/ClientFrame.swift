/// What a client sends over a socket.
public enum ClientFrame: Sendable, Hashable {
    /// Asks for the acknowledgement of the connection.
    case connectionInit
    /// Starts a subscription; the request is refused by the server, not here, if it is not a subscription.
    case start(id: String, operation: WireOperation, authorization: AuthHeaders)
    /// Ends a subscription.
    case stop(id: String)

    /// The text of the frame.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            switch self {
            case .connectionInit: writer.member("type", "connection_init")
            case .start(let id, let operation, let authorization):
                writer.member("id", id)
                writer.member("type", "start")
                writer.name("payload")
                writer.object { writer in
                    writer.member("data", String(decoding: operation.body, as: UTF8.self))
                    writer.name("extensions")
                    writer.object { writer in
                        writer.name("authorization")
                        writer.value(authorization.json)
                    }
                }
            case .stop(let id):
                writer.member("id", id)
                writer.member("type", "stop")
            }
        }
        return writer.bytes
    }
}

extension JSONWriter {
    /// Writes a member with a text.
    fileprivate mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }
}

/// What a service sends over a socket.
public enum ServerFrame: Sendable, Hashable {
    /// The connection is ready; without a frame for so many milliseconds it is lost. `nil` if the service says nothing.
    case connectionAck(timeoutMilliseconds: Int64?)
    /// The connection is alive.
    case keepAlive
    /// A subscription has started.
    case startAck(id: String)
    /// A subscription's event: the text of a response; see ``WireModel/record(_:limits:)``.
    case data(id: String, payload: [UInt8])
    /// A subscription has ended.
    case complete(id: String)
    /// A subscription was refused or failed; without an id the socket as a whole.
    case error(id: String?, errors: [ServiceError])
    /// The connection was refused, and the service will close the socket.
    case connectionError(errors: [ServiceError])
    /// A frame of an unknown type, which should be ignored.
    case unknown

    /// The text of the frame; of an unknown one an empty object.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            switch self {
            case .connectionAck(let timeout):
                writer.member("type", "connection_ack")
                guard let timeout else { return }
                writer.name("payload")
                writer.object { writer in
                    writer.name("connectionTimeoutMs")
                    writer.integer(timeout)
                }
            case .keepAlive: writer.member("type", "ka")
            case .startAck(let id): writer.frame("start_ack", id)
            case .data(let id, let payload):
                writer.frame("data", id)
                writer.name("payload")
                writer.raw(payload)
            case .complete(let id): writer.frame("complete", id)
            case .error(let id, let errors):
                writer.frame("error", id)
                writer.payload(errors)
            case .connectionError(let errors):
                writer.member("type", "connection_error")
                writer.payload(errors)
            case .unknown: break
            }
        }
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func frame(_ type: String, _ id: String?) {
        if let id { member("id", id) }
        member("type", type)
    }

    fileprivate mutating func payload(_ errors: [ServiceError]) {
        name("payload")
        object { writer in
            writer.name("errors")
            writer.array { writer in
                for error in errors {
                    writer.object { writer in
                        if let type = error.errorType { writer.member("errorType", type) }
                        writer.member("message", error.message)
                        if let code = error.errorCode {
                            writer.name("errorCode")
                            writer.integer(Int64(code))
                        }
                    }
                }
            }
        }
    }
}

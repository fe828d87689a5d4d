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

/// A client's frame that a server cannot carry out.
public struct ClientFrameError: Error, Sendable, Hashable {
    /// The subscription that is meant, if the frame says so.
    public var id: String?
    /// What is wrong.
    public var error: WireError
}

extension ClientFrame {
    /// Reads a frame.
    ///
    /// - Parameters:
    ///   - bytes: The text of the frame.
    ///   - limits: How much is read at most; the service takes 240 KiB, the default.
    /// - Throws: ``ClientFrameError``: `.unsupported` for a type that is not known, `.missing` or `.mismatch` for a
    ///   frame of a known type, `.syntax` or `.limit` for text that is not read.
    public init(
        parsing bytes: [UInt8], limits: JSONLimits = JSONLimits(bytes: 240 << 10, depth: 32, values: 10_000)
    ) throws(ClientFrameError) {
        let object: JSONObject
        do throws(WireError) {
            guard let value = try JSONValue(parsing: bytes, limits: limits).object else {
                throw WireError(.mismatch, "a value other than an object")
            }
            object = value
        } catch {
            throw ClientFrameError(id: nil, error: error)
        }
        let id = object["id"]?.string
        do throws(WireError) {
            guard let type = object["type"]?.string else { throw WireError(.missing, "no 'type'") }
            switch (type, id) {
            case ("connection_init", _): self = .connectionInit
            case ("start", let id?): self = try Self.start(id, object["payload"], limits)
            case ("stop", let id?): self = .stop(id: id)
            case ("start", nil), ("stop", nil): throw WireError(.missing, "no 'id'")
            default: throw WireError(.unsupported, "a type that is not known", path: "type")
            }
        } catch {
            throw ClientFrameError(id: id, error: error)
        }
    }

    private static func start(
        _ id: String, _ payload: JSONValue?, _ limits: JSONLimits
    ) throws(WireError) -> ClientFrame {
        guard let data = payload?["data"]?.string else { throw WireError(.missing, "no 'data'", path: "payload") }
        let authorization = payload?["extensions"]?["authorization"]?.object ?? JSONObject()
        do throws(WireError) {
            let operation = try WireOperation(parsing: Array(data.utf8), limits: limits)
            return .start(id: id, operation: operation, authorization: AuthHeaders(authorization))
        } catch {
            throw WireError(error.kind, error.description, path: "payload.data")
        }
    }
}

extension JSONWriter {
    /// Writes a member with a text.
    mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }
}

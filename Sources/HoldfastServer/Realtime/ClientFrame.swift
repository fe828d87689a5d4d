import HoldfastWire

/// A frame that a client sends.
enum ClientFrame: Sendable, Hashable {
    /// Begins the conversation.
    case initialize
    /// Starts a subscription: its name, the text of the request, and the headers that prove who sends it.
    case start(id: String, data: String, headers: [String: String])
    /// Ends a subscription.
    case stop(id: String)
    /// Anything else; with the name that it carries.
    case unknown(id: String?)

    /// How much JSON is read at most; the bytes are limited before.
    private static let limits = JSONLimits(bytes: 1 << 20, depth: 16, values: 10_000)
    private static let maximumIdentifierByteCount = 256

    /// Reads a frame.
    init(_ bytes: [UInt8]) {
        guard let frame = try? JSONValue(parsing: bytes, limits: Self.limits) else {
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

/// A frame that the service sends.
enum ServerFrame {
    /// Accepts the conversation.
    static func acknowledgement(timeout: Duration) -> JSONValue {
        [
            "type": "connection_ack",
            "payload": ["connectionTimeoutMs": .integer(timeout.components.seconds * 1000)],
        ]
    }

    /// Shows that the connection is alive.
    static let keepAlive: JSONValue = ["type": "ka"]

    /// Accepts a subscription.
    static func started(_ id: String) -> JSONValue { ["type": "start_ack", "id": .string(id)] }

    /// Ends a subscription.
    static func complete(_ id: String) -> JSONValue { ["type": "complete", "id": .string(id)] }

    /// Refuses a connection.
    static func refusal(_ refusal: Refusal) -> JSONValue {
        [
            "type": "connection_error",
            "payload": [
                "errors": [
                    [
                        "errorType": .string(refusal.type), "message": .string(refusal.message),
                        "errorCode": .integer(Int64(refusal.status)),
                    ]
                ]
            ],
        ]
    }

    /// Reports errors; without a name they concern the connection.
    static func error(_ id: String?, _ errors: [JSONValue]) -> JSONValue { error(id, payload: .array(errors)) }

    /// Reports one error as an object, as the service does for limits.
    static func limit(_ id: String?, _ type: String, _ message: String) -> JSONValue {
        error(id, payload: ["errorType": .string(type), "message": .string(message)])
    }

    private static func error(_ id: String?, payload: JSONValue) -> JSONValue {
        var frame = JSONObject()
        frame["type"] = "error"
        frame["id"] = id.map(JSONValue.string)
        frame["payload"] = ["errors": payload]
        return .object(frame)
    }

    /// The error of a request that the connection does not carry out.
    static let unsupported: JSONValue = [
        "errorType": "UnsupportedOperation", "message": "unknown not supported through the realtime channel",
    ]

    /// An error of a subscription.
    static func fault(_ fault: RequestFault) -> JSONValue {
        ["errorType": .string(fault.type ?? "BadRequestException"), "message": .string(fault.message)]
    }
}

import HoldfastWire

/// A frame that the service sends.
enum SentFrame {
    /// Accepts the conversation.
    static func acknowledgement(timeout: Duration) -> WireValue {
        [
            "type": "connection_ack",
            "payload": ["connectionTimeoutMs": .integer(timeout.components.seconds * 1000)],
        ]
    }

    /// Shows that the connection is alive.
    static let keepAlive: WireValue = ["type": "ka"]

    /// Accepts a subscription.
    static func started(_ id: String) -> WireValue { ["type": "start_ack", "id": .string(id)] }

    /// Ends a subscription.
    static func complete(_ id: String) -> WireValue { ["type": "complete", "id": .string(id)] }

    /// Refuses a connection.
    static func refusal(_ refusal: Refusal) -> WireValue {
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
    static func error(_ id: String?, _ errors: [WireValue]) -> WireValue { error(id, payload: .array(errors)) }

    /// Reports one error as an object, as the service does for limits.
    static func limit(_ id: String?, _ type: String, _ message: String) -> WireValue {
        error(id, payload: ["errorType": .string(type), "message": .string(message)])
    }

    private static func error(_ id: String?, payload: WireValue) -> WireValue {
        var frame = JSONObject()
        frame["type"] = "error"
        frame["id"] = id.map(WireValue.string)
        frame["payload"] = ["errors": payload]
        return .object(frame)
    }

    /// The error of a request that the connection does not carry out.
    static let unsupported: WireValue = [
        "errorType": "UnsupportedOperation", "message": "unknown not supported through the realtime channel",
    ]

    /// An error of a subscription.
    static func fault(_ fault: RequestFault) -> WireValue {
        ["errorType": .string(fault.type ?? "BadRequestException"), "message": .string(fault.message)]
    }
}

import HoldfastWire

/// What goes back over HTTP.
public struct ServerResponse: Sendable {
    /// The status of HTTP.
    public var status: Int
    /// The headers, by their names in lower case.
    public var headers: [String: String]
    /// The body; JSON.
    public var body: [UInt8]
    /// What was asked for; `nil` if the request was refused before that was known.
    package var operation: RequestedOperation?

    /// A response with status 200, with a result, which may have errors in it.
    init(body: [UInt8]) {
        status = 200
        headers = ["content-type": "application/json;charset=UTF-8", "cache-control": "no-store"]
        self.body = body
    }

    /// A refusal of a whole request.
    init(status: Int, type: String, message: String) {
        self.init(body: ServerResponse.refusal(type, message).bytes)
        self.status = status
        headers["x-amzn-errortype"] = type
    }

    /// The refusal of a request that has more bytes than a limit.
    package static func tooLarge(limit: Int) -> ServerResponse {
        ServerResponse(
            status: 413, type: "MalformedHttpRequestException",
            message: "The request has more than \(limit) bytes.")
    }

    /// The errors of a refusal.
    static func refusal(_ type: String, _ message: String) -> WireValue {
        ["errors": [["errorType": .string(type), "message": .string(message)]]]
    }
}

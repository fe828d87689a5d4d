import HoldfastWire
import Testing

/// Frames as clients and the service write them.
@Suite struct RealtimeTests {
    @Test(
        arguments: [
            (
                #"{"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}"#,
                .connectionAck(timeoutMilliseconds: 300_000)
            ),
            (#"{"type":"connection_ack"}"#, .connectionAck(timeoutMilliseconds: nil)),
            (#"{"type":"ka"}"#, .keepAlive),
            (#"{"id":"1","type":"start_ack"}"#, .startAck(id: "1")),
            (
                #"{"id":"1","type":"data","payload":{"data":{"onCreatePost":{"id":"p"}}}}"#,
                .data(id: "1", payload: bytes(#"{"data":{"onCreatePost":{"id":"p"}}}"#))
            ),
            (#"{"id":"1","type":"complete"}"#, .complete(id: "1")),
            (
                #"{"type":"error","payload":{"errors":[{"errorType":"UnsupportedOperation","message":"m"}]}}"#,
                .error(id: nil, errors: [ServiceError("m", errorType: "UnsupportedOperation")])
            ),
            (
                #"{"type":"connection_error","payload":{"errors":[{"errorType":"UnauthorizedException","message":"m","errorCode":400}]}}"#,
                .connectionError(errors: [ServiceError("m", errorType: "UnauthorizedException", errorCode: 400)])
            ),
        ] as [(String, ServerFrame)])
    func serverFrameIsRead(text: String, frame: ServerFrame) throws {
        #expect(try ServerFrame(parsing: bytes(text)) == frame)
    }

    @Test(
        arguments: [
            (
                #"{"id":"u","type":"error","payload":{"errors":{"errorType":"MaxSubscriptionsReachedError","message":"Max number of 100 subscriptions reached"}}}"#,
                "u", .tooManySubscriptions
            ),
            (
                #"{"type":"error","payload":{"errors":{"errorType":"LimitExceededError","message":"Rate limit exceeded"}}}"#,
                nil, .throttled
            ),
            (
                #"{"id":"u","type":"error","payload":{"errorType":"MaxSubscriptionsReachedException","message":"m"}}"#,
                "u", .tooManySubscriptions
            ),
            (
                #"{"id":"u","type":"error","payload":{"errors":[{"errorType":"Unauthorized","message":"Not Authorized to access onCreateX on type Subscription"}]}}"#,
                "u", .unauthorized
            ),
        ] as [(String, String?, ServiceError.Kind)])
    func errorFramesOfEveryFormAreRead(text: String, id: String?, kind: ServiceError.Kind) throws {
        guard case .error(let frameID, let errors) = try ServerFrame(parsing: bytes(text)) else {
            Issue.record("not an error frame")
            return
        }
        #expect(frameID == id)
        #expect(errors.map(\.kind) == [kind])
    }

    @Test func framesOfOtherTypesAreUnknown() throws {
        #expect(try ServerFrame(parsing: bytes(#"{"type":"surprise","id":"1","payload":[{}]}"#)) == .unknown)
        #expect(try ServerFrame(parsing: bytes(#"{"type":"ka","id":null,"payload":null}"#)) == .keepAlive)
    }

    @Test(arguments: [
        ("{}", "no 'type'"), (#"{"type":"data","id":"1"}"#, "no 'payload'"),
        (#"{"type":"data","payload":{}}"#, "no 'id'"),
        (#"{"type":1}"#, "type: a number where a string is expected"), ("x", "byte 0: no value"),
        (#"{"type":"error","payload":{"errors":[1]}}"#, "payload.errors: a value where an error object is expected"),
    ])
    func brokenServerFrameIsRefused(text: String, message: String) {
        let error = #expect(throws: WireError.self) { try ServerFrame(parsing: bytes(text)) }
        #expect(error?.description == message)
    }

    /// The transport limits what is read.
    @Test func longServerFrameIsRead() throws {
        let payload = #"{"data":""# + String(repeating: "x", count: 2 << 20) + #""}"#
        let frame = try ServerFrame(parsing: bytes(#"{"type":"data","id":"1","payload":"# + payload + "}"))
        #expect(frame == .data(id: "1", payload: bytes(payload)))
    }

    @Test func startIsWritten() {
        let operation = WireOperation("subscription OnCreatePost { onCreatePost { id } }", variables: ["a": "\"x\""])
        let frame = ClientFrame.start(id: "1", operation: operation, authorization: .token("jwt", host: "h"))
        #expect(
            String(decoding: frame.bytes, as: UTF8.self) == #"{"id":"1","type":"start","payload":{"data":"#
                + #""{\"query\":\"subscription OnCreatePost { onCreatePost { id } }\",\"variables\":{\"a\":\"\\\"x\\\"\"}}","#
                + #""extensions":{"authorization":{"Authorization":"jwt","host":"h"}}}}"#)
    }

    @Test(
        arguments: [
            (.connectionInit, #"{"type":"connection_init"}"#), (.stop(id: "7"), #"{"id":"7","type":"stop"}"#),
        ] as [(ClientFrame, String)])
    func clientFrameIsWritten(frame: ClientFrame, text: String) {
        #expect(String(decoding: frame.bytes, as: UTF8.self) == text)
    }
}

@Suite struct AuthHeadersTests {
    private let key = AuthHeaders.apiKey("da2-secret", host: "127.0.0.1:18443", date: "20240229T120000Z")

    @Test func headersAreInThreePlaces() throws {
        #expect(
            key.json.text == #"{"host":"127.0.0.1:18443","x-amz-date":"20240229T120000Z","x-api-key":"da2-secret"}"#)
        #expect(
            key.queryParameter
                == "eyJob3N0IjoiMTI3LjAuMC4xOjE4NDQzIiwieC1hbXotZGF0ZSI6IjIwMjQwMjI5VDEyMDAwMFoiLCJ4LWFwaS1"
                + "rZXkiOiJkYTItc2VjcmV0In0=")
        #expect(try AuthHeaders(queryParameter: key.queryParameter) == key)
        #expect(key.subprotocol.hasPrefix("header-eyJob3N0"))
        #expect(!key.subprotocol.hasSuffix("="))
        #expect(try AuthHeaders(subprotocol: key.subprotocol) == key)
        #expect(try AuthHeaders(subprotocol: "graphql-ws") == nil)
        #expect(key["X-API-Key"] == "da2-secret")
    }

    @Test func secretsAreNotShown() {
        var dumped = ""
        dump(key, to: &dumped)
        let frame = ClientFrame.start(
            id: "1", operation: WireOperation("{a}", variables: ["v": "da2-secret"]), authorization: key)
        for text in [
            "\(key)", String(reflecting: key), dumped, "\(key.headers)", "\(frame)", String(reflecting: frame),
        ] {
            #expect(!text.contains("da2-secret"), "\(text)")
        }
    }

    @Test(arguments: ["!", "bnVsbA==", "eyJhIjox", "=", "e3=0"])
    func brokenHeaderParameterIsRefused(text: String) {
        #expect(throws: WireError.self) { try AuthHeaders(queryParameter: text) }
    }

    @Test func base64OfEveryLengthIsReadBack() throws {
        for length in 1..<70 {
            let headers = AuthHeaders([AuthHeaders.Header("a", String(repeating: "\u{FF}~?", count: length))])
            #expect(try AuthHeaders(queryParameter: headers.queryParameter) == headers)
            #expect(try AuthHeaders(subprotocol: headers.subprotocol) == headers)
        }
    }

    @Test(arguments: [
        (
            "https://abcdefghijklmnopqrstuvwxyz.appsync-api.eu-west-1.amazonaws.com/graphql",
            "wss://abcdefghijklmnopqrstuvwxyz.appsync-realtime-api.eu-west-1.amazonaws.com/graphql"
        ),
        (
            "https://abcdefghijklmnopqrstuvwxyz.appsync-api.cn-north-1.amazonaws.com.cn/graphql",
            "wss://abcdefghijklmnopqrstuvwxyz.appsync-realtime-api.cn-north-1.amazonaws.com.cn/graphql"
        ),
        ("https://api.example.com/graphql", "wss://api.example.com/graphql/realtime"),
        ("http://127.0.0.1:18443/graphql/", "ws://127.0.0.1:18443/graphql/realtime"),
        (
            "https://evil.example/x.appsync-api.eu-west-1.amazonaws.com",
            "wss://evil.example/x.appsync-api.eu-west-1.amazonaws.com/realtime"
        ),
    ])
    func socketBelongsToEndpoint(endpoint: String, socket: String) throws {
        #expect(try RealtimeAddress.socket(for: endpoint) == socket)
    }

    @Test(arguments: [
        "", "ftp://h/g", "https://", "https:///g", "https://h/g?a=1", "https://u@h/g", "https://h /g", "https://h/g#f",
    ])
    func otherAddressesAreRefused(endpoint: String) {
        #expect(throws: WireError.self) { try RealtimeAddress.socket(for: endpoint) }
    }
}

import Testing

@testable import HoldfastServer

/// Frames of clients that others have written.
struct ReceivedFrameTests {
    /// amplify-js puts its user agent among the headers; gql starts without variables and numbers its subscriptions.
    @Test(arguments: [
        (
            #"{"id":"8a1f","payload":{"data":"{\"query\":\"subscription operation { onCreatePost { id } }\",\"variables\":{}}","extensions":{"authorization":{"Authorization":"jwt","host":"h","x-amz-user-agent":"aws-amplify/6"}}},"type":"start"}"#,
            "8a1f", ["authorization", "host", "x-amz-user-agent"]
        ),
        (
            #"{"id": "1", "type": "start", "payload": {"data": "{\"query\":\"subscription { onCreatePost { id } }\"}", "extensions": {"authorization": {"host": "h", "x-amz-date": "20240229T120000Z", "x-api-key": "k"}}}}"#,
            "1", ["host", "x-amz-date", "x-api-key"]
        ),
    ])
    func startOfOtherClientsIsRead(frame: String, id: String, headers: [String]) {
        guard case .start(let read, let data, let received) = ReceivedFrame(Array(frame.utf8)) else {
            Issue.record("not a start frame")
            return
        }
        #expect(read == id)
        #expect(data.hasPrefix(#"{"query":"subscription"#))
        #expect(received.keys.sorted() == headers)
    }

    @Test(
        arguments: [
            (#"{"type":"connection_init"}"#, .initialize), (#"{"type":"connection_init","payload":{}}"#, .initialize),
            (#"{"type":"stop","id":"7"}"#, .stop(id: "7")), (#"{"type":"stop"}"#, .unknown(id: nil)),
            (#"{"type":"start","id":"1"}"#, .unknown(id: "1")), (#"{"type":"fly","id":"2"}"#, .unknown(id: "2")),
            ("[]", .unknown(id: nil)), ("{", .unknown(id: nil)),
        ] as [(String, ReceivedFrame)])
    func frameIsRead(text: String, frame: ReceivedFrame) { #expect(ReceivedFrame(Array(text.utf8)) == frame) }
}

import HoldfastSync
import HoldfastWire
import Testing

@testable import AWSAPIPlugin

/// What a transport with interceptors makes of the answers of a session.
struct InterceptedTransportTests {
    private struct NoTransport: SyncTransport {
        func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
            throw TransportError(.unsent, "not meant to be used")
        }

        func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
            throw TransportError(.unsent, "not meant to be used")
        }
    }

    private static let answers: [([String: String], Duration?)] = [
        (["Retry-After": "7"], .seconds(7)),
        (["Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"], .seconds(30)),
        (["Retry-After": "999999999999"], .seconds(86_400)),
        (["Retry-After": "soon"], nil),
        ([:], nil),
    ]

    @Test(arguments: answers)
    func retryAfterIsRead(_ headers: [String: String], _ expected: Duration?) async throws {
        let session = ScriptedSession { _ in ScriptedSession.Answer(status: 429, headers: headers) }
        let transport = InterceptedTransport(
            base: NoTransport(), url: "https://graph.test/graphql", http: HTTPRequests(session), interceptors: { [] })
        let response = try await transport.send(WireRequest(authorization: AuthHeaders(), body: []))
        #expect(response.status == 429 && response.retryAfter == expected)
    }
}

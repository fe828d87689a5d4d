import AWSAPIPlugin
import Amplify
import HoldfastTestSupport
import HoldfastWire
import Testing

private typealias Events = AmplifyAsyncThrowingSequence<GraphQLSubscriptionEvent<String>>

extension AmplifyAsyncThrowingSequence where Element == GraphQLSubscriptionEvent<String> {
    /// The next event as text.
    fileprivate func next() async throws -> String {
        for try await event in self {
            switch event {
            case .connection(let state): return "\(state)"
            case .data(.success(let data)): return data
            case .data(.failure): return "failure"
            }
        }
        return "end"
    }
}

struct SubscriptionTests {
    private func subscribe(to service: ScriptedService) throws -> Events {
        let plugin = AWSAPIPlugin(sessionFactory: service)
        try plugin.configure(using: outputs(TestService.outputs))
        return plugin.subscribe(
            request: GraphQLRequest<String>(document: "subscription { onCreatePost { id } }", responseType: String.self)
        )
    }

    /// Opens the first connection.
    private func connect(_ events: Events, _ socket: ScriptedSocket) async throws {
        socket.put(.connectionAck(timeoutMilliseconds: 60_000), .startAck(id: "1"))
        #expect(try await events.next() == "connecting")
        #expect(try await events.next() == "connected")
    }

    @Test(
        arguments: [
            (ServerFrame.error(id: "1", errors: [ServiceError("no", errorType: "Unauthorized")]), ": Unauthorized"),
            (ServerFrame.error(id: "1", errors: [ServiceError("no", errorType: "BadRequestException")]), ""),
            (
                ServerFrame.connectionError(errors: [ServiceError("no", errorType: "UnauthorizedException")]),
                ": Unauthorized"
            ),
        ]) func aRefusedSubscriptionFails(frame: ServerFrame, reason: String) async throws
    {
        let service = ScriptedService()
        let events = try subscribe(to: service)
        try await service.socket(0).put(.connectionAck(timeoutMilliseconds: nil), frame)
        #expect(try await events.next() == "connecting")
        await #expect {
            try await events.next()
        } throws: { error in
            guard case .operationError(let text, _, let cause)? = error as? APIError,
                case .error(let errors)? = cause as? GraphQLResponseError<String>
            else { return false }
            return text == "Subscription item event failed with error" + reason && errors.map(\.message) == ["no"]
        }
    }

    @Test func cancellingDisconnects() async throws {
        let service = ScriptedService()
        let events = try subscribe(to: service)
        try await connect(events, service.socket(0))
        events.cancel()
        #expect(try await events.next() == "disconnected")
        #expect(try await events.next() == "end")
    }
}

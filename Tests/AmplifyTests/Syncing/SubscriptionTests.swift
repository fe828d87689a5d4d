import AWSAPIPlugin
import Amplify
import Foundation
import HoldfastTestSupport
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
    private func plugin(of service: ScriptedService) throws -> AWSAPIPlugin {
        let plugin = AWSAPIPlugin(sessionFactory: service)
        try plugin.configure(using: outputs(TestService.outputs))
        return plugin
    }

    private func subscribe(to service: ScriptedService) throws -> Events { subscribe(with: try plugin(of: service)) }

    private func subscribe(with plugin: AWSAPIPlugin) -> Events {
        plugin.subscribe(
            request: GraphQLRequest<String>(document: "subscription { onCreatePost { id } }", responseType: String.self)
        )
    }

    /// Accepts a subscription.
    private func accept(_ events: Events, on socket: ScriptedSocket) async throws {
        #expect(try await events.next() == "connecting")
        socket.put(
            #"{"type":"connection_ack","payload":{"connectionTimeoutMs":60000}}"#, #"{"type":"start_ack","id":"1"}"#)
        #expect(try await events.next() == "connected")
    }

    /// A frame of the service with one error.
    private func refusal(_ head: String, _ type: String, _ message: String = "no") -> String {
        #"{\#(head),"payload":{"errors":[{"errorType":"\#(type)","message":"\#(message)"}]}}"#
    }

    @Test(arguments: [
        (#""type":"error","id":"1""#, "Unauthorized", ": Unauthorized"),
        (#""type":"error","id":"1""#, "BadRequestException", ""),
        (#""type":"connection_error""#, "UnauthorizedException", ": Unauthorized"),
    ])
    func aRefusedSubscriptionFails(head: String, type: String, reason: String) async throws {
        let service = ScriptedService()
        let events = try subscribe(to: service)
        try await service.socket(0).put(#"{"type":"connection_ack"}"#, refusal(head, type))
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

    /// A signature is of the text that is sent, to the byte.
    @Test func whatIsAuthorizedIsWhatIsSent() async throws {
        let service = ScriptedService()
        let plugin = try plugin(of: service)
        let request = GraphQLRequest<String>(
            document: "subscription A($b: String) { onCreatePost(url: $b) { id } }",
            variables: ["b": "https://example.com/\"é\u{2028}"], responseType: String.self)
        let events = plugin.subscribe(request: request)
        let socket = try await service.socket(0)
        try await accept(events, on: socket)
        let start = try #require(socket.sent.events.last)
        let payload = try #require(try JSONSerialization.jsonObject(with: Data(start)) as? [String: Any])["payload"]
        let sent = try #require((payload as? [String: Any])?["data"] as? String)
        #expect(service.authorized.events.last?.body == Array(sent.utf8))
        events.cancel()
    }

    @Test func aResetDisconnects() async throws {
        let service = ScriptedService()
        let plugin = try plugin(of: service)
        let events = subscribe(with: plugin)
        try await accept(events, on: service.socket(0))
        await plugin.reset()
        #expect(try await events.next() == "disconnected")
        #expect(try await events.next() == "end")
    }

    @Test func cancellingDisconnects() async throws {
        let service = ScriptedService()
        let events = try subscribe(to: service)
        try await accept(events, on: service.socket(0))
        events.cancel()
        #expect(try await events.next() == "disconnected")
        #expect(try await events.next() == "end")
    }

    @Test(arguments: [#""type":"connection_error""#, #""type":"error""#, #""type":"error","id":"1""#])
    func aLostConnectionIsOpenedAgain(head: String) async throws {
        let service = ScriptedService()
        let events = try subscribe(to: service)
        try await accept(events, on: service.socket(0))
        service.connectionsToLose.set(1)
        try await service.socket(0).close()
        try await service.socket(1).put(#"{"type":"connection_ack"}"#, refusal(head, "LimitExceededError", "later"))
        let socket = try await service.socket(2)
        try await accept(events, on: socket)
        socket.put(#"{"type":"data","id":"1","payload":{"data":{"onCreatePost":{"id":"p"}}}}"#)
        #expect(try await events.next() == #"{"onCreatePost":{"id":"p"}}"#)
        events.cancel()
    }

    @Test func connectionsThatEndSoonAreOpenedAgainMoreAndMoreSlowly() async throws {
        // Pauses of less than a second end at once, without the clock.
        let service = ScriptedService()
        let time = service.time
        let start = time.microseconds
        // Longer than the pauses, and shorter than the time in which a frame must come.
        let clock = Task {
            while !Task.isCancelled {
                await time.waitForSleeper(within: .seconds(14))
                time.advance(.seconds(14))
            }
        }
        let events = try subscribe(to: service)
        for number in 0..<7 {
            try await accept(events, on: service.socket(number))
            try await service.socket(number).close()
        }
        try await accept(events, on: service.socket(7))
        #expect(time.microseconds > start)
        events.cancel()
        clock.cancel()
    }

    @Test func aSilentConnectionIsOpenedAgain() async throws {
        let service = ScriptedService()
        let events = try subscribe(to: service)
        try await accept(events, on: service.socket(0))
        await service.time.waitForSleeper(within: .seconds(60))
        service.time.advance(.seconds(61))
        try await accept(events, on: service.socket(1))
        events.cancel()
    }

    /// Accepts a connection, but not the subscription, and shows for too long only that it is there.
    private func leaveUnanswered(_ number: Int, of service: ScriptedService) async throws {
        let socket = try await service.socket(number)
        socket.put(#"{"type":"connection_ack","payload":{"connectionTimeoutMs":60000}}"#)
        try await socket.sent.wait { socket.sent.events.count == 2 }
        for _ in 0..<3 {
            socket.put(#"{"type":"ka"}"#)
            await service.time.waitForSleeper(within: .seconds(15))
            service.time.advance(.seconds(5))
        }
    }

    @Test func aFirstSubscriptionThatIsNotAnsweredFails() async throws {
        let service = ScriptedService()
        let events = try subscribe(to: service)
        try await leaveUnanswered(0, of: service)
        #expect(try await events.next() == "connecting")
        await #expect(throws: APIError.self) { try await events.next() }
    }

    @Test func aSubscriptionThatIsNotAnsweredIsOpenedAgain() async throws {
        let service = ScriptedService()
        let events = try subscribe(to: service)
        try await accept(events, on: service.socket(0))
        try await service.socket(0).close()
        try await leaveUnanswered(1, of: service)
        try await accept(events, on: service.socket(2))
        events.cancel()
    }

    @Test func aConnectionIsOpenedAgainWithTheNetwork() async throws {
        let service = ScriptedService(shortestPause: .zero)
        let events = try subscribe(to: service)
        try await accept(events, on: service.socket(0))
        let network = try await service.network(0)
        for isUp in [true, false] { network.yield(isUp) }
        // The clock does not move, so only the network ends the pause.
        let paused = try await service.network(1)
        for isUp in [false, true] { paused.yield(isUp) }
        try await accept(events, on: service.socket(1))
        events.cancel()
    }

    @Test(arguments: [#""type":"connection_error""#, #""type":"error","id":"1""#])
    func aLostConnectionThatIsRefusedIsOpenedOnceMoreWithAnotherToken(head: String) async throws {
        let service = ScriptedService()
        service.tokens.set(3)
        let events = try subscribe(to: service)
        let frames = (#"{"type":"connection_ack"}"#, refusal(head, "UnauthorizedException"))
        for number in [0, 2] {
            try await accept(events, on: service.socket(number))
            try await service.socket(number).close()
            try await service.socket(number + 1).put(frames.0, frames.1)
        }
        try await service.socket(4).put(frames.0, frames.1)
        #expect(try await events.next() == "connecting")
        await #expect(throws: APIError.self) { try await events.next() }
    }

    @Test func aLostConnectionThatIsRefusedFailsWithoutAnotherToken() async throws {
        let service = ScriptedService()
        let events = try subscribe(to: service)
        try await accept(events, on: service.socket(0))
        try await service.socket(0).close()
        try await service.socket(1).put(
            refusal(#""type":"connection_error""#, "UnauthorizedException"))
        #expect(try await events.next() == "connecting")
        await #expect(throws: APIError.self) { try await events.next() }
    }

    @Test func aFirstConnectionThatIsLostFails() async throws {
        let service = ScriptedService()
        let events = try subscribe(to: service)
        try await service.socket(0).close()
        #expect(try await events.next() == "connecting")
        await #expect(throws: APIError.self) { try await events.next() }
    }
}

import AWSPluginsCore
import Amplify
import HoldfastStorage
import HoldfastSync
import HoldfastWire

/// One subscription on a socket of its own.
struct GraphQLSubscription<R: Decodable & Sendable>: Sendable {
    private static var id: String { "1" }

    let session: APISession
    let body: GraphQLBody<R>
    let events: AsyncThrowingStream<GraphQLSubscriptionEvent<R>, any Error>.Continuation

    /// Delivers changes until the service ends the subscription or the task is canceled.
    func run() async throws {
        events.yield(.connection(.connecting))
        let (socket, mode) = try await session.connect()
        let life = SocketLife()
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await life.watch() }
                group.addTask { try await receive(from: socket, mode, life) }
                defer { group.cancelAll() }
                do {
                    try await group.next()
                } catch {
                    await socket.close()
                    throw error
                }
                await socket.close()
            }
        } onCancel: {
            Task { await socket.close() }
        }
    }

    private func receive(from socket: any RealtimeSocket, _ mode: Int, _ life: SocketLife) async throws {
        try await send(.connectionInit, to: socket)
        while let text = try await next(of: socket) {
            life.prolong()
            guard let frame = try? ServerFrame(parsing: text) else { continue }
            switch frame {
            case .connectionAck(let timeout):
                life.limit(to: timeout.map { .milliseconds($0) })
                try await start(on: socket, mode)
            case .startAck: events.yield(.connection(.connected))
            case .data(_, let payload): events.yield(.data(body.response(payload)))
            case .error(_, let errors), .connectionError(let errors): throw refusal(errors)
            case .complete:
                events.yield(.connection(.disconnected))
                return
            case .keepAlive, .unknown: break
            }
        }
        throw APIError.networkError("The connection was lost.")
    }

    /// Why the service refuses the subscription, in the words of the original.
    private func refusal(_ errors: [ServiceError]) -> APIError {
        let isUnauthorized = errors.contains { $0.kind == .unauthorized || $0.kind == .tokenExpired }
        return .operationError(
            "Subscription item event failed with error" + (isUnauthorized ? ": Unauthorized" : ""),
            "See what the service says in the error behind this one.",
            GraphQLResponseError<R>.error(errors.map(GraphQLError.init)))
    }

    private func start(on socket: any RealtimeSocket, _ mode: Int) async throws {
        let request = AuthorizedRequest(.subscription, body: body.bytes)
        guard let headers = try await session.headers(mode, request) else { throw APIError.signedOut }
        let operation = try WireOperation(parsing: body.bytes)
        try await send(.start(id: Self.id, operation: operation, authorization: headers), to: socket)
    }

    private func send(_ frame: ClientFrame, to socket: any RealtimeSocket) async throws(APIError) {
        do throws(TransportError) {
            try await socket.send(frame.bytes)
        } catch {
            throw APIError(error)
        }
    }

    private func next(of socket: any RealtimeSocket) async throws(APIError) -> [UInt8]? {
        do throws(TransportError) {
            return try await socket.next()
        } catch {
            throw APIError(error)
        }
    }
}

/// Finds out that a socket is silent for too long.
private final class SocketLife: Sendable {
    private struct State {
        var heardAt = ContinuousClock.now
        var limit = Duration.seconds(15)
    }

    private let state = Mutex(State())

    /// A frame came.
    func prolong() { state.withLock { $0.heardAt = .now } }

    /// A frame comes at least so often; five minutes if the service does not say.
    func limit(to limit: Duration?) { state.withLock { $0.limit = limit ?? .seconds(300) } }

    /// Waits until no frame came for too long.
    ///
    /// - Throws: `APIError` `.networkError` then; `CancellationError`.
    func watch() async throws {
        while true {
            let end = state.withLock { $0.heardAt + $0.limit }
            if end <= .now { throw APIError.networkError("The service was silent for too long.") }
            try await Task.sleep(until: end, clock: .continuous)
        }
    }
}

extension GraphQLError {
    fileprivate init(_ error: ServiceError) {
        self.init(message: error.message, extensions: error.errorType.map { ["errorType": .string($0)] })
    }
}

import AWSPluginsCore
import Amplify
import HoldfastStorage
import HoldfastSync
import HoldfastWire

/// One subscription, on a socket of its own, and on another one when that is lost.
struct GraphQLSubscription<R: Decodable & Sendable>: Sendable {
    private static var id: String { "1" }

    let session: APISession
    let body: GraphQLBody<R>
    let events: AsyncThrowingStream<GraphQLSubscriptionEvent<R>, any Error>.Continuation

    /// Delivers changes until the service ends the subscription or the task is canceled.
    ///
    /// - Throws: `APIError` if the first connection fails or the service refuses the subscription; `CancellationError`.
    func run() async throws {
        var backoff = Backoff(seed: session.surroundings.random())
        var hasBeenAccepted = false
        // Whether another token was asked for since the service last accepted the subscription.
        var hasRenewed = false
        // Failures since the last connection that lived for long.
        var failureCount = 0
        events.yield(.connection(.connecting))
        while true {
            let life = SocketLife(session.surroundings)
            let failure: any Error
            do {
                return try await follow(life)
            } catch {
                failure = error
            }
            if life.hasStarted { (hasBeenAccepted, hasRenewed) = (true, false) }
            guard hasBeenAccepted, await isTemporary(failure, &hasRenewed) else {
                throw (failure as? ServiceRefusal)?.error ?? failure
            }
            if life.hasStarted { events.yield(.connection(.connecting)) }
            if life.hasLasted { failureCount = 0 }
            try await pause(backoff.delay(failureCount))
            failureCount += 1
        }
    }

    /// Whether the subscription may succeed later or, asked for once, with another token.
    private func isTemporary(_ failure: any Error, _ hasRenewed: inout Bool) async -> Bool {
        guard let refusal = failure as? ServiceRefusal else { return (failure as? APIError)?.isTemporary ?? false }
        guard let sent = refusal.unauthorized else { return refusal.isTemporary }
        if hasRenewed { return false }
        do {
            hasRenewed = try await session.authorization.renew(sent.mode, sent.request, sent.headers) != nil
            return hasRenewed
        } catch {
            // No other token was tried.
            return true
        }
    }

    /// Delivers changes from one socket, until the service ends the subscription.
    private func follow(_ life: SocketLife) async throws {
        let (socket, mode, headers) = try await session.connect()
        let opening = AuthorizedAttempt(mode: mode, request: .openingSocket, headers: headers)
        life.prolong()
        life.expectAnswer()
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await life.watch()
                    return false
                }
                group.addTask {
                    if await network(becomes: false) { throw APIError.networkError("The network was lost.") }
                    return false
                }
                group.addTask {
                    try await receive(from: socket, opening, life)
                    return true
                }
                defer { group.cancelAll() }
                do {
                    while let isOver = try await group.next(), !isOver {}
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

    /// Waits for a time, or until there is a network again.
    private func pause(_ delay: Duration) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await session.surroundings.sleep(delay)
                return true
            }
            group.addTask { await network(becomes: true) }
            defer { group.cancelAll() }
            while let isOver = try await group.next(), !isOver {}
        }
    }

    /// Waits until the network changes to a state.
    ///
    /// - Returns: `false` if nothing says what the network does.
    private func network(becomes isUp: Bool) async -> Bool {
        guard let changes = session.networkChanges else { return false }
        var wasUp = isUp
        for await isUpNow in changes() {
            if isUpNow == isUp, wasUp != isUp { return true }
            wasUp = isUpNow
        }
        return false
    }

    private func receive(
        from socket: any RealtimeSocket, _ opening: AuthorizedAttempt, _ life: SocketLife
    ) async throws {
        // What the service refuses, if it does.
        var sent = opening
        try await send(.connectionInit, to: socket)
        while let text = try await next(of: socket) {
            life.prolong()
            guard let frame = try? ServerFrame(parsing: text) else { continue }
            switch frame {
            case .connectionAck(let timeout):
                life.limit(to: timeout.map { .milliseconds($0) })
                sent = try await start(on: socket, opening.mode, life)
            case .startAck:
                life.start()
                events.yield(.connection(.connected))
            case .data(_, let payload): events.yield(.data(body.response(payload)))
            case .error(_, let errors), .connectionError(let errors): throw refusal(of: sent, errors)
            case .complete:
                events.yield(.connection(.disconnected))
                return
            case .keepAlive, .unknown: break
            }
        }
        throw APIError.networkError("The connection was lost.")
    }

    /// Why the service refuses what was sent, in the words of the original.
    private func refusal(of sent: AuthorizedAttempt, _ errors: [ServiceError]) -> ServiceRefusal {
        let isUnauthorized = errors.contains { $0.kind == .unauthorized || $0.kind == .tokenExpired }
        return ServiceRefusal(
            error: .operationError(
                "Subscription item event failed with error" + (isUnauthorized ? ": Unauthorized" : ""),
                "See what the service says in the underlying error.",
                GraphQLResponseError<R>.error(errors.map(GraphQLError.init))),
            isTemporary: errors.contains { $0.kind == .throttled || $0.kind == .serviceFailed },
            unauthorized: isUnauthorized ? sent : nil)
    }

    private func start(
        on socket: any RealtimeSocket, _ mode: Int, _ life: SocketLife
    ) async throws -> AuthorizedAttempt {
        // The operation is written once more, and what is signed must be what is sent.
        let operation = try WireOperation(parsing: body.bytes)
        let request = AuthorizedRequest(.subscription, body: operation.body)
        guard let headers = try await session.headers(mode, request) else { throw APIError.signedOut }
        life.expectAnswer()
        try await send(.start(id: Self.id, operation: operation, authorization: headers), to: socket)
        return AuthorizedAttempt(mode: mode, request: request, headers: headers)
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

/// A request with the headers that it had in a mode of authorization.
private struct AuthorizedAttempt {
    let mode: Int
    let request: AuthorizedRequest
    let headers: AuthHeaders
}

/// The service refused the connection or the subscription.
private struct ServiceRefusal: Error {
    /// What it says.
    let error: APIError
    /// Whether it may accept the same later.
    let isTemporary: Bool
    /// What it did not authorize; `nil` if it refused for another reason.
    let unauthorized: AuthorizedAttempt?
}

/// What happens on one socket: whether the subscription has started, and whether the socket is silent for too long.
private final class SocketLife: Sendable {
    private struct State {
        var lastFrameAt: Duration
        var limit = SocketLife.answerTime
        /// When the service must have answered what was sent; other frames do not prolong it.
        var answerBy: Duration?
        var startedAt: Duration?

        /// When the socket counts as lost.
        var end: Duration {
            let silenceEnd = lastFrameAt + limit
            return answerBy.map { min($0, silenceEnd) } ?? silenceEnd
        }
    }

    /// How long the service may take to accept the connection, and then the subscription.
    private static let answerTime = Duration.seconds(15)

    private let surroundings: Surroundings
    private let state: Mutex<State>

    init(_ surroundings: Surroundings) {
        self.surroundings = surroundings
        state = Mutex(State(lastFrameAt: surroundings.uptime()))
    }

    /// Whether the service has accepted the subscription.
    var hasStarted: Bool { state.withLock { $0.startedAt != nil } }

    /// Whether that was long ago: if connections end soon after they start, the pauses between them grow.
    var hasLasted: Bool {
        let now = surroundings.uptime()
        return state.withLock { state in state.startedAt.map { now - $0 >= Backoff.lastingTime } ?? false }
    }

    /// The service has accepted the subscription.
    func start() {
        let now = surroundings.uptime()
        state.withLock { ($0.startedAt, $0.answerBy) = (now, nil) }
    }

    /// A frame came, or the socket was opened.
    func prolong() { state.withLock { $0.lastFrameAt = surroundings.uptime() } }

    /// Something is sent that the service has to answer.
    func expectAnswer() {
        let end = surroundings.uptime() + Self.answerTime
        state.withLock { $0.answerBy = end }
    }

    /// The connection is accepted, and a frame comes at least so often; five minutes if the service does not say.
    func limit(to limit: Duration?) {
        state.withLock { ($0.limit, $0.answerBy) = (limit ?? .seconds(300), nil) }
    }

    /// Waits until no frame, or no answer, came for too long.
    ///
    /// - Throws: `APIError` `.networkError` then; `CancellationError`.
    func watch() async throws {
        while true {
            let (end, hasStarted) = state.withLock { ($0.end, $0.startedAt != nil) }
            let rest = end - surroundings.uptime()
            if rest <= .zero { throw APIError.networkError("The service did not answer for too long.") }
            // Until it has started, an answer may be expected from a later moment on, whose end must not be slept through.
            try await surroundings.sleep(hasStarted ? rest : min(rest, Self.answerTime))
        }
    }
}

extension GraphQLError {
    fileprivate init(_ error: ServiceError) {
        self.init(message: error.message, extensions: error.errorType.map { ["errorType": .string($0)] })
    }
}

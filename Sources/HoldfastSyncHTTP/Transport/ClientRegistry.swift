#if Sync
internal import AsyncHTTPClient
internal import HoldfastStorage
internal import NIOPosix

/// The clients of HTTP of a transport, until it ends: the one for new requests, and the one before it.
///
/// All requests to a service with HTTP/2 share a connection. After a change of network it may be dead without a sign of
/// it, and a client would use it until the system gives it up, a quarter of an hour later. So a client is replaced as
/// soon as one of its requests has no response in time.
final class ClientRegistry: Sendable {
    /// A client, which is shut down when the registry and all requests have released it.
    final class Client: Sendable {
        let http: HTTPClient

        init(_ settings: HTTPClient.Configuration) {
            http = HTTPClient(
                eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton), configuration: settings)
        }

        deinit { http.shutdown { _ in } }

        /// Closes its connections; its requests fail.
        func shutdown() async { try? await http.shutdown() }
    }

    private struct State {
        /// `nil` once the transport has ended.
        var current: Client?
        /// The client that was replaced last, while requests use it.
        ///
        /// The requests of those before it are over: a client is replaced when one of its own requests has used up its
        /// time, and theirs began earlier.
        weak var previous: Client?
    }

    private let settings: HTTPClient.Configuration
    private let state: Mutex<State>

    init(_ settings: HTTPClient.Configuration) {
        self.settings = settings
        state = Mutex(State(current: Client(settings)))
    }

    /// The client for a new request; `nil` once the transport has ended.
    var current: Client? { state.withLock { $0.current } }

    /// Replaces a client for later requests; those that use it go on.
    ///
    /// Does nothing if it was replaced before: of many requests that get no response, the first is enough.
    func replace(_ client: Client) {
        state.withLock { state in
            guard state.current === client else { return }
            state = State(current: Client(settings), previous: client)
        }
    }

    /// Ends; returns the clients that may have connections.
    func end() -> [Client] {
        state.withLock { state in
            defer { state = State() }
            return [state.current, state.previous].compactMap { $0 }
        }
    }
}
#endif

#if Sync
/// Where a service is, and how it is reached.
///
/// ``makeTransport()`` makes a transport from it, as do ``HTTPSyncTransport`` and ``URLSessionSyncTransport``. A
/// password of a proxy is not shown when the value is printed.
public struct HTTPSyncConfiguration: Sendable, Hashable {
    /// The address for GraphQL requests, for instance `https://api.example.com/graphql`.
    public var endpoint: String
    /// The address of the service's sockets, with `wss`, `ws`, `https`, or `http`.
    ///
    /// `nil`, the default, for the one that belongs to ``endpoint``: of AWS's own hosts the one with
    /// `appsync-realtime-api` in its name, elsewhere the same host with `/realtime` after the path.
    public var realtimeEndpoint: String?
    /// The timeouts.
    public var timeouts: Timeouts
    /// How much is read at most.
    public var limits: Limits
    /// Which certificates are trusted; those of the system by default.
    public var trustRoots: TrustRoots
    /// The proxy through which the service is reached; `nil`, the default, for none.
    public var proxy: Proxy?
    /// Where a request for a socket has its credentials; in the sub-protocol by default.
    public var credentialPlace: CredentialPlace
    /// The value of `User-Agent`; `holdfast` by default.
    public var userAgent: String

    /// Creates a configuration with the defaults that the properties name.
    ///
    /// - Parameters:
    ///   - endpoint: The address for GraphQL requests; ``HTTPSyncTransport`` checks it.
    ///   - realtimeEndpoint: The address of the service's sockets; `nil` for the one that belongs to `endpoint`.
    public init(endpoint: String, realtimeEndpoint: String? = nil) {
        self.endpoint = endpoint
        self.realtimeEndpoint = realtimeEndpoint
        timeouts = Timeouts()
        limits = Limits()
        trustRoots = .system
        credentialPlace = .subprotocol
        userAgent = "holdfast"
    }

    /// The timeouts.
    public struct Timeouts: Sendable, Hashable {
        /// Until a connection to the host, and TLS on it, is there; 10 seconds by default.
        public var connect: Duration
        /// Until a response is complete, from the call on; 30 seconds by default.
        public var request: Duration
        /// Until the service has accepted a socket, from its connection on; 10 seconds by default.
        public var handshake: Duration
        /// Without a byte on an open socket until it counts as lost; 5 minutes by default, as AppSync has it.
        ///
        /// The service may ask for less; the sync engine sees to that.
        public var silence: Duration
        /// For the service to confirm that a socket is closed; 2 seconds by default.
        public var close: Duration

        /// Creates timeouts with the defaults that the properties name.
        public init(
            connect: Duration = .seconds(10), request: Duration = .seconds(30), handshake: Duration = .seconds(10),
            silence: Duration = .seconds(300), close: Duration = .seconds(2)
        ) {
            self.connect = connect
            self.request = request
            self.handshake = handshake
            self.silence = silence
            self.close = close
        }
    }

    /// How much is read at most.
    public struct Limits: Sendable, Hashable {
        /// The bytes of a response, after it was unpacked; 16 MiB by default.
        public var responseBytes: Int
        /// The bytes of a frame, all of its fragments together; 1 MiB by default.
        public var frameBytes: Int
        /// The bytes of frames that wait to be taken; at more, nothing is read from the socket.
        ///
        /// 1 MiB by default.
        public var waitingBytes: Int
        /// How many connections carry requests at once if the service has no HTTP/2; 8 by default.
        public var connections: Int

        /// Creates limits with the defaults that the properties name.
        public init(
            responseBytes: Int = 16 << 20, frameBytes: Int = 1 << 20, waitingBytes: Int = 1 << 20,
            connections: Int = 8
        ) {
            self.responseBytes = responseBytes
            self.frameBytes = frameBytes
            self.waitingBytes = waitingBytes
            self.connections = connections
        }
    }

    /// Which certificates are trusted.
    public enum TrustRoots: Sendable, Hashable {
        /// Those that the system trusts.
        case system
        /// Only those of a file in PEM form, by its path.
        case file(String)
        /// Only these, in PEM form.
        case pem([UInt8])
    }

    /// Where a request for a socket has its credentials.
    ///
    /// AppSync and Holdfast's server read all three.
    public enum CredentialPlace: Sendable, Hashable {
        /// In `Sec-WebSocket-Protocol`, as amplify-js has it: no log of addresses contains them.
        case subprotocol
        /// In headers of their own, as amplify-swift has it.
        case headers
        /// In the address, as AppSync's guide and older clients have it.
        case query
    }

    /// A proxy that passes connections on when it is asked with `CONNECT`.
    ///
    /// It prints without its password.
    public struct Proxy: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The host.
        public var host: String
        /// The port.
        public var port: Int
        /// The user of the proxy; `nil` if it does not authenticate users.
        public var user: String?
        /// The password of ``user``.
        public var password: String?

        /// Creates a proxy; by default it does not authenticate users.
        public init(host: String, port: Int, user: String? = nil, password: String? = nil) {
            self.host = host
            self.port = port
            self.user = user
            self.password = password
        }

        /// The host and the port.
        public var description: String { "\(host):\(port)" }

        /// The host and the port.
        public var debugDescription: String { description }

        /// The host and the port, so that `dump` shows no more.
        public var customMirror: Mirror { Mirror(self, children: ["address": description]) }
    }
}

/// Why a configuration cannot be used.
public struct HTTPSyncConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, and what to write instead; without secrets.
    public var description: String

    init(_ description: String) { self.description = description }
}
#endif

/// Why there is no response, or no socket any longer.
public struct TransportError: Error, Sendable, Hashable {
    /// What is known of the request.
    public enum Kind: Sendable, Hashable {
        /// It never left this device: no network, no address, no connection.
        case unsent
        /// It may have arrived: the connection was lost or took too long.
        case lost
        /// The answer or a frame arrived, and has more bytes than the transport reads.
        case tooLong
        /// The service refused to open a socket for who asked.
        case unauthorized
    }

    /// What is known of the request.
    public var kind: Kind
    /// What happened, without values of requests.
    public var reason: String
    /// The error of which this one comes; `nil` if that is not known, or would show values of requests.
    public var underlyingError: (any Error)?

    /// Creates an error, by default one that comes of no other.
    public init(_ kind: Kind, _ reason: String, underlyingError: (any Error)? = nil) {
        self.kind = kind
        self.reason = reason
        self.underlyingError = underlyingError
    }

    /// Whether two errors say the same, of whatever errors they come.
    public static func == (first: TransportError, second: TransportError) -> Bool {
        first.kind == second.kind && first.reason == second.reason
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(reason)
    }
}

extension TransportError {
    /// What the sync core makes of it.
    var failure: ServiceFailure {
        switch kind {
        case .unsent: .unsent
        case .lost: .unknown(retryAfter: nil)
        case .tooLong: .tooLong(reason: reason)
        case .unauthorized: .unauthorized(isSignedOut: false)
        }
    }
}

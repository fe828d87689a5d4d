public import HoldfastModel
public import HoldfastWire

/// A request that must be authorized.
public struct AuthorizedRequest: Sendable {
    /// What sort of request it is.
    public enum Kind: Sendable, Hashable {
        /// A request over HTTP.
        case query
        /// A request for a socket.
        case socket
        /// The start of a subscription on a socket.
        case subscription
    }

    /// What sort of request it is.
    public var kind: Kind
    /// The body: of a subscription its document and variables, of a request for a socket `{}`.
    public var body: [UInt8]
    /// The model that it is about; `nil` for a request for a socket.
    public var model: WireModel?
    /// What it does with the model's records.
    public var operation: ModelOperation
    /// The user who made the change that it is about, as ``SyncAuthorization/identity`` said it; `nil` for a change of
    /// no one, and for a request that is not about a change.
    ///
    /// It must not be sent after the user has signed out, not even with a key: the service would take the change for
    /// one of no one.
    public var user: String?

    /// Creates a request; by default one that reads no particular model.
    public init(
        _ kind: Kind, body: [UInt8], model: WireModel? = nil, operation: ModelOperation = .read, user: String? = nil
    ) {
        self.kind = kind
        self.body = body
        self.model = model
        self.operation = operation
        self.user = user
    }

    /// The request for a socket.
    package static let openingSocket = AuthorizedRequest(.socket, body: Array("{}".utf8))
}

/// How a request is authorized in one mode.
public enum Authorization: Sendable, Hashable {
    /// With these headers.
    case headers(AuthHeaders)
    /// Not at all: the mode does not apply to it.
    case notOffered
    /// Not at all: no one is signed in, or a different user than the one for whom the store is synchronized.
    case signedOut
    /// Not yet: someone has signed in since the session began with no one, so it begins once more.
    case userChanged
    /// Not now: what is needed is not available at the moment.
    case unavailable
}

/// Why a request got no usable answer.
package enum ServiceFailure: Error, Sendable, Hashable {
    /// Whether the request was carried out is not known. The service may say when to ask again; a service that is too
    /// busy, and does not say so, counts as one that says at once.
    case unknown(retryAfter: Duration?)
    /// The answer is longer than the transport reads; in the transport's words.
    case tooLong(reason: String)
    /// The request never left.
    case unsent
    /// No credentials are available for the request in this mode of authorization.
    case notOffered
    /// It was refused in this mode of authorization.
    case unauthorized(isSignedOut: Bool)
    /// The service did not look at it, since it does not accept the credentials of this mode.
    case unauthenticated
    /// The service's schema lacks something that the request names, in the service's words; it may have it later.
    case schemaMismatch(message: String)
    /// It was refused permanently.
    case rejected(type: String, message: String)
}

extension ServiceFailure {
    /// Whether the request may be accepted in another mode of authorization.
    var isOfMode: Bool {
        switch self {
        case .notOffered, .unauthorized, .unauthenticated: true
        case .unknown, .tooLong, .unsent, .schemaMismatch, .rejected: false
        }
    }

    /// Whether another attempt may succeed at once: the request was not sent, or there was no usable answer, and the
    /// service does not say after how long to ask again.
    var mayPass: Bool { [.unsent, .unknown(retryAfter: nil), .unknown(retryAfter: .zero)].contains(self) }
}

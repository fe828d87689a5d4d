/// Why a request got no usable answer.
package enum ServiceFailure: Error, Sendable, Hashable {
    /// Whether the request was carried out is not known. The service may say when to ask again.
    case unknown(retryAfter: Duration?)
    /// There is an answer, and the transport does not read so long ones; in the transport's words.
    case tooLong(reason: String)
    /// The request never left.
    case unsent
    /// It was refused in this mode of authorization.
    case unauthorized(isSignedOut: Bool)
    /// It was refused permanently.
    case rejected(type: String, message: String)
}

/// Why something about the user failed.
public enum AuthError: AmplifyError {
    /// The plug-in is not set up as it has to be.
    case configuration(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The identity provider refused.
    case service(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// Anything else.
    case unknown(ErrorDescription, (any Error)? = nil)
    /// A field has a value that it may not have.
    case validation(String, ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The user may not do it.
    case notAuthorized(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// It is not possible at this point.
    case invalidState(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// No one is signed in.
    case signedOut(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The user has to sign in again.
    case sessionExpired(ErrorDescription, RecoverySuggestion, (any Error)? = nil)

    private var parts: (ErrorDescription, RecoverySuggestion, (any Error)?) {
        switch self {
        case .configuration(let description, let suggestion, let error),
            .service(let description, let suggestion, let error),
            .validation(_, let description, let suggestion, let error),
            .notAuthorized(let description, let suggestion, let error),
            .invalidState(let description, let suggestion, let error),
            .signedOut(let description, let suggestion, let error),
            .sessionExpired(let description, let suggestion, let error):
            (description, suggestion, error)
        case .unknown(let description, let error): (description, "See the underlying error.", error)
        }
    }

    /// What went wrong.
    public var errorDescription: ErrorDescription { parts.0 }
    /// What can be done about it.
    public var recoverySuggestion: RecoverySuggestion { parts.1 }
    /// The underlying error.
    public var underlyingError: (any Error)? { parts.2 }

    /// Creates an error around another; one of the same type stays as it is.
    public init(
        errorDescription: ErrorDescription = "The user could not be authorized.",
        recoverySuggestion: RecoverySuggestion = "See the underlying error.", error: any Error
    ) {
        if let error = error as? AuthError {
            self = error
        } else {
            self = .service(errorDescription, recoverySuggestion, error)
        }
    }
}

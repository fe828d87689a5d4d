#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Why a request to a service failed.
public enum APIError: AmplifyError {
    /// What else can be said about an error.
    public typealias UserInfo = [String: any Sendable]
    /// A status of HTTP.
    public typealias StatusCode = Int

    /// Anything else.
    case unknown(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The plug-in is not set up as it has to be.
    case invalidConfiguration(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The address is not a URL.
    case invalidURL(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The request could not be carried out.
    case operationError(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The service cannot be reached, or the connection was lost.
    case networkError(ErrorDescription, UserInfo? = nil, (any Error)? = nil)
    /// The service answered with another status than success.
    ///
    /// `AWSAPIPlugin` puts an `AWSHTTPURLResponse` here, which has the body.
    case httpStatusError(StatusCode, HTTPURLResponse)
    /// Another plug-in failed.
    case pluginError(any AmplifyError)

    /// What went wrong.
    public var errorDescription: ErrorDescription {
        switch self {
        case .unknown(let text, _, _), .invalidConfiguration(let text, _, _), .invalidURL(let text, _, _),
            .operationError(let text, _, _), .networkError(let text, _, _):
            text
        case .httpStatusError(let status, _): "The service answered with the status \(status)."
        case .pluginError(let error): error.errorDescription
        }
    }

    /// What can be done about it.
    public var recoverySuggestion: RecoverySuggestion {
        switch self {
        case .unknown(_, let text, _), .invalidConfiguration(_, let text, _), .invalidURL(_, let text, _),
            .operationError(_, let text, _):
            text
        case .networkError: "Check the network, then try again."
        case .httpStatusError: "See what the status means; the service's log may say more."
        case .pluginError(let error): error.recoverySuggestion
        }
    }

    /// The underlying error.
    public var underlyingError: (any Error)? {
        switch self {
        case .unknown(_, _, let error), .invalidConfiguration(_, _, let error), .invalidURL(_, _, let error),
            .operationError(_, _, let error), .networkError(_, _, let error):
            error
        case .httpStatusError: nil
        case .pluginError(let error): error
        }
    }

    /// Creates an error around another; one of the same type stays as it is.
    public init(
        errorDescription: ErrorDescription = "A request failed.",
        recoverySuggestion: RecoverySuggestion = "See the underlying error.", error: any Error
    ) {
        if let error = error as? APIError {
            self = error
        } else if let error = error as? any AmplifyError {
            self = .pluginError(error)
        } else {
            self = .unknown(errorDescription, recoverySuggestion, error)
        }
    }
}

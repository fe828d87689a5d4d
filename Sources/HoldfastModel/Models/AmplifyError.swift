/// What went wrong, in words for a developer.
public typealias ErrorDescription = String

/// What a developer can do about it.
public typealias RecoverySuggestion = String

/// An error that says what can be done about it.
public protocol AmplifyError: Error, CustomDebugStringConvertible {
    /// What went wrong.
    var errorDescription: ErrorDescription { get }
    /// What can be done about it.
    var recoverySuggestion: RecoverySuggestion { get }
    /// The underlying error.
    var underlyingError: (any Error)? { get }

    /// Creates an error around another; one of the same type stays as it is.
    init(errorDescription: ErrorDescription, recoverySuggestion: RecoverySuggestion, error: any Error)
}

extension AmplifyError {
    /// The description, the suggestion and the error behind it.
    public var debugDescription: String {
        var lines = ["\(Self.self): \(errorDescription)", "Recovery suggestion: \(recoverySuggestion)"]
        if let underlyingError { lines.append("Caused by: \(underlyingError)") }
        return lines.joined(separator: "\n")
    }
}

/// A list was used in a way that it does not allow.
///
/// What a store throws while a relation is loaded is not wrapped.
public enum CoreError: AmplifyError {
    /// A list could not be used.
    case listOperation(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// A call was not admissible at that point.
    case clientValidation(ErrorDescription, RecoverySuggestion, (any Error)? = nil)

    /// What went wrong.
    public var errorDescription: ErrorDescription {
        switch self {
        case .listOperation(let description, _, _), .clientValidation(let description, _, _): description
        }
    }

    /// What can be done about it.
    public var recoverySuggestion: RecoverySuggestion {
        switch self {
        case .listOperation(_, let suggestion, _), .clientValidation(_, let suggestion, _): suggestion
        }
    }

    /// The underlying error.
    public var underlyingError: (any Error)? {
        switch self {
        case .listOperation(_, _, let error), .clientValidation(_, _, let error): error
        }
    }

    /// Creates an error around another; one of the same type stays as it is.
    public init(
        errorDescription: ErrorDescription = "A relation could not be used.",
        recoverySuggestion: RecoverySuggestion = "See the underlying error.", error: any Error
    ) {
        if let error = error as? CoreError {
            self = error
        } else {
            self = .clientValidation(errorDescription, recoverySuggestion, error)
        }
    }
}

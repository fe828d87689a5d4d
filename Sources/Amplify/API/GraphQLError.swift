public import HoldfastModel

/// An error that a GraphQL service reports.
public struct GraphQLError: Error, Codable, Sendable, Hashable {
    /// A place in a document.
    public struct Location: Codable, Sendable, Hashable {
        /// The line, from 1.
        public let line: Int
        /// The column, from 1.
        public let column: Int

        /// Creates a place.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// What the service says.
    public let message: String
    /// The places in the document that it is about.
    public let locations: [Location]?
    /// The place in the response that it is about.
    public let path: [JSONValue]?
    /// What else the service says; AppSync's `errorType`, `errorInfo`, and `data` are here.
    public let extensions: [String: JSONValue]?

    /// Creates an error.
    public init(
        message: String, locations: [Location]? = nil, path: [JSONValue]? = nil,
        extensions: [String: JSONValue]? = nil
    ) {
        self.message = message
        self.locations = locations
        self.path = path
        self.extensions = extensions
    }
}

/// The text of a response, as it came.
public typealias RawGraphQLResponse = String

/// What a GraphQL service answered: the result, or why there is none or only a part.
public typealias GraphQLResponse<ResponseType: Sendable> = Result<ResponseType, GraphQLResponseError<ResponseType>>

/// Why a GraphQL service did not answer with the whole result.
public enum GraphQLResponseError<ResponseType: Sendable>: AmplifyError {
    /// There is no result.
    case error([GraphQLError])
    /// There is a result, and errors about parts of it.
    case partial(ResponseType, [GraphQLError])
    /// The result is not what is expected.
    case transformationError(RawGraphQLResponse, APIError)
    /// Anything else.
    case unknown(ErrorDescription, RecoverySuggestion, (any Error)?)

    /// What went wrong.
    public var errorDescription: ErrorDescription {
        switch self {
        case .error(let errors): "The service refused the request: \(Self.text(errors))"
        case .partial(_, let errors): "The service answered a part of the request: \(Self.text(errors))"
        case .transformationError(_, let error): error.errorDescription
        case .unknown(let text, _, _): text
        }
    }

    /// What can be done about it.
    public var recoverySuggestion: RecoverySuggestion {
        switch self {
        case .error, .partial: "See what the service says."
        case .transformationError(_, let error): error.recoverySuggestion
        case .unknown(_, let text, _): text
        }
    }

    /// The underlying error.
    public var underlyingError: (any Error)? {
        switch self {
        case .error(let errors), .partial(_, let errors): errors.first
        case .transformationError(_, let error): error
        case .unknown(_, _, let error): error
        }
    }

    /// Creates an error around another; one of the same type stays as it is.
    public init(
        errorDescription: ErrorDescription = "A request failed.",
        recoverySuggestion: RecoverySuggestion = "See the underlying error.", error: any Error
    ) {
        self = error as? Self ?? .unknown(errorDescription, recoverySuggestion, error)
    }

    private static func text(_ errors: [GraphQLError]) -> String { errors.map(\.message).joined(separator: " ") }
}

/// How one request shows who makes it; a plug-in has the types.
public protocol AuthorizationMode: Sendable {}

/// A GraphQL request, and what its answer is read as.
///
/// Immutable, so it may go to any thread with its variables, if those may.
public struct GraphQLRequest<R: Decodable & Sendable>: @unchecked Sendable {
    /// Additional options of a plug-in: immutable, so it may go to any thread, if what it holds may.
    public struct Options: @unchecked Sendable {
        /// For the plug-in alone.
        public let pluginOptions: Any?

        /// Creates options.
        public init(pluginOptions: Any?) { self.pluginOptions = pluginOptions }
    }

    /// The name of the service in the configuration; `nil` for the only one.
    public let apiName: String?
    /// The document.
    public let document: String
    /// The values of its variables, as JSON knows them: text, numbers, booleans, arrays, dictionaries, `NSNull`.
    public let variables: [String: Any]?
    /// What the answer is read as.
    public let responseType: R.Type
    /// The names that lead to it inside `data`, with periods between them; `nil` for `data` as a whole.
    public let decodePath: String?
    /// How the request shows who makes it; `nil` for the service's default.
    public let authMode: (any AuthorizationMode)?
    /// What a plug-in wants to know beside.
    public let options: Options
    /// Why the request cannot be made; `nil` for one that can.
    package var failure: APIError?
    /// The request for the page with a token; `nil` for a request that is not for a page.
    package var nextPage: (@Sendable (String?) -> GraphQLRequest)?

    /// Creates a request.
    public init(
        apiName: String? = nil, document: String, variables: [String: Any]? = nil, responseType: R.Type,
        decodePath: String? = nil, authMode: (any AuthorizationMode)? = nil, options: Options? = nil
    ) {
        self.apiName = apiName
        self.document = document
        self.variables = variables
        self.responseType = responseType
        self.decodePath = decodePath
        self.authMode = authMode
        self.options = options ?? Options(pluginOptions: nil)
    }

    /// The same request to a service, with other values of variables and another way to what it returns.
    package func sent(
        to apiName: String?, authMode: (any AuthorizationMode)?, variables: [String: Any]? = nil
    ) -> GraphQLRequest {
        var request = GraphQLRequest(
            apiName: apiName, document: document, variables: variables ?? self.variables, responseType: responseType,
            decodePath: decodePath, authMode: authMode, options: options)
        request.failure = failure
        request.nextPage = nextPage
        return request
    }
}

/// What a subscription delivers.
public enum GraphQLSubscriptionEvent<T: Sendable>: Sendable {
    /// The connection is in another state.
    case connection(SubscriptionConnectionState)
    /// A change.
    case data(GraphQLResponse<T>)
}

/// Where a subscription's connection is.
public enum SubscriptionConnectionState: Sendable, Hashable {
    /// It is being opened.
    case connecting
    /// Changes come from now on.
    case connected
    /// No more changes come.
    case disconnected
}

public import Foundation

/// A request to a REST service.
public struct RESTRequest: Sendable {
    /// The name of the service in the configuration; `nil` for the only one.
    public let apiName: String?
    /// What follows the service's address, not percent-encoded; `nil` for nothing.
    public let path: String?
    /// Headers; `Content-Type` is `application/json` without one.
    public let headers: [String: String]?
    /// The parameters of the address; what is percent-encoded in them is not encoded once more.
    public let queryParameters: [String: String]?
    /// The body.
    public let body: Data?

    /// Creates a request.
    public init(
        apiName: String? = nil, path: String? = nil, headers: [String: String]? = nil,
        queryParameters: [String: String]? = nil, body: Data? = nil
    ) {
        self.apiName = apiName
        self.path = path
        self.headers = headers
        self.queryParameters = queryParameters
        self.body = body
    }
}

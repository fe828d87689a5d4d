#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Looks at requests before they are sent, and may change them.
public protocol URLRequestInterceptor: Sendable {
    /// The request to send in the place of another, which has its authorization already.
    ///
    /// - Throws: Anything; the request is not sent then.
    func intercept(_ request: URLRequest) async throws -> URLRequest
}

/// Has interceptors of requests.
public protocol APICategoryInterceptorBehavior {
    /// Has an interceptor look at all later requests over HTTP to a service, after those that were added before.
    ///
    /// - Throws: `PluginError` `.pluginConfigurationError` if the configuration has no such service.
    func add(interceptor: any URLRequestInterceptor, for apiName: String) throws
}

extension APICategory: APICategoryInterceptorBehavior {
    /// Has an interceptor look at all later requests over HTTP to a service, after those that were added before.
    ///
    /// - Throws: ``APIError`` `.invalidConfiguration` before the API is configured; ``PluginError``
    ///   `.pluginConfigurationError` if the configuration has no such service.
    public func add(interceptor: any URLRequestInterceptor, for apiName: String) throws {
        try plugin().add(interceptor: interceptor, for: apiName)
    }
}

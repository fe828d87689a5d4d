#if Server
import AsyncHTTPClient

extension HTTPClient {
    /// The client of this process for keys and functions, as `shared`, but it follows no redirects.
    ///
    /// They could lead from TLS to a connection without it, and a token to another host.
    static let withoutRedirects: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}
#endif

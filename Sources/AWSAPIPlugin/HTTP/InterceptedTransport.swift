import Amplify
import Foundation
import HoldfastSync
import HoldfastWire

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport whose requests over HTTP are shown to interceptors first.
struct InterceptedTransport: SyncTransport {
    /// Opens the sockets, and sends the requests if there is no ``http``.
    let base: any SyncTransport
    /// The address for requests.
    let url: String
    /// Sends the requests; `nil` for the ``base``.
    let http: HTTPRequests?
    /// The interceptors at the moment.
    let interceptors: @Sendable () -> [any URLRequestInterceptor]

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        let interceptors = interceptors()
        if interceptors.isEmpty && http == nil { return try await base.send(request) }
        guard let url = URL(string: url) else {
            throw TransportError(.unsent, "the address of the service is not a URL")
        }
        var original = URLRequest(url: url)
        original.httpMethod = "POST"
        original.httpBody = Data(request.body)
        original.setValue("application/json", forHTTPHeaderField: "Content-Type")
        for header in request.authorization.headers where header.name.lowercased() != "host" {
            original.setValue(header.value, forHTTPHeaderField: header.name)
        }
        let changed: URLRequest
        do {
            changed = try await interceptors.intercepted(original)
        } catch {
            throw TransportError(
                .unsent, "an interceptor failed: \(type(of: error))",
                underlyingError: APIError.ofInterceptor(error))
        }
        if let http { return try await Self.send(changed, http) }
        guard changed.url == original.url, changed.httpMethod == original.httpMethod else {
            throw TransportError(.unsent, "an interceptor changed the address or the method")
        }
        var headers = request.authorization.headers.filter { $0.name.lowercased() == "host" }
        for (name, value) in (changed.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key })
        where name.lowercased() != "content-type" { headers.append(AuthHeaders.Header(name, value)) }
        return try await base.send(
            WireRequest(authorization: AuthHeaders(headers), body: Array(changed.httpBody ?? Data())))
    }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        try await base.connect(request)
    }

    private static func send(_ request: URLRequest, _ http: HTTPRequests) async throws(TransportError) -> WireResponse {
        do {
            let answer = try await http.send(request)
            let retryAfter = answer.response.value(forHTTPHeaderField: "Retry-After").flatMap {
                RetryAfter.duration($0, date: answer.response.value(forHTTPHeaderField: "Date"))
            }
            return WireResponse(
                status: answer.response.statusCode, body: Array(answer.body), retryAfter: retryAfter)
        } catch {
            throw TransportError(
                .lost, "the session failed: \((error as? APIError)?.errorDescription ?? "cancelled")",
                underlyingError: error)
        }
    }
}

extension [any URLRequestInterceptor] {
    /// A request as it is after all interceptors have seen it.
    func intercepted(_ request: URLRequest) async throws -> URLRequest {
        var request = request
        for interceptor in self { request = try await interceptor.intercept(request) }
        return request
    }
}

extension APIError {
    /// What an interceptor threw, or an error around it.
    static func ofInterceptor(_ error: any Error) -> APIError {
        error as? APIError ?? .operationError("An interceptor failed.", "See the underlying error.", error)
    }
}

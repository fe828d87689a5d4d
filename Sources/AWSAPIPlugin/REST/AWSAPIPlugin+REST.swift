import AWSPluginsCore
public import Amplify
public import Foundation
import HoldfastWire

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension AWSAPIPlugin {
    /// Sends a request with the method `GET`.
    public func get(request: RESTRequest) async throws -> Data { try await answer("GET", request) }

    /// Sends a request with the method `PUT`.
    public func put(request: RESTRequest) async throws -> Data { try await answer("PUT", request) }

    /// Sends a request with the method `POST`.
    public func post(request: RESTRequest) async throws -> Data { try await answer("POST", request) }

    /// Sends a request with the method `DELETE`.
    public func delete(request: RESTRequest) async throws -> Data { try await answer("DELETE", request) }

    /// Sends a request with the method `HEAD`.
    public func head(request: RESTRequest) async throws -> Data { try await answer("HEAD", request) }

    /// Sends a request with the method `PATCH`.
    public func patch(request: RESTRequest) async throws -> Data { try await answer("PATCH", request) }

    private func answer(_ method: String, _ request: RESTRequest) async throws -> Data {
        let endpoint = try endpoint(named: request.apiName, .rest)
        var sent = try URLRequest(method, request, to: endpoint)
        let isSigned = endpoint.authorizationType == .awsIAM
        if !isSigned {
            guard let authorization = try await endpoint.headers(tokens) else { throw APIError.signedOut }
            for header in authorization.headers { sent.setValue(header.value, forHTTPHeaderField: header.name) }
        }
        // After the authorization, so that the application can replace it.
        for (name, value) in request.headers ?? [:] { sent.setValue(value, forHTTPHeaderField: name) }
        do {
            sent = try await interceptors(of: endpoint.name).intercepted(sent)
        } catch {
            if error is CancellationError, Task.isCancelled { throw error }
            throw APIError.ofInterceptor(error)
        }
        // What an interceptor changes after the signature would make it a wrong one.
        if isSigned { sent = try await endpoint.signed(sent, tokens) }
        let (body, response) = try await http.send(sent)
        guard (200..<300).contains(response.statusCode) else {
            throw APIError.httpStatusError(
                response.statusCode, AWSHTTPURLResponse(response: response, body: body) ?? response)
        }
        return body
    }
}

extension URLRequest {
    /// A request to a service, without its authorization and its own headers.
    fileprivate init(_ method: String, _ request: RESTRequest, to endpoint: APIEndpoint) throws {
        guard var address = URLComponents(string: endpoint.url), address.host != nil,
            address.scheme == "https" || address.scheme == "http"
        else { throw Self.invalid(endpoint.name) }
        if let path = request.path, !path.isEmpty {
            let base = address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path
            address.path = base + (path.hasPrefix("/") ? path : "/" + path)
        }
        if let parameters = request.queryParameters, !parameters.isEmpty {
            // Only what is the same in every place of an address stays as it is; signatures want it so, too.
            let kept = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
            let encoded = parameters.sorted { $0.key < $1.key }.map { name, value in
                // What is encoded already stays as it is, as in the original.
                [name, value].map { text in
                    (text.removingPercentEncoding ?? text).addingPercentEncoding(withAllowedCharacters: kept) ?? ""
                }.joined(separator: "=")
            }
            address.percentEncodedQuery = encoded.joined(separator: "&")
        }
        guard let url = address.url else { throw Self.invalid(endpoint.name) }
        self.init(url: url)
        httpMethod = method
        httpBody = request.body
        setValue("application/json", forHTTPHeaderField: "Content-Type")
    }

    private static func invalid(_ name: String) -> APIError {
        .invalidURL(
            "The address of a request to the API '\(name)' is not a URL.",
            "Correct the endpoint in the configuration: 'https://host/path'.")
    }
}

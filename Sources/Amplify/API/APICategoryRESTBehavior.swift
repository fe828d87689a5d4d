public import Foundation

/// Requests to REST services.
///
/// Each returns the body of an answer with a status of success, and throws ``APIError``: `.httpStatusError` for another
/// status, `.networkError` if there is no answer, `.invalidConfiguration` and `.invalidURL` before anything is sent.
public protocol APICategoryRESTBehavior {
    /// Sends a request with the method `GET`.
    func get(request: RESTRequest) async throws -> Data

    /// Sends a request with the method `PUT`.
    func put(request: RESTRequest) async throws -> Data

    /// Sends a request with the method `POST`.
    func post(request: RESTRequest) async throws -> Data

    /// Sends a request with the method `DELETE`.
    func delete(request: RESTRequest) async throws -> Data

    /// Sends a request with the method `HEAD`.
    func head(request: RESTRequest) async throws -> Data

    /// Sends a request with the method `PATCH`.
    func patch(request: RESTRequest) async throws -> Data
}

extension APICategory: APICategoryRESTBehavior {
    /// Sends a request with the method `GET`.
    public func get(request: RESTRequest) async throws -> Data { try await plugin().get(request: request) }

    /// Sends a request with the method `PUT`.
    public func put(request: RESTRequest) async throws -> Data { try await plugin().put(request: request) }

    /// Sends a request with the method `POST`.
    public func post(request: RESTRequest) async throws -> Data { try await plugin().post(request: request) }

    /// Sends a request with the method `DELETE`.
    public func delete(request: RESTRequest) async throws -> Data { try await plugin().delete(request: request) }

    /// Sends a request with the method `HEAD`.
    public func head(request: RESTRequest) async throws -> Data { try await plugin().head(request: request) }

    /// Sends a request with the method `PATCH`.
    public func patch(request: RESTRequest) async throws -> Data { try await plugin().patch(request: request) }
}

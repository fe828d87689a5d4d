import AWSPluginsCore
import Amplify
import Foundation
import HoldfastSync
import HoldfastWire

extension APISession {
    /// Sends a request; a mode of authorization that the service refuses is followed by the next.
    ///
    /// - Parameters:
    ///   - body: The request as JSON.
    ///   - url: The address of the service, for errors.
    /// - Returns: The body of the answer.
    /// - Throws: ``APIError`` if the request cannot be authorized, if the service cannot be reached, or if it answers
    ///   with a status other than success.
    func send(_ body: [UInt8], to url: String) async throws(APIError) -> [UInt8] {
        let request = AuthorizedRequest(.query, body: body)
        return try await inEachMode(request) { headers throws(APIError) in
            let response: WireResponse
            do throws(TransportError) {
                response = try await transport.send(WireRequest(authorization: headers, body: body))
            } catch {
                throw APIError(error)
            }
            if (200..<300).contains(response.status) { return .success(response.body) }
            let failure = APIError(response, from: url)
            guard response.status == 401 || response.status == 403 else { throw failure }
            return .failure(failure)
        }.result
    }

    /// Opens a socket in the first mode of authorization that the service takes.
    ///
    /// - Returns: The socket, the mode, and the headers in that mode.
    func connect() async throws(APIError) -> (result: any RealtimeSocket, mode: Int, headers: AuthHeaders) {
        try await inEachMode(.openingSocket) { headers throws(APIError) in
            do throws(TransportError) {
                return .success(try await transport.connect(RealtimeRequest(authorization: headers)))
            } catch {
                guard error.kind == .unauthorized else { throw APIError(error) }
                return .failure(APIError(error))
            }
        }
    }

    /// The headers of a request in a mode; `nil` if the mode does not apply to it.
    func headers(_ mode: Int, _ request: AuthorizedRequest) async throws(APIError) -> AuthHeaders? {
        switch await authorization.authorize(mode, request) {
        case .headers(let headers): return headers
        case .notOffered: return nil
        case .signedOut: throw .signedOut
        case .userChanged, .unavailable: throw .noToken
        }
    }

    /// Tries a request in one mode after the other, in each once more with other headers, until one is not refused.
    private func inEachMode<Result>(
        _ request: AuthorizedRequest,
        _ attempt: (AuthHeaders) async throws(APIError) -> Swift.Result<Result, APIError>
    ) async throws(APIError) -> (result: Result, mode: Int, headers: AuthHeaders) {
        var refusal = APIError.signedOut
        for mode in 0..<max(1, authorization.modeCount) {
            guard let headers = try await headers(mode, request) else { continue }
            switch try await attempt(headers) {
            case .success(let result): return (result, mode, headers)
            case .failure(let failure): refusal = failure
            }
            let renewed: AuthHeaders?
            do {
                renewed = try await authorization.renew(mode, request, headers)
            } catch {
                // Another mode may do; this request cannot wait.
                refusal = .noToken
                continue
            }
            if let renewed, case .success(let result) = try await attempt(renewed) { return (result, mode, renewed) }
        }
        throw refusal
    }
}

extension APIError {
    /// No one is signed in; as in the original, an `AuthError` says so.
    static var signedOut: APIError {
        let suggestion = "Sign in, or use a kind of authorization that needs no user."
        return .operationError(
            "Failed to retrieve authorization token.", suggestion,
            AuthError.signedOut("No one is signed in.", suggestion))
    }

    /// There may be a token later.
    fileprivate static var noToken: APIError {
        .operationError(
            "There is no token at the moment.", "Try again when the user can be authorized.", TokenUnavailable())
    }

    /// Whether the same request may succeed later, since the network or a token is missing at the moment.
    var isTemporary: Bool {
        switch self {
        case .networkError: true
        case .operationError(_, _, let error): error is TokenUnavailable
        default: false
        }
    }

    /// A status other than success, with the beginning of the body.
    fileprivate init(_ response: WireResponse, from url: String) {
        let full = URL(string: url).flatMap {
            AWSHTTPURLResponse(url: $0, statusCode: response.status, body: Data(response.body.prefix(4_096)))
        }
        self =
            full.map { .httpStatusError(response.status, $0) }
            ?? .networkError("The service answered with the status \(response.status).")
    }

    /// The error of a transport, or the error of the plug-in or of an interceptor that caused it.
    init(_ error: TransportError) {
        if let error = error.underlyingError as? APIError {
            self = error
            return
        }
        self =
            switch error.kind {
            case .unsent, .lost, .tooLong: .networkError(error.reason, nil, error.underlyingError ?? error)
            case .unauthorized:
                .operationError("Unauthorized: \(error.reason)", "Sign in as a user who may do this.", error)
            }
    }
}

/// No token is available yet.
private struct TokenUnavailable: Error {}

import AWSPluginsCore
import Amplify
import HoldfastSync
import HoldfastWire

extension APISession {
    /// Sends a request; a mode of authorization that the service refuses is followed by the next.
    ///
    /// - Returns: The body of the answer.
    func send(_ body: [UInt8]) async throws(APIError) -> [UInt8] {
        var refusal: APIError?
        for mode in 0..<max(1, authorization.modeCount) {
            guard let headers = await authorization.headers(mode, body) else {
                refusal = refusal ?? .signedOut
                continue
            }
            let response: WireResponse
            do throws(TransportError) {
                response = try await transport.send(WireRequest(authorization: headers, body: body))
            } catch {
                throw APIError(error)
            }
            if (200..<300).contains(response.status) { return response.body }
            let failure = APIError.httpStatusError(
                response.status, String(decoding: response.body.prefix(4_096), as: UTF8.self))
            // A service may say more with another status.
            guard response.status == 401 || response.status == 403 else { throw failure }
            refusal = failure
        }
        throw refusal ?? .signedOut
    }

    /// Opens a socket in the first mode of authorization that the service takes.
    ///
    /// - Returns: The socket, and the mode.
    func connect() async throws(APIError) -> (any RealtimeSocket, mode: Int) {
        var refusal: APIError?
        for mode in 0..<max(1, authorization.modeCount) {
            guard let headers = await authorization.headers(mode, Array("{}".utf8)) else {
                refusal = refusal ?? .signedOut
                continue
            }
            do throws(TransportError) {
                return (try await transport.connect(RealtimeRequest(authorization: headers)), mode)
            } catch {
                guard error.kind == .unauthorized else { throw APIError(error) }
                refusal = APIError(error)
            }
        }
        throw refusal ?? .signedOut
    }
}

extension APIError {
    /// Nobody is signed in.
    static var signedOut: APIError {
        .operationError("No one is signed in.", "Sign in, or use a kind of authorization that needs no user.")
    }

    init(_ error: TransportError) {
        self =
            switch error.kind {
            case .unsent, .lost: .networkError(error.reason, nil, error)
            case .unauthorized:
                .operationError("Unauthorized: \(error.reason)", "Sign in as a user who may do this.", error)
            }
    }
}
